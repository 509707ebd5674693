import * as pulumi from "@pulumi/pulumi";
import { credentialsNote, readSettings, type ConfigReader, unknownSetting } from "../../settings.js";
import { ProgramError } from "./program-error.js";

/** Reads a key of the configuration of the running stack, such as `rulesets:apiToken`. */
export const stackSetting: ConfigReader = (key) => {
  const [namespace = "", name = ""] = key.split(":");
  return new pulumi.Config(namespace).get(name);
};

/** By connection to the engine, the runs whose settings were checked, and what was said about their credentials. */
const checked = new WeakMap<object, string | undefined>();

/**
 * Refuses settings of the stack that do not exist, and says which credentials are used if different ones are set: once per
 * run of the program, however many resources and lookups it has.
 */
export function checkStackSettings(): void {
  const run = pulumi.runtime.getMonitor() as object | undefined;
  if (run !== undefined && checked.has(run)) return;
  checkKeys();
  if (run !== undefined) checked.set(run, reportCredentials());
}

/** What this run has said about its credentials, so that the provider, which is another process, does not repeat it. */
export function saidAboutCredentials(): string | undefined {
  const run = pulumi.runtime.getMonitor() as object | undefined;
  return run === undefined ? undefined : checked.get(run);
}

function checkKeys(): void {
  // The namespace of a project with this name contains the configuration of its program as well.
  if (pulumi.getProject() === "rulesets") return;
  const faults = Object.keys(pulumi.runtime.allConfig()).flatMap((key) => {
    const [, name] = /^rulesets:(.*)$/.exec(key) ?? [];
    const hint = name === undefined ? undefined : unknownSetting(name, "the settings are");
    return hint === undefined ? [] : [`${key} is not a setting; ${hint}`];
  });
  const [first] = faults;
  if (first === undefined) return;
  throw new ProgramError(
    `the stack configuration contains what this package does not know: ${faults.join(" ")} ` +
      `To continue: remove it with \`pulumi config rm ${first.split(" ")[0] ?? ""}\`, and set the right one.`,
    { code: "CONFIG_INVALID" },
  );
}

function reportCredentials(): string | undefined {
  const note = noteOf(stackSetting);
  if (note !== undefined) void pulumi.log[note.channel](note.text);
  return note?.text;
}

/** Settings that cannot be read are reported where they are used. */
function noteOf(config: ConfigReader): ReturnType<typeof credentialsNote> {
  try {
    return credentialsNote(readSettings(config, process.env));
  } catch {
    return undefined;
  }
}
