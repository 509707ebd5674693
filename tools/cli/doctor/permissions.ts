import { ApiError, isAboutTheRequest, type Client, type Scope, type Zone } from "../../../client/index.js";
import phases from "../../../schema/phases.json";
import type { OperationsOf, Probe } from "../../../provider/engine/description.js";
import { DESCRIPTIONS } from "../../../provider/kinds/descriptions.js";
import { splitHint, type CheckResult } from "./check-result.js";

/** One thing that the token may or may not be permitted to do. */
interface Question {
  readonly subject: string;
  readonly ask: () => Promise<unknown>;
}

/** What the token may do in a zone: one check per phase, and one per group of operations that this package uses. */
export async function zonePermissions(client: Client, zone: Zone): Promise<readonly CheckResult[]> {
  const scope: Scope = { level: "zones", id: zone.id };
  const packs = { subject: "certificate packs", ask: () => client.certificates.listPacks(zone.id) };
  return checkPermissions(zone.name, [...questionsAt(client, scope), packs]);
}

/** The same for an account. */
export async function accountPermissions(client: Client, accountId: string): Promise<readonly CheckResult[]> {
  const scope: Scope = { level: "accounts", id: accountId };
  return checkPermissions(`account ${accountId}`, questionsAt(client, scope));
}

type Probed = OperationsOf & { readonly probe: Probe };

/** The groups of operations of all kinds of resources at a level, each once, as far as something shows whether they are allowed. */
function operationsAt(level: Scope["level"]): readonly Probed[] {
  const all = DESCRIPTIONS.filter(({ levels }) => levels.includes(level)).flatMap(({ operations }) => operations);
  return [...new Map(all.flatMap((one) => (isProbed(one) ? [[one.path, one] as const] : []))).values()];
}

function isProbed(operations: OperationsOf): operations is Probed {
  return operations.probe !== undefined;
}

function questionsAt(client: Client, scope: Scope): Question[] {
  const phases = phasesOf(scope).map((phase) => ({
    subject: phase,
    ask: () => client.rulesets.findEntrypoint(scope, phase),
  }));
  const kinds = operationsAt(scope.level).map(({ probe: { subject, read } }) => ({
    subject,
    ask: () => read(client, scope),
  }));
  return [...kinds, ...phases];
}

function phasesOf({ level }: Scope): string[] {
  return Object.entries(phases).flatMap(([phase, { levels }]) => (levels.includes(level) ? [phase] : []));
}

async function checkPermissions(name: string, questions: readonly Question[]): Promise<readonly CheckResult[]> {
  const readable = await Promise.all(questions.map((question) => checkPermission(question, `${name}: read`)));
  const next = "`rulesets:dryRun` has the service judge the writes of a preview";
  return [
    ...grouped(readable, `${name}: read`),
    { area: "permissions", status: "unknown", subject: `${name}: write`, found: "not checked", next },
  ];
}

/**
 * A refusal for any reason other than permissions counts as permitted, because the service evaluated the request. What it says not to
 * exist may be hidden from these credentials.
 */
async function checkPermission({ subject, ask }: Question, group: string): Promise<CheckResult> {
  const allowed = { area: "permissions", status: "ok", subject: group, found: subject } as const;
  try {
    await ask();
    return allowed;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const line = { area: "permissions", subject: `${group} ${subject}` } as const;
    if (error.code === "API_FORBIDDEN" || error.code === "API_UNAUTHORIZED")
      return { ...line, status: "warning", ...splitHint(error) };
    return isAboutTheRequest(error) && error.code !== "API_NOT_FOUND"
      ? allowed
      : { ...line, status: "unknown", found: error.message };
  }
}

/** Everything that is allowed in one line; each other result on a line of its own. */
function grouped(lines: readonly CheckResult[], subject: string): readonly CheckResult[] {
  const allowed = lines.filter(({ status }) => status === "ok").map(({ found }) => found);
  const others = lines.filter(({ status }) => status !== "ok");
  return allowed.length === 0
    ? others
    : [{ area: "permissions", status: "ok", subject, found: allowed.join(", ") }, ...others];
}
