import type { Position } from "../../client/index.js";
import type { Session } from "../../engine/session.js";
import type { DeployedRule } from "../../model/ruleset.js";

/** By URN, the IDs of rules that this run replaces with others in the same ruleset. */
const replacedRules = (): Map<string, string> => new Map();

/** Records that a rule gets another ref: the new rule goes where the old one is. */
export function recordReplacedRule(session: Session, urn: string | undefined, ruleId: string): void {
  session.part(replacedRules).set(urn ?? "", ruleId);
}

/** The position right before the rule that is replaced; undefined if that rule no longer exists. */
export function positionOfReplacedRule(
  session: Session,
  urn: string | undefined,
  rules: readonly DeployedRule[],
): Position | undefined {
  const id = session.part(replacedRules).get(urn ?? "");
  return id === undefined || !rules.some((rule) => rule.id === id) ? undefined : { before: id };
}
