import { claim } from "../../../engine/claims.js";
import type { CheckRequest } from "../../../engine/kind.js";
import { isObject } from "../../../model/json.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { isUnknown, valueIfKnown } from "../../../model/unknown.js";
import type { Join } from "../../../ownership/join.js";
import { twoRefsText } from "../../../ownership/shared-messages.js";
import type { WantedRule } from "../../../rules/match.js";
import { failure, joinFindings, NO_FINDINGS, type Findings } from "../../../validation/index.js";
import type { RULESET } from "../description.js";
import { isKnownTarget, ruleKeys, targetOf, targetWords, type Desired } from "../desired.js";
import type { SharedPart } from "../plan/shared.js";
import { planJoin } from "./join.js";
import { checkPlaced } from "./unplaced.js";
import { reportJoin, refusalOfJoin, warnOfDeleters } from "./report.js";

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
      const where = targetWords(target, { name: valueIfKnown(args.name), id: rulesetId });
      return other === undefined ? NO_FINDINGS : failure(["rules", index, "ref"], twoRefsText(where, ref, other));
    }),
  );
}

/** What a new resource writes to the ruleset that it will share, and why it must not. */
export interface CheckedJoin {
  readonly part: SharedPart | undefined;
  readonly refused: Findings;
}

/** Reports what a new resource finds in the ruleset that it will share, or fails if one of its refs is in use. */
export async function checkJoin(
  { session, urn, preview }: RulesetRequest,
  desired: Desired,
  existing: Ruleset,
  join: Join | undefined,
): Promise<CheckedJoin> {
  if (join === undefined) return { part: undefined, refused: NO_FINDINGS };
  const plan = planJoin(desired, existing, join);
  const { part } = plan.compareWith(existing);
  const refusal = await refusalOfJoin(session, plan, part, existing);
  if (refusal !== undefined) return { part, refused: failure(["rules"], refusal) };
  const unplaced = checkPlaced(session, desired, part.unplaced, existing);
  if (unplaced.failures.length > 0) return { part, refused: unplaced };
  if (preview)
    warnOfDeleters(
      session,
      plan,
      join.kept.map(({ rule }) => rule),
    );
  reportJoin(session, urn, plan, { actual: existing, join });
  return { part, refused: NO_FINDINGS };
}
