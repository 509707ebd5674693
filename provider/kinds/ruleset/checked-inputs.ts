import type { CheckRequest } from "../../engine/kind.js";
import { keptSecrets } from "../../engine/secrets.js";
import { NOT_KNOWN, valueIfKnown, withUnknownLeaves, type Pending } from "../../model/unknown.js";
import { diffRules, isEmptyDiff } from "../../rules/diff.js";
import { keyedRules, NO_RULES, orderText, rulesByRef, rulesInForce } from "../../rules/keyed.js";
import type { RULESET, RulesetInputs } from "./description.js";
import type { Desired } from "./desired.js";
import type { RuleInputs } from "./key-rules.js";

type RulesetRequest = CheckRequest<typeof RULESET>;

/** While the list is unknown, every old rule may still be in it, so none is shown as removed. */
export function pendingRules(last: Desired | undefined): Pending<RuleInputs> {
  const rules = last?.rules ?? NO_RULES;
  return { rules: rules.order.length === 0 ? NOT_KNOWN : withUnknownLeaves(rulesByRef(rules)), order: NOT_KNOWN };
}

/** The old rules, in the old order, and the rules of others that a refresh has found among them. */
export function lastRules(olds: Pending<RulesetInputs> | undefined, last: Desired | undefined): Pending<RuleInputs> {
  const rules = last?.rules ?? NO_RULES;
  const { foreignRules, __secretPaths: secrets, __restored: restored } = olds ?? {};
  return {
    rules: rulesByRef(rules),
    order: orderText(rules.order),
    ...(foreignRules === undefined ? {} : { foreignRules }),
    ...(secrets === undefined ? {} : { __secretPaths: secrets }),
    ...(restored === undefined ? {} : { __restored: restored }),
  };
}

/** The inputs that the engine keeps: the arguments, the rules by ref, and what later runs need to know about them. */
export function checkedInputs(
  request: RulesetRequest,
  last: Desired | undefined,
  keyed: Pending<RuleInputs>,
): Pending<RulesetInputs> {
  const { rulesetId, ...args } = request.wanted;
  const secretArgs = secretArguments(request);
  const inForce = keyed.rules === NOT_KNOWN || keyed.order === NOT_KNOWN ? undefined : rulesInForce(keyed.rules);
  const adopts: Pick<Pending<RulesetInputs>, "__adopt"> = rulesetId === undefined ? {} : { __adopt: rulesetId };
  return {
    ...args,
    ...keyed,
    ...(inForce === undefined ? {} : { rulesInForce: inForce }),
    ...adopts,
    ...repairing(request, last, keyed),
    ...(secretArgs.length === 0 ? {} : { __secretArgs: secretArgs }),
  };
}

/** Names of arguments, apart from the rules, that contain a secret. */
function secretArguments(request: RulesetRequest): readonly string[] {
  const { secretPaths, olds } = request;
  const inArguments = secretPaths.flatMap(([name]) => (name === "rules" || name === undefined ? [] : [String(name)]));
  const before = (valueIfKnown(olds?.__secretArgs) ?? []).map((name) => [name]);
  const kept = keptSecrets(before, request).map(([name]) => String(name));
  return [...new Set([...inArguments, ...kept])];
}

/** Keeps the fingerprints of drifted rules until they are repaired, so that no preview shows them as added or removed. */
function repairing(
  { olds }: RulesetRequest,
  last: Desired | undefined,
  { rules, order }: Pending<RuleInputs>,
): Pick<Pending<RulesetInputs>, "__declared"> {
  const declared = olds?.__declared;
  if (declared === undefined) return {};
  const current = rules === NOT_KNOWN || order === NOT_KNOWN ? NO_RULES : keyedRules(rules, order);
  return isEmptyDiff(diffRules(last?.rules ?? NO_RULES, current)) ? {} : { __declared: declared };
}
