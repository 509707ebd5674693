import { isUnknown, NOT_KNOWN } from "../../../../core/model/unknown.js";
import { NO_RULES, ruleEntries } from "../../../../core/rules/keyed.js";
import type { WantedRule } from "../../../../core/rules/match.js";
import type { Checked, CheckRequest } from "../../../engine/kind.js";
import { pathsByRule } from "../../../engine/secrets.js";
import { effectText, type Findings } from "../../../validation/index.js";
import type { RULESET } from "../description.js";
import { desiredFrom, isKnownTarget, objectKeys, positionsIn } from "../desired.js";
import type { DeclaredRules, Judges } from "../judge.js";
import { checkPositions } from "../positions.js";
import { lastWanted } from "../run.js";
import { concludeCheck, type MatchedRules, planBlindly, planCreation, type RulesInputs } from "./conclude.js";
import { checkExisting, checkRefClaims, type ExistingCheck } from "./existing.js";
import { checkedInputs, parseCheck, type RuleList, type RulesetCheck, type UnlistedRules } from "./inputs.js";
import { assignRuleRefs } from "./refs.js";

const INPUTS: RulesInputs<typeof RULESET> = {
  desiredOf: (inputs) => desiredFrom(inputs),
  fieldsOf: ({ rules }) => (rules === NOT_KNOWN ? [] : Object.values(rules)),
};

/**
 * Assigns refs to the rules, and checks what exists where a new resource will be created. Returns the inputs that the
 * engine keeps, with rules by ref.
 */
export async function check(request: CheckRequest<typeof RULESET>, judges: Judges): Promise<Checked<typeof RULESET>> {
  const checking = parseCheck(request, lastWanted(request, desiredFrom));
  const list = listIn(checking);
  const isListed = typeof list !== "string";
  const { wanted, refs, findings, ...more } = isListed ? await matchList(checking, list) : withoutList(checking, list);
  const matched = {
    inputs: checkedInputs(checking, list, refs),
    last: checking.last,
    findings: [findings, checkRefClaims(checking, wanted, refs), isListed ? checkListed(checking, refs) : []].flat(),
    ...more,
  };
  return concludeCheck(request, matched, INPUTS, judges);
}

/** The rules that the resource has by the program, and the ref of each. */
interface NamedRules extends Pick<MatchedRules<typeof RULESET>, "declared" | "plan" | "report"> {
  readonly wanted: readonly WantedRule[];
  readonly refs: readonly string[];
  readonly findings: Findings;
}

/** The list that the program gives, or why there is none. */
function listIn(checking: RulesetCheck): RuleList | UnlistedRules {
  const { wanted, keptInputs, secretPaths } = checking;
  if (wanted.rules === NOT_KNOWN) {
    reportUnknownRules(checking);
    return "unknown";
  }
  if (keptInputs.includes("rules")) return "kept";
  return { wanted: wanted.rules ?? [], secretPathsIn: pathsByRule(secretPaths) };
}

/** Says in a preview that the rules of a ruleset change, and that nothing is known of it. */
function reportUnknownRules({ preview, session, urn, olds }: RulesetCheck): void {
  if (!preview || session.ruleAnalysis === "off" || olds === undefined) return;
  session.reporter.info(urn, effectText("is not judged: the rules of this ruleset are not known before `pulumi up`"));
}

function withoutList({ olds, last, session }: RulesetCheck, rules: UnlistedRules): NamedRules {
  // No other resource of the program may have a rule that is kept.
  const kept = rules === "kept" ? ruleEntries(last?.rules ?? NO_RULES) : [];
  return {
    wanted: kept.map(({ rule }) => rule),
    refs: kept.map(({ ref }) => ref),
    findings: [],
    ...(olds === undefined ? { plan: (desired) => planBlindly(session, desired) } : {}),
  };
}

async function matchList(checking: RulesetCheck, list: RuleList): Promise<NamedRules> {
  const { session, urn, olds } = checking;
  const existing = await checkExisting(checking, list.wanted);
  const { refs, findings, notes } = await assignRuleRefs(checking, existing, list);
  return {
    wanted: list.wanted,
    refs,
    findings: [existing.findings, findings].flat(),
    declared: declaredRules(checking, existing, list, refs),
    ...(olds === undefined ? { plan: (desired) => planCreation(checking, existing, desired) } : {}),
    report: () => {
      for (const note of notes) session.reporter.warn(urn, note);
    },
  };
}

/** What judges look at. */
function declaredRules(
  checking: RulesetCheck,
  { isRead, found }: ExistingCheck,
  { wanted, secretPathsIn }: RuleList,
  refs: readonly string[],
): DeclaredRules {
  const { target, name, reach, last } = checking;
  return {
    ...{ request: checking, target, name, reach, last },
    ...{ rules: wanted, refs, secretPathsIn },
    ...{ isRead, deployed: found?.deployed, own: new Set(found?.join?.kept.map(({ rule }) => rule.id)) },
  };
}

/** Checks whether the positions of the list are consistent with its order, and with those of other resources of the program. */
function checkListed({ session, urn, wanted, target, adopts, reach }: RulesetCheck, refs: readonly string[]): Findings {
  const [ruleset] = isKnownTarget(target) ? objectKeys(target, adopts) : [];
  if (ruleset === undefined || refs.some(isUnknown)) return [];
  return checkPositions(session, ruleset, { urn, order: refs, positions: positionsIn(wanted), reach });
}
