import type { Position } from "../../client/index.js";
import type { Session } from "../../engine/session.js";
import type { DeployedRule } from "../../model/ruleset.js";

/** By URN, the ids of rules that this run replaces by others in the same ruleset. */
const replaced = (): Map<string, string> => new Map();

/** Notes that a rule gets another ref: the new rule shall stand where the old one does. */
export function noteReplaced(session: Session, urn: string | undefined, ruleId: string): void {
  session.part(replaced).set(urn ?? "", ruleId);
}

/** Right before the rule that is replaced, where it is there still. */
export function placeOfOld(
  session: Session,
  urn: string | undefined,
  rules: readonly DeployedRule[],
): Position | undefined {
  const id = session.part(replaced).get(urn ?? "");
  return id === undefined || !rules.some((rule) => rule.id === id) ? undefined : { before: id };
}
