import { fails, type ZoneVerdict } from "../../../../invariants/judge.js";
import { groupVerdicts } from "../../../../invariants/words.js";
import { stateOfKind } from "../../../engine/kind.js";
import type { Waiting } from "../../../engine/kind-parts.js";
import type { StackResource } from "../../../engine/predecessors.js";
import type { Session } from "../../../engine/session.js";
import { RulesetsError } from "../../../model/errors.js";
import { isObserved } from "../../../model/ruleset.js";
import { textOf } from "../../../model/json.js";
import { joinNames } from "../../../model/words.js";
import { isUnknown } from "../../../model/unknown.js";
import { NO_RULES } from "../../../rules/keyed.js";
import { PHASE_ENTRYPOINT, RULESET } from "../../rulesets/description.js";
import { desiredFrom } from "../../rulesets/desired.js";
import { RULESET_RULE } from "../../rulesets/rule/description.js";
import { desiredList } from "../../rulesets/single-rule.js";
import { stateOfRuleset } from "../../rulesets/stack-states.js";
import type { DeclaredRuleset } from "./declared.js";
import { zonesOfRules } from "./account-zones.js";
import { judgeAll, judgeChanges, judgeWith, type ZoneState } from "./judge.js";
import { partsOfZones, possibleZones, type Part, type PossibleZone } from "./new-zones.js";
import { invariantsOfRun } from "./run.js";
import { reasons, subject } from "./words.js";

/**
 * Judges, when a preview has seen every resource of the program, the zones that were not in order for some resource, and those that
 * a resource leaves which is no longer in the program.
 * @throws RulesetsError INVARIANT_VIOLATED
 */
export async function requireInvariants(session: Session): Promise<void> {
  if (session.previewChecks === "off") return;
  const run = session.part(invariantsOfRun);
  const stack = await session.predecessors.all();
  const removed = removedFrom(session, stack ?? []);
  // What takes over a ruleset comes after the resource that leaves it.
  const resources = [...removed, ...run.declared.values()];
  const left = await Promise.all(removed.map(({ desired: { target } }) => zonesOfRules(session, target.scope)));
  const notJudged = [
    ...(stack === undefined ? [STATE_NOT_READ] : []),
    ...left.flatMap((one) => ("tooMany" in one ? [one.tooMany] : [])),
  ];
  if (session.invariantsUnknown === "warn") for (const text of notJudged) session.reporter.warn(undefined, text);
  const failures = session.invariantsUnknown === "warn" ? [] : notJudged;
  const ids = new Set([...run.open, ...left.flatMap((one) => ("ids" in one ? one.ids : []))]);
  failures.push(...failureTexts(session, await judgeWith(session, [...ids], resources), WHOLE));
  if (run.hasNewZone) {
    const parts = partsOfZones(session, run.declared, stack);
    failures.push(...(await failuresInNewZones(session, parts, resources)));
  }
  run.open.clear();
  stopAt(session, failures);
}

/** What resources leave of their rulesets that are in the stack and that this run has not seen. */
function removedFrom(session: Session, stack: readonly StackResource[]): readonly DeclaredRuleset[] {
  return stack.flatMap((resource) => {
    if (session.checked.has(textOf(resource.state.__urn)) || session.predecessors.isOthers(resource)) return [];
    return removedRuleset(resource.type, resource.state) ?? [];
  });
}

/** What zones violate that the program creates: they have no rules but those of their account and of the program. */
async function failuresInNewZones(
  session: Session,
  parts: readonly Part[],
  declared: readonly DeclaredRuleset[],
): Promise<readonly string[]> {
  const unsure = parts.flatMap(({ zone, resources }) => (zone === undefined ? resources : []));
  if (unsure.length > 0) session.reporter.warn(undefined, notKnownText(unsure));
  const zones = possibleZones(parts);
  if (zones === undefined) {
    session.reporter.warn(undefined, TOO_MANY);
    return [];
  }
  const others = declared.filter(({ desired }) => !isUnknown(desired.target.scope.id));
  const judged = await judgeAll(
    session,
    zones.map((one) => ({ ...one, resources: [...others, ...one.parts.flatMap(({ resources }) => resources)] })),
  );
  const alone = judged.filter((one) => one.parts.length === 1);
  const violated = alone.map((one) => only(one, (each) => isCertain(each, one, judged)));
  const open = judged.map((one) => only(one, (each) => fails(each.verdict, false) && !isCertain(each, one, judged)));
  const isSure = alone.length === judged.length;
  const texts = isSure ? verdictTexts(open, NEW_ZONE) : open.flatMap((one) => verdictTexts([one], onlyWords(one)));
  for (const text of texts) session.reporter.warn(undefined, `${text}\n  \`pulumi up\` judges it`);
  return verdictTexts(violated, WHOLE);
}

type Judged = PossibleZone & ZoneState;

function only(one: Judged, isMeant: (verdict: ZoneVerdict) => boolean): Judged {
  return { ...one, verdicts: one.verdicts.filter(isMeant) };
}

/** Whether a new zone violates an invariant with whatever else may be in it. */
function isCertain({ invariant, verdict }: ZoneVerdict, { id }: PossibleZone, all: readonly Judged[]): boolean {
  const isViolated = ({ verdicts }: Judged): boolean =>
    verdicts.some((one) => one.invariant === invariant && one.verdict === "violated");
  return verdict === "violated" && all.every((one) => one.id !== id || isViolated(one));
}

const STATE_NOT_READ =
  "invariants are not judged without the resources that leave the program, because the state of the stack could not be read. " +
  "To continue: run the preview again, or set `rulesets:invariantsUnknown: warn`, which makes this a warning";
const TOO_MANY =
  "invariants are not judged in the zones that this run creates, because it cannot be told which rules are of one zone, and there are " +
  "too many possibilities; `pulumi up` judges them. To continue: pass the `id` of the zone's resource as `zoneId`";
const WHOLE = "with everything that the program declares";
const NEW_ZONE = "with the rules that the program declares";

function onlyWords({ parts }: PossibleZone): string {
  return `if a new zone has only the rules of ${namesOf(parts.flatMap(({ resources }) => resources))}, which the program does not tell`;
}

function notKnownText(resources: readonly DeclaredRuleset[]): string {
  return (
    `invariants are not judged for the rules of ${namesOf(resources)}, because the ID of the zone is not known yet, and the zone may ` +
    "exist, with other rules; `pulumi up` judges them"
  );
}

function namesOf(resources: readonly DeclaredRuleset[]): string {
  return joinNames(resources.map(({ desired: { urn = "" } }) => urn.split(":").at(-1) ?? ""));
}

/**
 * What only a preview of the whole program tells about zones: one is not in order yet, or the stack has rules of resources that were
 * not checked so far, so that they may be about to go.
 */
export async function zonesWaitFor(session: Session): Promise<Waiting> {
  if (session.previewChecks === "off") return undefined;
  const { open, hasNewZone } = session.part(invariantsOfRun);
  if (open.size > 0 || hasNewZone) return "later";
  const stack = await session.predecessors.all();
  return stack === undefined || stack.some((one) => removedFrom(session, [one]).length > 0) ? "left" : undefined;
}

/**
 * Reports, at the end of a preview of which nobody has said how many resources it has, the zones that were not in order for some
 * resource and still are not with all that were checked. The preview has ended, so that an error can only be shown.
 */
export async function reportOpenZones(session: Session): Promise<void> {
  const run = session.part(invariantsOfRun);
  const resources = [...run.declared.values()];
  const states = await judgeWith(session, [...run.open], resources);
  for (const text of failureTexts(session, states, "with everything that this run has seen"))
    (session.reporter.fail ?? session.reporter.warn)(undefined, text);
}

/**
 * Judges, before a resource is deleted that an `up` no longer declares, whether its zone then violates what it does not violate with
 * the resource. A `destroy` checks no resource, and is judged by nobody.
 * @throws RulesetsError INVARIANT_VIOLATED
 */
export async function requireInvariantsWithout(session: Session, { type, state }: StackResource): Promise<void> {
  if (session.previewChecks === "off" || session.checked.size === 0 || session.checked.has(textOf(state.__urn))) return;
  const removed = removedRuleset(type, state);
  if (removed === undefined) return;
  const zones = await zonesOfRules(session, removed.desired.target.scope);
  const before = [...session.part(invariantsOfRun).declared.values()];
  const changes = await judgeChanges(session, "ids" in zones ? zones.ids : [], { before, after: [removed, ...before] });
  const worse = changes.map(({ before: was, verdicts, known }) => ({
    verdicts: verdicts.filter((one, index) => one.verdict !== was[index]?.verdict),
    known,
  }));
  const failures = [
    ...("tooMany" in zones && session.invariantsUnknown !== "warn" ? [zones.tooMany] : []),
    ...failureTexts(session, worse, "without this resource"),
  ];
  stopAt(session, failures);
}

/** What is left of a ruleset once its resource is deleted: none of its rules. Undefined if they are kept. */
function removedRuleset(type: string, state: StackResource["state"]): DeclaredRuleset | undefined {
  if (state.onDelete === "keep" || isObserved(state)) return undefined;
  if (type === RULESET_RULE.type) {
    const rule = stateOfKind(RULESET_RULE, state);
    if (rule === undefined) return undefined;
    return emptied(desiredList(rule), rule.rulesetId);
  }
  const description = [PHASE_ENTRYPOINT, RULESET].find((one) => one.type === type);
  const list = description === undefined ? undefined : stateOfRuleset(description, state);
  return list === undefined ? undefined : emptied(desiredFrom(list), list.rulesetId);
}

function emptied(desired: DeclaredRuleset["desired"], rulesetId: DeclaredRuleset["rulesetId"]): DeclaredRuleset {
  return { desired: { ...desired, rules: NO_RULES }, lastRefs: desired.rules?.order ?? [], rulesetId };
}

/** @param what is judged, for messages */
function failureTexts(session: Session, states: readonly ZoneState[], what: string): readonly string[] {
  const failed = states.map(({ verdicts, known }) => ({
    verdicts: verdicts.filter(({ verdict }) => fails(verdict, session.invariantsUnknown === "warn")),
    known,
  }));
  return verdictTexts(failed, what);
}

/** What is said of verdicts, those for the same reason together. */
function verdictTexts(states: readonly ZoneState[], what: string): readonly string[] {
  const all = states.flatMap(({ verdicts, known: { notKnown } }) => verdicts.map((one) => ({ ...one, notKnown })));
  return groupVerdicts(all).map((group) => `${what}, ${subject(group)}:${reasons(group, group[0]?.notKnown ?? [])}`);
}

/** @throws RulesetsError INVARIANT_VIOLATED if there are failures */
function stopAt({ secrets }: Session, failures: readonly string[]): void {
  if (failures.length > 0) throw new RulesetsError(secrets.hide(failures.join("\n")), { code: "INVARIANT_VIOLATED" });
}
