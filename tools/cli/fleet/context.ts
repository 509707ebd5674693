import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { checksumOf } from "../../fleet/changes.js";
import type { FleetDefinition } from "../../fleet/definition.js";
import type { FleetPlan } from "../../fleet/plan.js";
import { readFleet } from "../../fleet/read.js";
import { DEFAULT_BASE_URL, type Client } from "../../../client/index.js";
import type { Session } from "../../../provider/engine/session.js";
import { TextDocument } from "../../rules-files/text/text-document.js";
import { findProject, readSettingsAt } from "../project/project.js";
import { needsPulumi } from "../project/settings.js";
import { readSettings, type Environment } from "../../../provider/settings.js";
import type { ConnectOptions } from "../connect.js";
import type { Output } from "../context.js";
import { PlanFolder } from "./folder.js";

/** Options of every command of a fleet. */
export interface FleetOptions extends ConnectOptions {
  /** @default "fleet.yaml" */
  readonly file: string;
  /** @default "fleet-plan" */
  readonly plan: string;
  readonly json?: boolean;
}

/** What the commands of a fleet use of the machine. */
export interface FleetContext extends Output {
  readonly printNote: (line: string) => void;
  readonly env: Environment;
  readonly now: () => Date;
  /** Waits for so many milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly connect: (env: Environment) => Client;
  readonly openSession: (env: Environment) => Session;
}

export function readDefinition({ file }: FleetOptions): FleetDefinition {
  return readFleet(TextDocument.read(file));
}

export function planFolder({ plan }: FleetOptions): PlanFolder {
  if (existsSync(plan) && !statSync(plan).isDirectory())
    throw new Error(`--plan must be a folder, but ${plan} is not one. To continue: choose another name with --plan`);
  return new PlanFolder(plan);
}

/** Says if the fleet is described otherwise than when the plan was made: what the plan says counts. */
export function noteChanges(options: FleetOptions, { definition }: FleetPlan, { printNote }: FleetContext): void {
  // A step that only has the plan needs no file.
  if (!existsSync(options.file) || checksumOf(readDefinition(options)) === definition) return;
  printNote(
    `${options.file} has changed since the plan was made; the plan still applies. To use the change: make a new plan`,
  );
}

/** The folder of the program, which is relative to the file of the fleet. */
export function programFolder({ file }: FleetOptions, { program }: Pick<FleetPlan, "program">): string {
  return resolve(join(dirname(file), program));
}

/** The address that a plan is made for: of the call, else as a run of a new stack takes it. */
export function addressFor(
  options: FleetOptions,
  { program, stacks: { settings } }: Pick<FleetDefinition, "program" | "stacks">,
  env: Environment,
): string {
  if (options.baseUrl !== undefined) return withoutSlash(options.baseUrl);
  const folder = programFolder(options, { program });
  const project = findProject(folder);
  const file =
    project === undefined || settings === undefined ? undefined : readSettingsAt(join(folder, settings), project);
  const config = { ...project?.defaults, ...file?.config };
  // Tokens are in the environment, whatever the file has.
  if (file !== undefined && needsPulumi(file, { ...env, RULESETS_API_TOKEN: "used" }))
    throw new Error(
      `the address of the service may be in ${settings ?? ""}, encrypted or in an environment. To continue: pass --base-url`,
    );
  return withoutSlash(readSettings((key) => config[key], env).baseUrl ?? DEFAULT_BASE_URL);
}

/** What a step of a plan uses: the address of the plan, also for the engine. Throws if the call names another one. */
export function contextAt(
  { baseUrl }: Pick<FleetPlan, "baseUrl">,
  options: FleetOptions,
  context: FleetContext,
): FleetContext {
  if (options.baseUrl !== undefined && withoutSlash(options.baseUrl) !== baseUrl)
    throw new Error(
      `--base-url is ${options.baseUrl}, and the plan was made for ${baseUrl}. To continue: leave it out, or make a new plan`,
    );
  return { ...context, env: { ...context.env, RULESETS_BASE_URL: baseUrl } };
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, "");
}

/** The environment of a command that uses a token: what every command takes, from the variable of the token. */
export function environmentFor(variable: string | undefined, env: Environment): Environment {
  if (variable === undefined) return env;
  const token = env[variable];
  if (token === undefined || token === "")
    throw new Error(`the environment variable ${variable}, which fleet.yaml names as a token, is not set`);
  return { ...env, RULESETS_API_TOKEN: token };
}

/** The tokens of the environment, and whatever else in it is a secret by its name. */
export function tokensIn(env: Environment): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= 8 && /TOKEN|KEY|SECRET|PASS/i.test(name) ? [value] : [],
  );
}

/** A text without the tokens of the environment. */
export function withoutTokens(text: string, env: Environment): string {
  return tokensIn(env).reduce((shown, token) => shown.replaceAll(token, "[secret]"), text);
}
