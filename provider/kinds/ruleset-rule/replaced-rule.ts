import type { Position } from "../../client/index.js";
import type { Session } from "../../engine/session.js";
import type { DeployedRule, Ruleset } from "../../model/ruleset.js";
import { ledgerOf } from "../ruleset/ledgers.js";
import type { ReleasedRule } from "../ruleset/records.js";
import type { RuleState } from "./description.js";
import { rulesetTarget, type Desired } from "./desired.js";
import { findOldState } from "./predecessor.js";

/** By URN, the states of rules that this run replaces with others in the same ruleset. */
const replacedRules = (): Map<string, RuleState> => new Map();

/** Records that a rule gets another ref: the new rule goes where the old one is. */
export function recordReplacedRule(session: Session, urn: string | undefined, state: RuleState): void {
  session.part(replacedRules).set(urn ?? "", state);
}

/** The position right before the rule that is replaced; undefined if that rule no longer exists. */
export function positionOfReplacedRule(
  session: Session,
  urn: string | undefined,
  rules: readonly DeployedRule[],
): Position | undefined {
  const { ruleId: id } = session.part(replacedRules).get(urn ?? "") ?? {};
  return id === undefined || !rules.some((rule) => rule.id === id) ? undefined : { before: id };
}

/**
 * The rule that is replaced, if the program moves it to another resource that has not written it yet, and those that the
 * replaced resource had released in the same way.
 */
export async function releasedByReplacement(
  session: Session,
  { target, urn, ref: newRef }: Desired,
  ruleset: Ruleset,
): Promise<readonly ReleasedRule[]> {
  const state =
    session.part(replacedRules).get(urn ?? "") ?? (await findOldState(session, ruleset.id, { urn, ref: newRef }));
  if (state === undefined) return [];
  const { ruleId, ref, version, __handedOver: given = [], __secretPaths: secretPaths } = state;
  const replaced = { id: ruleId, ref, version, ...(secretPaths === undefined ? {} : { secretPaths }) };
  const ledger = await ledgerOf(session, { target: rulesetTarget(target, ruleset.kind) }, ruleset.id);
  return [...given, replaced].flatMap((rule) =>
    ledger.pendingAmong([rule], { urn }).map(({ to }) => ({ ...rule, to })),
  );
}
