import type { ZoneVerdict } from "../../../../invariants/judge.js";
import { invariantWords, reasonLines, verdictWords } from "../../../../invariants/words.js";
import { declaredLists, type JudgeList } from "../../../engine/declared-lists.js";
import { readInCheck, type Request } from "../../../engine/request.js";
import type { Session } from "../../../engine/session.js";
import { messageOf } from "../../../model/errors.js";
import { hasUnknown, isUnknown } from "../../../model/unknown.js";
import { joinNames } from "../../../model/words.js";
import { ruleEntries } from "../../../rules/keyed.js";
import { failure, joinFindings, NO_FINDINGS, warning, type Findings } from "../../../validation/failure.js";
import { hasSameRules } from "../../rulesets/desired.js";
import type { CheckedResource } from "../../rulesets/judge.js";
import { judgeChange, type Change } from "./judge.js";
import { invariantsOfRun } from "./run.js";

type Asking = Pick<Request, "session" | "urn" | "preview">;

/**
 * Judges whether a resource makes a zone violate invariants, given what is deployed there and what the program has declared so
 * far. What the zone violates anyway is a warning, because another resource may be about to mend it.
 */
export async function checkInvariants({ request, desired, last }: CheckedResource): Promise<Findings> {
  const { session, urn, preview } = request;
  const run = session.part(invariantsOfRun);
  session.part(watchedLists);
  const lastRefs = last?.rules === undefined ? [] : ruleEntries(last.rules).map(({ ref }) => ref);
  const { scope, rulesetId } = desired.target;
  run.declared.set(urn, { desired, lastRefs, rulesetId });
  // The plugin is not told which of the two it is, and asks in both.
  const mayBePreview = preview || session.checked.get(urn)?.provisional === true;
  const isSame = last !== undefined && hasSameRules(desired, last);
  if (!mayBePreview && isSame && !usesOtherItems(session, urn)) return NO_FINDINGS;
  if (scope.level !== "zones")
    return notJudged("they are about zones: those for which the program declares rules are judged");
  if (isUnknown(scope.id)) return notJudged("its zone does not exist yet; `pulumi up` judges them");
  if (session.previewChecks === "off")
    return open(session, "invariants cannot be judged, because previewChecks is off");
  return judged(request, async () => {
    const after = Array.from(run.declared.values());
    const before = Array.from(run.declared).flatMap(([one, ruleset]) => (one === urn ? [] : [ruleset]));
    const change = await judgeChange(session, scope.id, { before, after });
    // What is not known before `pulumi up` is judged then.
    const isPending = desired.rules === undefined || hasUnknown(ruleEntries(desired.rules));
    return findingsOf(change, { session, cause: causeOf(change, isSame), isPending });
  });
}

/** Whether a run writes other items to a list that a resource uses: the preview may not have known them. */
function usesOtherItems(session: Session, urn: string): boolean {
  const declared = session.part(declaredLists);
  return [...declared.usesOf(urn)].some((name) =>
    declared.named(name).some(({ before, after }) => before !== undefined && before !== after),
  );
}

function causeOf({ lists }: Change, isSame: boolean): string {
  if (lists.length === 0) return "this change";
  return isSame ? `the change of ${joinNames(lists)}` : `this change and that of ${joinNames(lists)}`;
}

/** Judges zones again when a list is checked after rules that use it, as where nothing links them to it. */
function watchedLists(session: Session): true {
  const run = session.part(invariantsOfRun);
  const judge: JudgeList = async ({ accountId, name }, request) => {
    const zones = [...run.lists].filter(([, one]) => one.accountId === accountId && one.names.includes(name));
    const found = zones.map(([id]) =>
      judged({ ...request, session }, async () => {
        const resources = Array.from(run.declared.values());
        const change = await judgeChange(session, id, { before: resources, after: resources });
        return change.lists.length === 0
          ? NO_FINDINGS
          : findingsOf(change, { session, cause: `the items of $${name}`, isPending: false });
      }),
    );
    return joinFindings(await Promise.all(found));
  };
  session.part(declaredLists).onCheck(judge);
  return true;
}

async function judged(request: Asking, judge: () => Promise<Findings>): Promise<Findings> {
  try {
    if (request.session.part(invariantsOfRun).invariants.length === 0) return NO_FINDINGS;
  } catch (error) {
    return failure([], `rulesets:invariants: ${messageOf(error)}`);
  }
  const read = await readInCheck(request, "invariants", judge);
  return read.isRead ? read.value : read.findings;
}

interface Judging {
  readonly session: Session;
  /** What was changed, after "with". */
  readonly cause: string;
  readonly isPending: boolean;
}

function findingsOf(change: Change, judging: Judging): Findings {
  return joinFindings(change.verdicts.map((after, index) => findingOf(change.before[index], after, change, judging)));
}

function findingOf(
  before: ZoneVerdict | undefined,
  after: ZoneVerdict,
  { known }: Change,
  { session, cause, isPending }: Judging,
): Findings {
  const { invariant, zone, verdict } = after;
  if (verdict === "proved" || verdict === "excepted") return NO_FINDINGS;
  const run = session.part(invariantsOfRun);
  const text = `the invariant "${invariant.name}" is ${verdictWords(verdict)} in ${zone.label}`;
  const reasons = [...reasonLines(after), ...(verdict === "unknown" ? known.notKnown : [])];
  const lines = [invariantWords(invariant), ...reasons].map((line) => `\n  ${line}`).join("");
  if (before?.verdict === verdict) {
    run.open.add(zone.zone.id ?? "");
    if (run.said.has(text)) return NO_FINDINGS;
    run.said.add(text);
    return warning([], `${text}, also without this resource:${lines}`);
  }
  if (verdict === "violated") return failure([], `with ${cause}, ${text}:${lines}`);
  if (known.isLater) run.open.add(zone.zone.id ?? "");
  const isJudgedAgain = isPending || known.isLater || known.isPending;
  return isJudgedAgain ? warning([], `${text} yet:${lines}`) : open(session, `with ${cause}, ${text}:${lines}`);
}

/** What cannot be judged fails, unless the settings say otherwise. */
function open({ invariantsUnknown }: Session, text: string): Findings {
  return invariantsUnknown === "warn" ? warning([], text) : failure([], text);
}

function notJudged(why: string): Findings {
  return warning([], `invariants are not judged for this resource, because ${why}`);
}
