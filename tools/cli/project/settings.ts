import { isObject, parseJson } from "../../../core/model/json.js";
import type { ConfigReader, Environment } from "../../../provider/settings.js";
import { findProject, noSettings, readSettingsFile, type Project, type SettingsFile } from "./project.js";
import { reasonIn, runPulumi } from "./pulumi.js";
import { useStack, type ChosenStack } from "./stack.js";

/** The settings of a stack in clear, or why they cannot be read. */
export type StackSettings =
  | { readonly stack: string; readonly values: ReadonlyMap<string, string> }
  | { readonly stack: string; readonly failure: string };

/**
 * The settings with which a command calls the service: those of a run of the stack that it uses. None outside a project.
 * @throws Error if Pulumi has to read them, and cannot
 */
export function settingsFor(folder: string, stack: string | undefined, env: Environment): ConfigReader {
  const project = findProject(folder);
  if (project === undefined && stack !== undefined)
    throw new Error(
      `--stack ${stack}: the folder ${folder} has no Pulumi.yaml. To continue: run the command in a project`,
    );
  const chosen = project === undefined ? undefined : useStack(project, stack, env);
  if (project === undefined || chosen === undefined) return (key) => project?.defaults[key];
  const values = valuesOf(project, chosen, env);
  return (key) => values[key];
}

function valuesOf(project: Project, chosen: ChosenStack, env: Environment): Readonly<Record<string, string>> {
  const file = readSettingsFile(project, chosen.name);
  if (file !== undefined && !needsPulumi(file, env)) return { ...project.defaults, ...file.config };
  const settings = readStackSettings(project.folder, chosen.name, env);
  if ("values" in settings) return { ...project.defaults, ...Object.fromEntries(settings.values) };
  if (file === undefined) throw new Error(`${noSettings(project, chosen.name)}. Pulumi says: ${settings.failure}`);
  throw new Error(
    `the settings of the stack ${chosen.name} could not be read: ${settings.failure}.\nTo continue: log in as for \`pulumi up\`, ` +
      "and set the passphrase of the stack if it has one; or set RULESETS_API_TOKEN",
  );
}

/** Whether a setting may decide which service is called, or with which credentials. */
export function isOwnSetting(key: string): boolean {
  return /^(?:rulesets|cloudflare):/.test(key);
}

const CREDENTIAL =
  /^(?:(?:rulesets|cloudflare):(?:apiToken|email|apiKey)|(?:RULESETS|CLOUDFLARE)_(?:API_TOKEN|EMAIL|API_KEY))$/;

/** Settings or environment variables without those that are credentials. */
export function withoutCredentials<T>(settings: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !CREDENTIAL.test(name)));
}

/** Whether settings that a run would use cannot be read from the file. */
export function needsPulumi(
  { encrypted, hasEnvironment }: Pick<SettingsFile, "encrypted" | "hasEnvironment">,
  env: Environment,
): boolean {
  const isReplaced = (key: string): boolean =>
    CREDENTIAL.test(key) ? hasOwnCredentials(env) : key.endsWith(":baseUrl") && isSet(env.RULESETS_BASE_URL);
  return hasEnvironment || encrypted.some((key) => isOwnSetting(key) && !isReplaced(key));
}

/** Whether credentials are set that take precedence over those of every stack and provider. */
function hasOwnCredentials({ RULESETS_API_TOKEN: token, RULESETS_API_KEY: key }: Environment): boolean {
  return isSet(token) || isSet(key);
}

const isSet = (value = ""): boolean => value.trim() !== "";

/** Reads the settings of a stack as `pulumi up` gets them, so that encrypted values and environments are included. */
export function readStackSettings(folder: string, stack: string, env: Environment): StackSettings {
  const answer = runPulumi(["config", "--json", "--show-secrets", "--stack", stack], folder, env);
  return "text" in answer
    ? { stack, values: valuesIn(answer.text) }
    : { stack, failure: `\`pulumi config\` failed: ${reasonIn(answer.failure)}` };
}

/** The values by key: `{"shop:zoneId": {"value": "…", "secret": false}}`. */
function valuesIn(output: string): ReadonlyMap<string, string> {
  const config = parseJson(output);
  const entries = Object.entries(isObject(config) ? config : {});
  return new Map(
    entries.flatMap(([key, item]) =>
      isObject(item) && typeof item.value === "string" ? [[key, item.value] as const] : [],
    ),
  );
}
