import { stopsRequests } from "../../../../analysis/order/actions.js";
import type { ListsEdit } from "../../../../analysis/judgement/rule-change.js";
import { compileVersions, type ProgramVersions, type RuleInput } from "../../../../simulator/index.js";
import { Responses, WHOLE_RUN } from "../../../engine/reads/responses.js";
import type { Session } from "../../../engine/session.js";
import { RulesetsError } from "../../../model/errors.js";
import type { Scope } from "../../../model/ids.js";
import { sameJson, type Json } from "../../../model/json.js";
import { isHidden, judgedRule } from "../../../model/judged-rule.js";
import { isUnknown } from "../../../model/unknown.js";
import { readRequests, type ReadRequests } from "../../../traffic/read.js";
import { replayGroups } from "../../../traffic/replay.js";
import { periodWords, replayText } from "../../../traffic/words.js";
import type { JudgedPart } from "../../../validation/index.js";

/** An edit of the rules of one resource. Secrets in rules are replaced. */
interface ReplayedRules {
  readonly scope: Scope;
  readonly phase: unknown;
  readonly before: readonly JudgedPart[];
  readonly after: readonly JudgedPart[];
  /** The lists of the account whose items are known. */
  readonly lists?: ListsEdit;
}

/** The requests of zones that this run has read, each zone's once. */
const requestsOfRun = (): Responses<ReadRequests> => new Responses(WHOLE_RUN);

/**
 * Says in a preview how many requests of the last days an edit would have treated differently, from the analytics of the zone. Edits
 * that decide about no request are left out.
 * @throws RulesetsError if analytics cannot be read and previews require an answer
 */
export async function reportReplay(session: Session, urn: string | undefined, edit: ReplayedRules): Promise<void> {
  const { replaySeconds: seconds } = session;
  const { scope, phase } = edit;
  const [before, after] = [edit.before, edit.after].map(sideOf);
  if (seconds === undefined || before === undefined || after === undefined) return;
  if (![...before.rules, ...after.rules].some(({ action }) => decides(action)) || sameJson(before.rules, after.rules))
    return;
  const why = notReplayed(session, scope, phase);
  if (why !== undefined) {
    session.reporter.info(urn, `requests are not replayed: ${why}`);
    return;
  }
  const programs = compiled(edit, before.rules, after.rules);
  if (typeof programs === "string") {
    session.reporter.info(urn, `requests are not replayed: ${programs}`);
    return;
  }
  const known = session.part(requestsOfRun);
  const isKnown = known.find(scope.id) !== undefined;
  try {
    const zone = { id: scope.id, name: `zone ${scope.id}` };
    const read = await known.read(scope.id, () =>
      readRequests(session.client, zone, { seconds, now: session.clock.now() }),
    );
    const replay = replayGroups(read.groups, { programs, zone: scope.id, now: read.period.until });
    const leftOut = [...new Set([...before.leftOut, ...after.leftOut])];
    const text = replayText({ read, replay, seconds, leftOut, queries: isKnown ? 0 : read.queries });
    session.reporter.info(urn, text);
  } catch (error) {
    if (!(error instanceof RulesetsError) || session.previewChecks === "require") throw error;
    session.reporter.warn(urn, `could not replay the requests of the last ${periodWords(seconds)}. ${error.message}`);
  }
}

/** The rules without those of which a part is hidden. */
function sideOf(parts: readonly JudgedPart[]): {
  readonly rules: readonly RuleInput[];
  readonly leftOut: readonly string[];
} {
  const [rules, leftOut]: [RuleInput[], string[]] = [[], []];
  for (const { rule } of parts) {
    const judged = judgedRule(rule, "hidden");
    if (isHidden(rule as Json)) leftOut.push(JSON.stringify(judged.ref ?? ""));
    else rules.push(judged);
  }
  return { rules, leftOut };
}

/** Whether a rule with the action may stop or redirect requests, or decide whether others do. */
function decides(action: string): boolean {
  return stopsRequests(action) || ["execute", "skip", "redirect", "serve_error"].includes(action);
}

function notReplayed(session: Session, { level, id }: Scope, phase: unknown): string | undefined {
  if (isUnknown(id)) return "the zone is not known before `pulumi up`";
  if (level === "accounts")
    return "rules of an account see the requests of many zones; `npx pulumi-rulesets rules replay --zone <zone>` replays those of one";
  if (phase === "http_ratelimit") return "analytics do not tell the order of requests, on which rate limits depend";
  if (session.previewChecks === "off") return "previewChecks is off";
  return undefined;
}

/** Both versions, each as an entry point of the zone; or why they cannot be compiled. */
function compiled(
  { scope, phase, lists = {} }: ReplayedRules,
  before: readonly RuleInput[],
  after: readonly RuleInput[],
): ProgramVersions | string {
  const place = { kind: "zone", zoneId: scope.id, phase: String(phase) };
  const side = (rules: readonly RuleInput[], known: ListsEdit["before"]) => [
    { ...place, rules, ...(known === undefined ? {} : { lists: known }) },
  ];
  try {
    return compileVersions(side(before, lists.before), side(after, lists.after));
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}
