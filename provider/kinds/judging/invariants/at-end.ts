import { fails } from "../../../../invariants/judge.js";
import { stateOfKind } from "../../../engine/kind.js";
import type { Waiting } from "../../../engine/kind-parts.js";
import type { StackResource } from "../../../engine/predecessors.js";
import { warnIn, type Warn } from "../../../engine/reporter.js";
import type { Session } from "../../../engine/session.js";
import { RulesetsError } from "../../../model/errors.js";
import { isObserved } from "../../../model/ruleset.js";
import { textOf } from "../../../model/json.js";
import { NO_RULES } from "../../../rules/keyed.js";
import { PHASE_ENTRYPOINT, RULESET } from "../../rulesets/description.js";
import { desiredFrom } from "../../rulesets/desired.js";
import { RULESET_RULE } from "../../rulesets/rule/description.js";
import { desiredList } from "../../rulesets/single-rule.js";
import { upgrade } from "../../rulesets/package-states.js";
import type { DeclaredRuleset } from "./declared.js";
import { zonesOfRules } from "./account-zones.js";
import { judgeChanges, judgeWith, type ZoneState } from "./judge.js";
import { failuresInNewZones } from "./in-new-zones.js";
import { partsOfZones } from "./new-zones.js";
import { invariantsOfRun } from "./run.js";
import { verdictTexts, WHOLE } from "./words.js";

/**
 * Judges, when a preview has seen every resource of the program, the zones that were not in order for some resource, and those that
 * a resource leaves which is no longer in the program.
 * @throws RulesetsError INVARIANT_VIOLATED
 */
export async function requireInvariants(session: Session, warn = warnIn(session.reporter)): Promise<void> {
  if (session.previewChecks === "off") return;
  const run = session.part(invariantsOfRun);
  const { stack, removed, resources, notRead } = await declaredAndRemoved(session);
  const left = await Promise.all(removed.map(({ desired: { target } }) => zonesOfRules(session, target.scope)));
  const notJudged = [...notRead, ...left.flatMap((one) => ("notJudged" in one ? [one.notJudged] : []))];
  const failures = [...unknownTexts(session, notJudged, warn)];
  const ids = new Set([...run.open, ...left.flatMap((one) => ("ids" in one ? one.ids : []))]);
  failures.push(...failureTexts(session, await judgeWith(session, [...ids], resources), WHOLE));
  if (run.hasNewZone) {
    const parts = partsOfZones(session, run.declared, stack);
    failures.push(...(await failuresInNewZones(session, { parts, declared: resources, warn })));
  }
  run.open.clear();
  stopAt(session, failures);
}

/** What the whole program makes of its zones: what it declares, and what resources leave that it no longer has. */
async function declaredAndRemoved(session: Session) {
  const stack = await session.predecessors.all();
  const removed = removedFrom(session, stack ?? []);
  // What takes over a ruleset comes after the resource that leaves it.
  const resources = [...removed, ...session.part(invariantsOfRun).declared.values()];
  return { stack, removed, resources, notRead: stack === undefined ? [STATE_NOT_READ] : [] };
}

/** What cannot be judged fails, unless the settings say that it is a warning. */
function unknownTexts({ invariantsUnknown }: Session, texts: readonly string[], warn: Warn): readonly string[] {
  if (invariantsUnknown !== "warn") return texts;
  texts.forEach(warn);
  return [];
}

/** What resources leave of their rulesets that are in the stack and that this run has not seen. */
function removedFrom(session: Session, stack: readonly StackResource[]): readonly DeclaredRuleset[] {
  return stack.flatMap((resource) => {
    if (session.checked.has(textOf(resource.state.__urn)) || session.predecessors.isOthers(resource)) return [];
    return removedRuleset(resource.type, resource.state) ?? [];
  });
}

const STATE_NOT_READ =
  "invariants are not judged without the resources that leave the program, because the state of the stack could not be read. " +
  "To continue: run the preview again, or set `rulesets:invariantsUnknown: warn`, which makes this a warning";
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
 * Judges, when an update has checked every resource of the program, the zones that were not in order for some of them: a preview does
 * not know zones whose IDs come from what it does not create.
 * @throws RulesetsError INVARIANT_VIOLATED
 */
export async function requireOpenZones(session: Session): Promise<void> {
  const { open } = session.part(invariantsOfRun);
  if (session.previewChecks === "off" || open.size === 0) return;
  const { resources, notRead } = await declaredAndRemoved(session);
  const failures = failureTexts(session, await judgeWith(session, [...open], resources), WHOLE);
  stopAt(session, [...unknownTexts(session, notRead, warnIn(session.reporter)), ...failures]);
}

/**
 * Reports, at the end of a preview of which nobody has said how many resources it has, the zones that were not in order for some
 * resource and still are not with all that were checked. The preview has ended, so that an error can only be shown.
 */
export async function reportOpenZones(session: Session): Promise<void> {
  if (session.previewChecks === "off") return;
  const { open, declared } = session.part(invariantsOfRun);
  const states = await judgeWith(session, [...open], [...declared.values()]);
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
    ...unknownTexts(session, "notJudged" in zones ? [zones.notJudged] : [], warnIn(session.reporter)),
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
  const list = description === undefined ? undefined : stateOfKind(description, upgrade(state));
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

/** @throws RulesetsError INVARIANT_VIOLATED if there are failures */
function stopAt({ secrets }: Session, failures: readonly string[]): void {
  if (failures.length > 0) throw new RulesetsError(secrets.hide(failures.join("\n")), { code: "INVARIANT_VIOLATED" });
}
