import type { ObservedResponse, Client } from "../../provider/client/index.js";
import type { Environment } from "../../provider/settings.js";
import { writeOutput } from "../write-output.js";
import { findZones } from "../fleet.js";
import { credentialResults } from "./credentials.js";
import { credentialFacts, machineFacts, type OwnPackage } from "./facts.js";
import type { CheckResult } from "./check-result.js";
import { machineResults } from "./machine.js";
import { accountPermissions, zonePermissions } from "./permissions.js";
import { renderResults } from "./render.js";
import { serviceResults, type ObservedResponses } from "./service.js";

export interface DoctorCommand {
  readonly zone?: readonly string[];
  readonly account?: readonly string[];
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly output?: string;
}

export interface DoctorContext {
  readonly print: (line: string) => void;
  readonly connect: (onResponse: (answer: ObservedResponse) => void) => Client;
  readonly folder: string;
  readonly own: OwnPackage;
  readonly env: Environment;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Checks everything that a run needs, and returns the exit code: 0, or 2 when a check fails. */
export async function runDoctor(options: DoctorCommand, context: DoctorContext): Promise<0 | 2> {
  const { folder, own, env, print } = context;
  const facts = credentialFacts(folder, env);
  const lines = [
    ...machineResults(await machineFacts(folder, own, env)),
    ...credentialResults(facts),
    ...("failure" in facts.settings || facts.settings.credentials === undefined
      ? []
      : await checkService(options, context, facts.settings.credentials.kind === "token")),
  ];
  writeOutput(options.json === true ? JSON.stringify({ lines }, undefined, 2) : renderResults(lines), options, print);
  return lines.some(({ status }) => status === "failure") ? 2 : 0;
}

async function checkService(
  options: DoctorCommand,
  context: DoctorContext,
  isToken: boolean,
): Promise<readonly CheckResult[]> {
  const { zone = [], account = [] } = options;
  const answers: ObservedResponse[] = [];
  let at = context.now();
  const client = context.connect((answer) => {
    if (answers.length === 0) at = context.now();
    answers.push(answer);
  });
  const getAnswers = (): ObservedResponses => ({ responses: answers, at });
  const service = await serviceResults(client, {
    isToken,
    getAnswers,
    ...(account[0] === undefined ? {} : { accountId: account[0] }),
  });
  if (service.some(({ status, subject }) => status === "failure" && subject === "Address")) return service;
  if (zone.length + account.length === 0) {
    const next = "specify a zone with --zone, or an account with --account, to see what the credentials may do there";
    return [...service, { area: "permissions", status: "unknown", subject: "Permissions", found: "not checked", next }];
  }
  return [...service, ...(await permissionLines(client, options))];
}

async function permissionLines(
  client: Client,
  { zone = [], account = [], dryRun }: DoctorCommand,
): Promise<readonly CheckResult[]> {
  const tries = { writes: dryRun === true };
  const { zones, failures } = zone.length === 0 ? { zones: [], failures: [] } : await findZones(client, zone, []);
  const found = await Promise.all([
    ...zones.map((one) => zonePermissions(client, one, tries)),
    ...account.map((id) => accountPermissions(client, id, tries)),
  ]);
  const missing = failures.map((one): CheckResult => {
    return { area: "permissions", status: "failure", subject: one.zone.name, found: one.failure };
  });
  return [...found.flat(), ...missing];
}
