import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { isObject } from "../../../core/model/json.js";
import { SECRET_SETTINGS } from "../../../core/model/settings.js";
import { readSettings, type ConfigReader, type Environment } from "../../../provider/settings.js";
import { findProject, readSettingsFile, stacksIn, type Project } from "../project/project.js";
import { readStackSettings, type StackSettings } from "../project/settings.js";
import { chooseStack } from "../project/stack.js";
import type { CredentialFacts } from "./credentials.js";
import type { MachineFacts } from "./machine.js";
import { messageOf } from "../../../core/model/errors.js";

/** Reads the facts about the machine and about the program in a folder. */
export async function machineFacts(folder: string, own: OwnPackage, env: Environment): Promise<MachineFacts> {
  const [sdk, installed] = [versionIn(folder, "@pulumi/pulumi"), versionIn(folder, "pulumi-rulesets")];
  return {
    node: process.versions.node,
    packageVersion: own.version,
    needs: { node: own.engines.node, sdk: own.peerDependencies["@pulumi/pulumi"] },
    ...(sdk === undefined ? {} : { sdk }),
    ...(installed === undefined ? {} : { installed }),
    engine: await engineVersion(env),
    network: env,
  };
}

/** The parts of this package's package.json that the command needs. */
export interface OwnPackage {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: { readonly "@pulumi/pulumi": string };
}

/** The version of a package that a program in the folder would load. */
function versionIn(folder: string, name: string): string | undefined {
  const paths = createRequire(join(folder, "package.json")).resolve.paths(name) ?? [];
  const file = paths.map((path) => join(path, name, "package.json")).find(existsSync);
  if (file === undefined) return undefined;
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  return isObject(value) && typeof value.version === "string" ? value.version : undefined;
}

function engineVersion(env: Environment): Promise<MachineFacts["engine"]> {
  return new Promise((done) => {
    const options = { env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" }, timeout: 30_000 };
    execFile("pulumi", ["version"], options, (error, stdout) => {
      const missing = error !== null && error.code === "ENOENT";
      if (error === null) done({ version: stdout.trim() });
      else done({ failure: missing ? "`pulumi` is not on the PATH" : `\`pulumi version\` failed: ${error.message}` });
    });
  });
}

const VARIABLES = ["RULESETS", "CLOUDFLARE"].flatMap((prefix) => [`${prefix}_API_TOKEN`, `${prefix}_API_KEY`]);

/**
 * Looks for credentials in the environment, and in the stack settings of a folder.
 * @param stack whose own credentials to read; by default the one that every command uses
 */
export function credentialFacts(folder: string, env: Environment, stack: string | undefined): CredentialFacts {
  const project = findProject(folder);
  const ofStack = project === undefined ? undefined : settingsOfStack(project, env, stack);
  return {
    settings: settingsOf(env),
    ...(ofStack === undefined ? {} : { ofStack }),
    variables: VARIABLES.filter((name) => (env[name] ?? "").trim() !== ""),
    stacks: project === undefined ? [] : stacksIn(project).flatMap((name) => credentialsIn(project, name)),
  };
}

function credentialsIn(project: Project, stack: string): CredentialFacts["stacks"] {
  const { config = {}, encrypted: keys = [] } = readSettingsFile(project, stack) ?? {};
  const encrypted = SECRET_SETTINGS.filter((key) => keys.includes(key));
  const clear = SECRET_SETTINGS.filter((key) => key in config);
  return encrypted.length + clear.length === 0 ? [] : [{ stack, encrypted, clear }];
}

/** The settings of the environment, and of a stack if it is given. */
export function settingsOf(env: Environment, config: ConfigReader = () => undefined): CredentialFacts["settings"] {
  try {
    return readSettings(config, env);
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

function settingsOfStack(project: Project, env: Environment, stack: string | undefined): StackSettings | undefined {
  try {
    const chosen = chooseStack(project, stack, env);
    return chosen === undefined ? undefined : readStackSettings(project.folder, chosen.name, env);
  } catch (error) {
    return { stack: "that is selected", failure: messageOf(error) };
  }
}
