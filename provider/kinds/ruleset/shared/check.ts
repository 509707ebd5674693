import { claim } from "../../../engine/claims.js";
import type { CheckRequest } from "../../../engine/kind.js";
import { isObject } from "../../../model/json.js";
import { isUnknown, type Pending } from "../../../model/unknown.js";
import { twoRefsText } from "../../../ownership/shared-messages.js";
import type { WantedRule } from "../../../rules/match.js";
import { failure, joinFindings, NO_FINDINGS, type Findings } from "../../../validation/index.js";
import type { RULESET, RulesetInputs } from "../description.js";
import { isKnownTarget, ruleKeys, targetOf, targetWords } from "../desired.js";
import type { TakeoverPlan } from "../takeover-plan.js";
import { planJoin } from "./join.js";
import { reportJoin, refusalOf, warnOfDeleters } from "./report.js";

type RulesetRequest = CheckRequest<typeof RULESET>;

export function isShared({ wanted }: Pick<RulesetRequest, "wanted">): boolean {
  return wanted.ownership === "shared";
}

/**
 * Two resources of one program that share a ruleset must have different rules, whether their refs are set or derived. A
 * rule that is still completely unknown has no ref.
 */
export function checkRefClaims(
  { session, urn, wanted: args }: RulesetRequest,
  wanted: readonly WantedRule[],
  refs: readonly string[],
): Findings {
  const target = targetOf(args);
  const known = target.entrypoint || args.rulesetId !== undefined;
  if (!isShared({ wanted: args }) || !known || !isKnownTarget(target) || urn === "") return NO_FINDINGS;
  const rulesetId = typeof args.rulesetId === "string" ? args.rulesetId : undefined;
  return joinFindings(
    wanted.map((rule, index) => {
      const ref = refs[index];
      if (ref === undefined || ref === "" || !isObject(rule) || isUnknown(rule.ref)) return NO_FINDINGS;
      const other = claim(session, urn, ruleKeys(target, rulesetId, [ref]));
      const where = targetWords(target);
      return other === undefined ? NO_FINDINGS : failure(["rules", index, "ref"], twoRefsText(where, ref, other));
    }),
  );
}

/** Reports what a new resource finds in the ruleset that it will share, or fails if one of its refs is in use. */
export async function checkJoin(
  { session, urn, wanted, preview }: RulesetRequest,
  found: TakeoverPlan | undefined,
  /** For each of the program's rules, the index of the matching kept rule. */
  { refs, matching }: { readonly refs: readonly string[]; readonly matching: readonly (number | undefined)[] },
  inputs: Pending<RulesetInputs>,
): Promise<Findings> {
  const { existing, join } = found ?? {};
  if (existing === undefined || join === undefined) return NO_FINDINGS;
  const named = matching.flatMap((at, index) => {
    const kept = at === undefined ? undefined : join.kept[at];
    const ref = refs[index];
    return kept === undefined || ref === undefined ? [] : [{ ref, rule: kept.rule, grounds: kept.grounds }];
  });
  const plan = planJoin(wanted.kind === undefined ? "PhaseEntrypoint" : "Ruleset", inputs, existing, named);
  const { shared: part } = plan.compareWith(existing);
  const refusal = part === undefined ? undefined : await refusalOf(session, plan, part, existing);
  if (refusal !== undefined) return failure(["rules"], refusal);
  if (preview)
    warnOfDeleters(
      session,
      plan,
      join.kept.map(({ rule }) => rule),
    );
  reportJoin(session, urn, plan, { actual: existing, join });
  return NO_FINDINGS;
}
