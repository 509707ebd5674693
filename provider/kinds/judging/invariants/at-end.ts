import { fails, type ZoneVerdict } from "../../../../invariants/judge.js";
import { invariantWords, reasonLines, verdictWords } from "../../../../invariants/words.js";
import { stateOfKind } from "../../../engine/kind.js";
import type { StackResource } from "../../../engine/predecessors.js";
import type { Session } from "../../../engine/session.js";
import { RulesetsError } from "../../../model/errors.js";
import { isObserved } from "../../../model/ruleset.js";
import { textOf } from "../../../model/json.js";
import { NO_RULES } from "../../../rules/keyed.js";
import { PHASE_ENTRYPOINT, RULESET } from "../../rulesets/description.js";
import { desiredFrom } from "../../rulesets/desired.js";
import { RULESET_RULE } from "../../rulesets/rule/description.js";
import { desiredList } from "../../rulesets/single-rule.js";
import type { DeclaredRuleset } from "./declared.js";
import { judgeChange, judgeZone, type ZoneState } from "./judge.js";
import { invariantsOfRun } from "./run.js";

/**
 * Judges, when a preview has seen every resource of the program, the zones that were not in order for some resource, and those that
 * a resource leaves which is no longer in the program.
 * @throws RulesetsError INVARIANT_VIOLATED
 */
export async function requireInvariants(session: Session): Promise<void> {
  if (session.previewChecks === "off") return;
  const run = session.part(invariantsOfRun);
  const removed = ((await session.predecessors.all()) ?? []).flatMap(({ type, state }) =>
    session.checked.has(textOf(state.__urn)) ? [] : (removedRuleset(type, state) ?? []),
  );
  const left = removed.flatMap(({ desired: { target } }) => (target.scope.level === "zones" ? [target.scope.id] : []));
  // What takes over a ruleset comes after the resource that leaves it.
  const resources = [...removed, ...run.declared.values()];
  const failures: string[] = [];
  for (const id of new Set([...run.open, ...left]))
    failures.push(...(await failuresIn(session, id, resources, "with everything that the program declares")));
  run.open.clear();
  if (failures.length > 0)
    throw new RulesetsError(session.secrets.hide(failures.join("\n")), { code: "INVARIANT_VIOLATED" });
}

/** Whether zones are not in order for some resource that was checked. */
export function hasOpenZones(session: Session): boolean {
  return session.part(invariantsOfRun).open.size > 0;
}

/**
 * Reports, at the end of a preview of which nobody has said how many resources it has, the zones that were not in order for some
 * resource and still are not with all that were checked. The preview has ended, so that an error can only be shown.
 */
export async function reportOpenZones(session: Session): Promise<void> {
  const run = session.part(invariantsOfRun);
  const resources = [...run.declared.values()];
  for (const id of run.open)
    for (const text of await failuresIn(session, id, resources, "with everything that this run has seen"))
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
  if (removed?.desired.target.scope.level !== "zones") return;
  const before = [...session.part(invariantsOfRun).declared.values()];
  const { id } = removed.desired.target.scope;
  const change = await judgeChange(session, id, { before, after: [removed, ...before] });
  const worse = change.verdicts.filter((one, index) => one.verdict !== change.before[index]?.verdict);
  const failures = failureTexts(session, { verdicts: worse, known: change.known }, "without this resource");
  if (failures.length > 0)
    throw new RulesetsError(session.secrets.hide(failures.join("\n")), { code: "INVARIANT_VIOLATED" });
}

/** What is left of a ruleset once its resource is deleted: none of its rules. Undefined if they are kept. */
function removedRuleset(type: string, state: StackResource["state"]): DeclaredRuleset | undefined {
  if (state.onDelete === "keep" || isObserved(state)) return undefined;
  if (type === RULESET_RULE.type) {
    const rule = stateOfKind(RULESET_RULE, state);
    if (rule === undefined) return undefined;
    const desired = desiredList(rule);
    return {
      desired: { ...desired, rules: NO_RULES },
      lastRefs: desired.rules?.order ?? [],
      rulesetId: rule.rulesetId,
    };
  }
  const description = [PHASE_ENTRYPOINT, RULESET].find((one) => one.type === type);
  const list = description === undefined ? undefined : stateOfKind(description, state);
  if (list === undefined) return undefined;
  const { rules } = desiredFrom(list);
  return { desired: desiredFrom(list, NO_RULES), lastRefs: rules?.order ?? [], rulesetId: list.rulesetId };
}

/** @param what is judged, for messages */
async function failuresIn(
  session: Session,
  zoneId: string,
  resources: readonly DeclaredRuleset[],
  what: string,
): Promise<readonly string[]> {
  return failureTexts(session, await judgeZone(session, zoneId, resources), what);
}

function failureTexts(session: Session, { verdicts, known }: ZoneState, what: string): readonly string[] {
  return verdicts
    .filter(({ verdict }) => fails(verdict, session.invariantsUnknown === "warn"))
    .map((one) => failureText(one, one.verdict === "unknown" ? known.notKnown : [], what));
}

function failureText(one: ZoneVerdict, notKnown: readonly string[], what: string): string {
  const { invariant, zone, verdict } = one;
  const lines = [invariantWords(invariant), ...reasonLines(one), ...notKnown].map((line) => `\n  ${line}`).join("");
  return `${what}, the invariant "${invariant.name}" is ${verdictWords(verdict)} in ${zone.label}:${lines}`;
}
