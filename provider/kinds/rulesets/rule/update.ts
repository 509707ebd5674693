import { changePartialState, recordIncomplete } from "../../../engine/recover.js";
import type { Session } from "../../../engine/session.js";
import { PartialFailure, RulesetsError } from "../../../model/errors.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { confirmWritten } from "../write/in-force.js";
import { keepReleasedElsewhere } from "../released.js";
import type { RuleInputs, RuleState } from "./description.js";
import type { Desired } from "./desired.js";
import { Plan } from "./plan.js";
import { planFor, plans } from "./run.js";
import { parseState, stateFrom, withReleased, withOwnership } from "./state.js";
import { runOnRuleset } from "./ruleset.js";
import {
  conflictOfOthers,
  writtenPart,
  checkConflict,
  createEntrypoint,
  requireAnchor,
  writeAndCheck,
  type Written,
} from "./write.js";

/** Updates a rule to what the program wants. */
export async function update(session: Session, id: string, olds: RuleState, news: RuleInputs): Promise<RuleState> {
  const complete = (state: RuleState): Promise<RuleState> => keepReleasedElsewhere(session, olds, state);
  return complete(await changePartialState(() => write(session, id, olds, news), complete));
}

/** At most one read and one write, and none if nothing differs. */
async function write(session: Session, id: string, olds: RuleState, news: RuleInputs): Promise<RuleState> {
  const plan = planFor(session, olds, news);
  session.part(plans).forget(plan);
  const { desired, owned } = plan;
  if (!plan.finishes && !plan.changes) {
    const { ruleId, rulesetId, version, lastUpdated, __answer } = olds;
    const answered = { ruleId, rulesetId, version, lastUpdated, ...(__answer === undefined ? {} : { __answer }) };
    return withReleased(withOwnership({ ...news, ...answered }, owned), olds.__handedOver);
  }
  return confirmRule(session, id, { desired, inputs: news }, await writePlan(session, id, plan, news));
}

/** Compares the last response of this run with a rule that a resource now has. What is missing is written again if requested. */
export function confirmRule(
  session: Session,
  id: string,
  { desired, inputs }: { readonly desired: Desired; readonly inputs: RuleInputs },
  state: RuleState,
): Promise<RuleState> {
  const planOf = (each: RuleState): Plan => new Plan(parseState(each), desired, inputs);
  return confirmWritten(session, id, state, {
    ...writtenPart(session, desired, (each, current) => planOf(each).compareWith(current).conflict),
    again: (each) => writePlan(session, id, planOf(each), inputs),
  });
}

async function writePlan(session: Session, id: string, plan: Plan, news: RuleInputs): Promise<RuleState> {
  const { desired, owned, recorded } = plan;
  const { state: olds } = recorded;
  const { ruleset, rule, wrote, overwrote } = await recordIncomplete(id, olds, () =>
    runOnRuleset(session, desired.target, (current) => applyUpdate(session, plan, current)),
  );
  if (rule === undefined)
    throw new RulesetsError(`${desired.where}: the response does not contain the rule that was written.`, {
      code: "API_GARBLED",
    });
  const applied = wrote || plan.finishes;
  const state = withReleased(withOwnership(stateFrom(news, ruleset, rule), owned || applied), olds.__handedOver);
  if (overwrote !== undefined) throw new PartialFailure<RuleState>(id, state, overwrote);
  return state;
}

async function applyUpdate(
  session: Session,
  plan: Plan,
  ruleset: Ruleset | undefined,
): Promise<Written & { readonly wrote: boolean }> {
  const { recorded, desired } = plan;
  const { rule, conflict, op, anchorMissing } = plan.compareWith(ruleset ?? { rules: [] });
  const purpose = { operation: "change", ruleId: recorded.ruleId } as const;
  checkConflict(session, desired, conflictOfOthers(session, conflict, recorded.position, ruleset), purpose);
  requireAnchor(desired, anchorMissing, ruleset?.rules ?? []);
  if (ruleset === undefined) {
    const made = { ...desired.rule.fields, ref: recorded.ref };
    if (desired.target.rulesetId === undefined)
      return { ...(await createEntrypoint(session, desired, made)), wrote: true };
    throw new RulesetsError(`${desired.where} no longer exists at the service.`, { code: "RULESET_GONE" });
  }
  if (op === undefined) return { ruleset, rule, wrote: false };
  return { ...(await writeAndCheck(session, desired, { ...purpose, before: ruleset, op })), wrote: true };
}
