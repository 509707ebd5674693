import { orIncomplete } from "../../engine/recover.js";
import type { Session } from "../../engine/session.js";
import { PartialFailure, RulesetsError } from "../../model/errors.js";
import type { Ruleset } from "../../model/ruleset.js";
import type { RuleInputs, RuleState } from "./description.js";
import { desiredFrom, type Desired } from "./desired.js";
import { changes, compareRule } from "./plan.js";
import { seenIn, stateFrom, withOwnership, type Seen } from "./state.js";
import { onRuleset } from "./turn.js";
import { checkConflict, makeEntrypoint, requireAnchor, write, type Written } from "./write.js";

/** Updates a rule to what the program wants: at most one read and one write, and none if nothing differs. */
export async function update(session: Session, id: string, olds: RuleState, news: RuleInputs): Promise<RuleState> {
  const seen = seenIn(olds);
  const desired = desiredFrom(news);
  const takesOwnership = desired.policy.onExisting === "adopt";
  const owned = olds.__takenOver !== true || takesOwnership;
  if (olds.__incomplete !== true && !changes(seen, desired, news)) {
    const { ruleId, rulesetId, version, lastUpdated, __answer } = olds;
    const answered = { ruleId, rulesetId, version, lastUpdated, ...(__answer === undefined ? {} : { __answer }) };
    return withOwnership({ ...news, ...answered }, owned);
  }
  const { ruleset, rule, wrote, overwrote } = await orIncomplete(id, olds, () =>
    onRuleset(session, desired.target, (now) => applyUpdate(session, seen, desired, now)),
  );
  if (rule === undefined)
    throw new RulesetsError(`${desired.where}: the service answered without the rule that was written.`, {
      code: "API_GARBLED",
    });
  const landed = wrote || olds.__incomplete === true;
  const state = withOwnership(stateFrom(news, ruleset, rule), owned || landed);
  if (overwrote !== undefined) throw new PartialFailure<RuleState>(id, state, overwrote);
  return state;
}

async function applyUpdate(
  session: Session,
  seen: Seen,
  desired: Desired,
  ruleset: Ruleset | undefined,
): Promise<Written & { readonly wrote: boolean }> {
  const { rule, conflict, op, anchorMissing } = compareRule(seen, desired, ruleset ?? { rules: [] });
  const purpose = { doing: "change", ruleId: seen.ruleId } as const;
  checkConflict(session, desired, conflict, purpose);
  requireAnchor(desired, anchorMissing, ruleset?.rules ?? []);
  if (ruleset === undefined) {
    const made = { ...desired.rule.fields, ref: seen.ref };
    if (desired.target.rulesetId === undefined)
      return { ...(await makeEntrypoint(session, desired, made)), wrote: true };
    throw new RulesetsError(`${desired.where} no longer exists at the service.`, { code: "RULESET_GONE" });
  }
  if (op === undefined) return { ruleset, rule, wrote: false };
  return { ...(await write(session, desired, { ...purpose, before: ruleset, op })), wrote: true };
}
