import type { ZoneVerdict } from "../../../../invariants/judge.js";
import { groupVerdicts } from "../../../../invariants/words.js";
import { declaredLists, type JudgeList } from "../../../engine/declared-lists.js";
import { readInCheck, type Request } from "../../../engine/request.js";
import type { Session } from "../../../engine/session.js";
import { messageOf } from "../../../model/errors.js";
import type { Scope } from "../../../model/ids.js";
import { hasUnknown, isUnknown } from "../../../model/unknown.js";
import { joinNames } from "../../../model/words.js";
import { ruleEntries } from "../../../rules/keyed.js";
import { failure, joinFindings, NO_FINDINGS, warning, type Findings } from "../../../validation/failure.js";
import { hasSameRules } from "../../rulesets/desired.js";
import type { CheckedResource } from "../../rulesets/judge.js";
import { zonesOfRules } from "./account-zones.js";
import { judgeChanges, type JudgedChange } from "./judge.js";
import { invariantsOfRun, type InvariantsOfRun } from "./run.js";
import { reasons, subject } from "./words.js";

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
  const mayBePreview = preview || session.mayBePreview(urn);
  const isSame = last !== undefined && hasSameRules(desired, last);
  if (!mayBePreview && isSame && !usesOtherItems(session, urn)) return NO_FINDINGS;
  if (session.previewChecks === "off")
    return open(session, "invariants cannot be judged, because previewChecks is off");
  return judged(request, async () => {
    if (isUnknown(scope.id)) return createdWith(run, scope);
    const zones = await zonesOfRules(session, scope);
    if ("notJudged" in zones) return open(session, zones.notJudged);
    const after = Array.from(run.declared.values());
    const before = Array.from(run.declared).flatMap(([one, ruleset]) => (one === urn ? [] : [ruleset]));
    const changes = await judgeChanges(session, zones.ids, { before, after });
    // What is not known before `pulumi up` is judged then.
    const isPending = desired.rules === undefined || hasUnknown(ruleEntries(desired.rules));
    return findingsOf(changes, { session, isSame, isPending });
  });
}

/** Rules of a zone or an account that the program creates. */
function createdWith(run: InvariantsOfRun, { level }: Scope): Findings {
  if (level === "accounts")
    return warning(
      [],
      "invariants are not judged for this resource, because its account does not exist yet; `pulumi up` judges them",
    );
  run.hasNewZone = true;
  return NO_FINDINGS;
}

/**
 * Whether a run may write other items to a list that a resource uses: the preview may not have known them. That also holds while only the
 * new items of the list are known, before its old ones are.
 */
function usesOtherItems(session: Session, urn: string): boolean {
  const declared = session.part(declaredLists);
  return [...declared.usesOf(urn)].some((name) => declared.named(name).some(({ before, after }) => before !== after));
}

function causeOf(lists: readonly string[], isSame: boolean): string {
  if (lists.length === 0) return "this change";
  return isSame ? `the change of ${joinNames(lists)}` : `this change and that of ${joinNames(lists)}`;
}

/** Judges zones again when a list is checked after rules that use it, as where nothing links them to it. */
function watchedLists(session: Session): true {
  const run = session.part(invariantsOfRun);
  const judge: JudgeList = async ({ accountId, name }, request) => {
    const zones = [...run.lists].flatMap(([id, one]) =>
      one.accountId === accountId && one.names.includes(name) ? [id] : [],
    );
    return judged({ ...request, session }, async () => {
      const resources = Array.from(run.declared.values());
      const changes = await judgeChanges(session, zones, { before: resources, after: resources });
      const changed = changes.filter(({ lists }) => lists.length > 0);
      return findingsOf(changed, { session, cause: `the items of $${name}`, isPending: false });
    });
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
  /** What was changed, after "with". @default the rules, and the lists with other items */
  readonly cause?: string;
  /** Whether the rules stay as they are. */
  readonly isSame?: boolean;
  readonly isPending: boolean;
}

/** A verdict with how it came to be. */
interface Judged extends ZoneVerdict {
  readonly before: ZoneVerdict["verdict"] | undefined;
  readonly known: JudgedChange["known"];
  readonly cause: string;
}

function findingsOf(changes: readonly JudgedChange[], judging: Judging): Findings {
  const found = changes.flatMap(({ verdicts, before, known, lists }) =>
    verdicts.map((after, index): Judged => {
      const cause = judging.cause ?? causeOf(lists, judging.isSame === true);
      return { ...after, before: before[index]?.verdict, known, cause };
    }),
  );
  const open = found.filter(({ verdict }) => verdict !== "proved" && verdict !== "excepted");
  const [anyway, changed] = [open.filter(isAnyway), open.filter((one) => !isAnyway(one))];
  return joinFindings([
    ...groupVerdicts(anyway.filter((one) => noteOpen(judging.session, one))).map(anywayFinding),
    ...groupVerdicts(changed).map((group) => changedFinding(group, judging)),
  ]);
}

/** Whether the zone is not in order also without the change. */
function isAnyway({ before, verdict }: Judged): boolean {
  return before === verdict;
}

/** Notes that a zone is not in order. Returns whether this run has not said so yet. */
function noteOpen(session: Session, { invariant, zone, verdict }: Judged): boolean {
  const { open, said } = session.part(invariantsOfRun);
  open.add(zone.zone.id ?? "");
  const text = JSON.stringify([invariant.name, zone.zone.id, verdict]);
  const isNew = !said.has(text);
  said.add(text);
  return isNew;
}

function anywayFinding(group: readonly Judged[]): Findings {
  return warning([], `${subject(group)}, also without this resource:${reasons(group, notKnownIn(group))}`);
}

/** What is not known of the zones of verdicts for the same reason. */
function notKnownIn([first]: readonly Judged[]): readonly string[] {
  return first?.known.notKnown ?? [];
}

function changedFinding(group: readonly Judged[], { session, isPending }: Judging): Findings {
  const [first] = group;
  if (first === undefined) return NO_FINDINGS;
  const why = reasons(group, notKnownIn(group));
  const text = `with ${first.cause}, ${subject(group)}:${why}`;
  if (first.verdict === "violated") return failure([], text);
  const { known } = first;
  if (known.isLater) for (const { zone } of group) session.part(invariantsOfRun).open.add(zone.zone.id ?? "");
  const isJudgedAgain = isPending || known.isLater || known.isPending;
  return isJudgedAgain ? warning([], `${subject(group)} yet:${why}`) : open(session, text);
}

/** What cannot be judged fails, unless the settings say otherwise. */
function open({ invariantsUnknown }: Session, text: string): Findings {
  return invariantsUnknown === "warn" ? warning([], text) : failure([], text);
}
