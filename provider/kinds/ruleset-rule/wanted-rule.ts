import type { Session } from "../../engine/session.js";
import { isUnknown } from "../../model/unknown.js";
import { declareRules } from "../ruleset/ledgers.js";
import { isKnownTarget, rulesetTarget, type Desired } from "./desired.js";

/** Records a rule that a resource is to have. */
export function declareRule(
  session: Session,
  { target, urn, ref, rule }: Desired,
  found: { readonly id: string; readonly kind: string } | undefined,
): void {
  if (isUnknown(ref) || !isKnownTarget(target)) return;
  const rules = { rules: { [ref]: rule }, order: [ref] };
  declareRules(session, { target: rulesetTarget(target, found?.kind), urn }, found?.id ?? target.rulesetId, rules);
}
