import { isUnknown, valueIfKnown } from "../../../../core/model/unknown.js";
import { NO_RULES, ruleEntries } from "../../../../core/rules/keyed.js";
import type { Checked } from "../../../engine/kind.js";
import { effectText, type Findings } from "../../../validation/index.js";
import type { RULESET } from "../description.js";
import { isKnownTarget, objectKeys } from "../desired.js";
import type { Judges } from "../judge.js";
import { checkPositions } from "../positions.js";
import { concludeCheck, type MatchedRules, planBlindly, planCreation } from "./conclude.js";
import { checkExisting, checkRuleClaims } from "./existing.js";
import { checkedInputs, placeIn, type RuleList, type RulesetCheck, type UnlistedRules } from "./inputs.js";

/**
 * Assigns refs to the rules, and checks what exists where a new resource will be created. Returns the inputs that the
 * engine keeps, with rules by ref.
 */
export async function check(checking: RulesetCheck, judges: Judges): Promise<Checked<typeof RULESET>> {
  const { list } = checking;
  const matched = typeof list === "string" ? withoutList(checking, list) : await matchList(checking, list);
  return concludeCheck(checking, matched, judges);
}

function withoutList(checking: RulesetCheck, rules: UnlistedRules): MatchedRules {
  const { olds, last, session } = checking;
  if (rules === "unknown") reportUnknownRules(checking);
  // No other resource of the program may have a rule that is kept.
  const kept = rules === "kept" ? ruleEntries(last?.rules ?? NO_RULES) : [];
  const refs = kept.map(({ ref }) => ref);
  return {
    inputs: checkedInputs(checking, refs),
    findings: checkRuleClaims(
      checking,
      kept.map(({ rule }) => rule),
      refs,
    ),
    ...(olds === undefined ? { plan: (desired) => planBlindly(session, desired) } : {}),
  };
}

/** Says in a preview that the rules of a ruleset change, and that nothing is known of it. */
function reportUnknownRules({ preview, session, urn, olds }: RulesetCheck): void {
  if (!preview || session.ruleAnalysis === "off" || olds === undefined) return;
  session.reporter.info(urn, effectText("is not judged: the rules of this ruleset are not known before `pulumi up`"));
}

async function matchList(asked: RulesetCheck, list: RuleList): Promise<MatchedRules> {
  const { session, urn, olds, last } = asked;
  const existing = await checkExisting(asked, list);
  const { isRead, found } = existing;
  const { inputs, refs, findings, notes } = await asked.settle(asked, existing, list);
  // The phase of a ruleset that is given by its ID is known by now.
  const checking = { ...asked, place: placeIn(inputs) };
  const { target, name, reach } = checking.place;
  return {
    inputs,
    findings: [
      existing.findings,
      findings,
      checkRuleClaims(checking, list.wanted, refs, found),
      checkListed(checking, refs),
    ].flat(),
    declared: {
      ...{ request: asked, target, name: valueIfKnown(name), reach, last },
      ...{ rules: list.wanted, refs, secretPathsIn: list.secretPathsIn },
      ...{ isRead, deployed: found?.deployed, own: new Set(found?.join?.kept.map(({ rule }) => rule.id)) },
    },
    ...(olds === undefined ? { plan: (desired) => planCreation(asked, existing, desired) } : {}),
    report: () => {
      for (const note of notes) session.reporter.warn(urn, note);
    },
  };
}

/** Checks whether the positions of the list are consistent with its order, and with those of other resources of the program. */
function checkListed({ session, urn, place }: RulesetCheck, refs: readonly string[]): Findings {
  const { target, policy, positions, reach } = place;
  const [ruleset] = isKnownTarget(target) ? objectKeys(target, policy.adopts) : [];
  if (ruleset === undefined || refs.some(isUnknown)) return [];
  return checkPositions(session, ruleset, { urn, order: refs, positions, reach });
}
