import type { ObservedResponse, Client } from "../../../client/index.js";
import { pick, sameJson } from "../../../core/model/json.js";
import type { ConfigReader, Environment, Settings } from "../../../provider/settings.js";
import type { Output } from "../context.js";
import { columnsFor, writeOutput } from "../write-output.js";
import { findZones } from "../zones.js";
import { credentialResults, type CredentialFacts } from "./credentials.js";
import { credentialFacts, machineFacts, settingsOf, type OwnPackage } from "./facts.js";
import type { CheckResult } from "./check-result.js";
import { leastToken } from "./least-token.js";
import type { DeclaredObject } from "./needs.js";
import { catalogueResult, machineResults } from "./machine.js";
import { accountPermissions, zonePermissions } from "./permissions.js";
import { wrapText } from "../wrap.js";
import { renderResults } from "./render.js";
import { serviceResults, type Address, type ObservedResponses } from "./service.js";

export interface DoctorCommand {
  readonly zone?: readonly string[];
  readonly account?: readonly string[];
  /** @default the one that every command uses */
  readonly stack?: string;
  readonly baseUrl?: string;
  /** Folders of programs whose permissions are derived. */
  readonly program?: readonly string[];
  /** Files of `pulumi preview --json`, for the same. */
  readonly preview?: readonly string[];
  readonly config?: readonly string[];
  readonly mocks?: string;
  readonly json?: boolean;
  readonly output?: string;
}

interface DoctorContext extends Output {
  readonly connect: (config: ConfigReader, onResponse: (answer: ObservedResponse) => void) => Client;
  readonly folder: string;
  readonly own: OwnPackage;
  readonly env: Environment;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Checks everything that a run needs, and returns the exit code: 0, or 2 when a check fails. */
export async function runDoctor(options: DoctorCommand, context: DoctorContext): Promise<0 | 2> {
  const { folder, own, env, print } = context;
  const facts = credentialFacts(folder, env, options.stack);
  const lines = [
    ...machineResults(await machineFacts(folder, own, env)),
    catalogueResult(context.now()),
    ...credentialResults(facts),
  ];
  const declared = await declaredIn(options);
  const users = usersOf(facts, env);
  for (const user of users) lines.push(...(await checkAs(user, options, { context, declared })));
  if (users.length === 0) lines.push(...uncheckedResults(options));
  const text =
    options.json === true
      ? JSON.stringify({ lines }, undefined, 2)
      : wrapText(renderResults(lines), columnsFor(options, context.columns));
  writeOutput(text, options, print);
  return lines.some(({ status }) => status === "failure") ? 2 : 0;
}

/** What was asked for, and cannot be looked at without credentials. */
function uncheckedResults({ zone = [], account = [], program = [], preview = [] }: DoctorCommand): CheckResult[] {
  return [...zone, ...account, ...program, ...preview].map((subject) => ({
    ...{ area: "permissions", status: "failure", subject },
    found: "not checked: there are no credentials",
  }));
}

/** What the program declares; undefined if nobody asks. */
async function declaredIn(options: DoctorCommand): Promise<readonly DeclaredObject[] | undefined> {
  const { program = [], preview = [] } = options;
  if (program.length + preview.length === 0) return undefined;
  const { readDeclared } = await import("./declared.js");
  return readDeclared(options);
}

/** Who uses which settings: commands outside a project those of the environment, a stack its own, too. */
interface User {
  readonly settings: Settings;
  readonly config: ConfigReader;
  readonly credentials: string;
}

/** Everybody who uses other credentials, or another address. */
function usersOf({ settings, ofStack }: CredentialFacts, env: Environment): readonly User[] {
  const commands = "failure" in settings ? [] : userOf(settings, () => undefined);
  if (ofStack === undefined || "failure" in ofStack) return commands;
  const config: ConfigReader = (key) => ofStack.values.get(key);
  const run = settingsOf(env, config);
  if ("failure" in run || commands.some((user) => isSameUse(user.settings, run))) return commands;
  return [...commands, ...userOf(run, config, ` of stack ${ofStack.stack}`)];
}

function userOf(settings: Settings, config: ConfigReader, where = ""): User[] {
  const { credentials, source = "the credentials of the settings" } = settings;
  const ofStack = source.includes("configuration key") ? where : "";
  return credentials === undefined ? [] : [{ settings, config, credentials: `${source}${ofStack}` }];
}

function isSameUse(one: Settings, other: Settings): boolean {
  return sameJson(pick(one, ["credentials", "baseUrl"]), pick(other, ["credentials", "baseUrl"]));
}

/** The checks of the service, and of what may be done there, with these credentials. */
async function checkAs(user: User, options: DoctorCommand, asked: Asked): Promise<readonly CheckResult[]> {
  const lines = await checkService(options, asked, user);
  return lines.map((line) => ({ ...line, credentials: user.credentials }));
}

interface Asked {
  readonly context: DoctorContext;
  readonly declared: readonly DeclaredObject[] | undefined;
}

async function checkService(
  options: DoctorCommand,
  { context, declared }: Asked,
  { settings, config }: User,
): Promise<readonly CheckResult[]> {
  const { zone = [], account = [] } = options;
  const answers: ObservedResponse[] = [];
  let at = context.now();
  const client = context.connect(config, (answer) => {
    if (answers.length === 0) at = context.now();
    answers.push(answer);
  });
  const getAnswers = (): ObservedResponses => ({ responses: answers, at });
  const service = await serviceResults(client, {
    isToken: settings.credentials?.kind === "token",
    address: addressOf(options, settings),
    getAnswers,
    ...(account[0] === undefined ? {} : { accountId: account[0] }),
  });
  if (service.some(({ status, subject }) => status === "failure" && subject === "Address")) return service;
  const least = declared === undefined ? undefined : await leastToken(client, declared);
  const known = [...service, ...(least ?? [])];
  if (zone.length + account.length === 0 && least !== undefined) return known;
  if (zone.length + account.length === 0) {
    const next =
      "--program . lists the permissions that the program needs; --zone and --account check what may be read there";
    const line = {
      area: "permissions",
      status: "unknown",
      subject: "Permissions",
      found: "not checked",
      next,
    } as const;
    return [...service, line];
  }
  return [...known, ...(await permissionLines(client, options))];
}

function addressOf({ baseUrl }: DoctorCommand, settings: Settings): Address | undefined {
  if (baseUrl !== undefined) return { url: baseUrl, setBy: "--base-url" };
  const { baseUrl: url, baseUrlSource: setBy } = settings;
  return url === undefined || setBy === undefined ? undefined : { url, setBy };
}

async function permissionLines(
  client: Client,
  { zone = [], account = [] }: DoctorCommand,
): Promise<readonly CheckResult[]> {
  const { zones, failures } = zone.length === 0 ? { zones: [], failures: [] } : await findZones(client, zone, []);
  const found = await Promise.all([
    ...zones.map((one) => zonePermissions(client, one)),
    ...account.map((id) => accountPermissions(client, id)),
  ]);
  const missing = failures.map((one): CheckResult => {
    return { area: "permissions", status: "failure", subject: one.zone.name, found: one.failure };
  });
  return [...found.flat(), ...missing];
}
