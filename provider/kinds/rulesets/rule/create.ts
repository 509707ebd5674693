import { claim } from "../../../engine/claims.js";
import type { Session } from "../../../engine/session.js";
import { PartialFailure, RulesetsError } from "../../../model/errors.js";
import { ruleResourceId } from "../../../model/ids.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { conflictError, occupiedError } from "../../../ownership/ruleset-messages.js";
import { Rule } from "../../../rules/rule.js";
import type { RuleOp } from "../write/rule-writes.js";
import { beginCreate, noteApplied } from "../ledgers.js";
import { withReleasedElsewhere } from "../released.js";
import { planWrite } from "./comparison.js";
import type { RuleInputs, RuleState } from "./description.js";
import { ruleKeysIn } from "../desired.js";
import { desiredFrom, rulesetKeys, targetId, type Desired } from "./desired.js";
import { placeFor, positionStatus } from "../position.js";
import { releasedByReplacement, positionOfReplacedRule } from "./predecessor.js";
import { stateFrom, withReleased, withOwnership } from "./state.js";
import { decideTakeover, isOwned, type Takeover } from "./takeover.js";
import { runOnRuleset } from "./ruleset.js";
import { confirmRule } from "./update.js";
import { createEntrypoint, requireAnchor, writeAndCheck, type Written } from "./write.js";

export interface Created {
  readonly id: string;
  readonly state: RuleState;
}

/** Adds a rule to a ruleset, creating the entry point if there is none, or takes over the rule that has its ref. */
export async function create(session: Session, inputs: RuleInputs): Promise<Created> {
  const desired = desiredFrom(inputs);
  const { target, ref, urn } = desired;
  beginCreate(session, urn);
  const held = await runOnRuleset(session, target, (ruleset) =>
    ruleset === undefined ? make(session, desired) : addOrTakeOver(session, desired, ruleset),
  );
  const { ruleset, rule } = held;
  if (rule === undefined) throw missingError(desired);
  claim(session, urn, ruleKeysIn(rulesetKeys(target, ruleset), [ref, rule.id]));
  noteApplied(session, urn, [rule.id]);
  const id = ruleResourceId(targetId(target), ref);
  const open = await releasedByReplacement(session, desired, ruleset);
  const own = withReleased(withOwnership(stateFrom(inputs, ruleset, rule), held.owned), open);
  const state = await withReleasedElsewhere(session, urn, own);
  if (held.overwrote !== undefined) throw new PartialFailure<RuleState>(id, state, held.overwrote);
  return { id, state: await confirmRule(session, id, { desired, inputs }, state) };
}

/** A rule after the create, and whether a delete may remove it. */
interface Held extends Written {
  readonly owned: boolean;
}

async function make(session: Session, desired: Desired): Promise<Held> {
  const { target, position, policy, where, ref } = desired;
  if (target.rulesetId !== undefined)
    throw new RulesetsError(`there is no ${where}. Check rulesetId.`, { code: "RULESET_GONE" });
  if (policy.adopts !== undefined) throw occupiedError(`there is no rule ${policy.adopts} in ${where}.`);
  requireAnchor(desired, position !== undefined && placeFor([], position) === undefined, []);
  return { ...(await createEntrypoint(session, desired, { ...desired.rule.fields, ref })), owned: true };
}

async function addOrTakeOver(session: Session, desired: Desired, ruleset: Ruleset): Promise<Held> {
  const takeover = await decideTakeover(session, desired, ruleset);
  if (takeover.kind === "refused")
    throw takeover.conflict === true ? conflictError(takeover.reason) : occupiedError(takeover.reason);
  const op = firstWrite(session, desired, ruleset, takeover);
  const taken = takeover.kind === "taken" ? takeover : undefined;
  if (op === undefined) return { ruleset, rule: taken?.rule, owned: taken === undefined || isOwned(taken.grounds) };
  const ruleId = taken?.rule.id;
  return {
    ...(await writeAndCheck(session, desired, { before: ruleset, op, operation: "change", ruleId })),
    owned: true,
  };
}

/** The first write of a rule to an existing ruleset; undefined if a takeover needs none. */
export function firstWrite(
  session: Session,
  desired: Desired,
  ruleset: Ruleset,
  takeover: Exclude<Takeover, { readonly kind: "refused" }>,
): RuleOp | undefined {
  return takeover.kind === "free" ? addition(session, desired, ruleset) : changeOf(desired, ruleset, takeover);
}

function addition(session: Session, desired: Desired, { rules }: Ruleset): RuleOp {
  const { position, rule, ref } = desired;
  const place =
    position === undefined ? positionOfReplacedRule(session, desired.urn, rules) : placeFor(rules, position);
  requireAnchor(desired, position !== undefined && place === undefined, rules);
  return { kind: "add", rule: { ...rule.fields, ref }, ...(place === undefined ? {} : { position: place }) };
}

function changeOf(
  desired: Desired,
  { rules }: Ruleset,
  { rule }: Extract<Takeover, { kind: "taken" }>,
): RuleOp | undefined {
  const { position } = desired;
  const status = position === undefined ? "satisfied" : positionStatus(rules, rule.id, position);
  requireAnchor(desired, status === "missing", rules);
  return planWrite(
    Rule.of(rule),
    desired,
    position === undefined || status === "satisfied" ? undefined : placeFor(rules, position, rule.id),
  );
}

function missingError({ ref, where }: Desired): Error {
  return new RulesetsError(
    `${where}: the response does not contain the rule ${JSON.stringify(ref)} that was written. Run \`pulumi refresh\`, then \`pulumi up\`.`,
    { code: "API_GARBLED" },
  );
}
