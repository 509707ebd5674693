import { diffRules, NO_DIFFERENCE, type RulesDiff } from "../../../core/rules/diff.js";
import { NO_RULES } from "../../../core/rules/keyed.js";
import { summaryLine } from "../../../core/rules/summary.js";
import type { PreviewPlan } from "../../engine/preview-plan.js";
import { planUp } from "../../engine/published-plans.js";
import type { Desired } from "../rulesets/desired.js";
import type { Judge } from "../rulesets/judge.js";
import type { Change } from "../rulesets/plan/change.js";
import { interleavingOf } from "../rulesets/plan/preview.js";
import { rulesBefore } from "../rulesets/plan/preview.js";

/** How many rules of a list change, and where they run among those of others: the engine's own diff shows all of a single rule. */
export const summary: Judge = {
  checked: (resource) => {
    const { request, change } = resource;
    // What is desired is parsed when it is asked for.
    if (request.preview && change !== undefined && change.there.deployed === undefined)
      planUp(request.session, request.urn, countsOfNew(resource.desired));
    return [];
  },
  changing: ({ session, urn, preview }, change) => {
    const { difference } = change.notes;
    if (!preview || difference === undefined) return;
    planUp(session, urn, { counts: summaryLine(differenceIn(change, difference)) });
    const interleaving = change.notes.own === undefined ? undefined : interleavingOf(session, change);
    if (interleaving !== undefined) session.reporter.info(urn, `${change.desired.where}: ${interleaving}`);
  },
};

function countsOfNew({ rules }: Desired): Partial<PreviewPlan> {
  return rules === undefined ? {} : { counts: summaryLine({ ...NO_DIFFERENCE, added: rules.order }) };
}

/** How rules differ from what was declared; where the ruleset is the resource's as a whole, from what is there. */
function differenceIn(change: Change, difference: RulesDiff): RulesDiff {
  const { recorded, desired, notes } = change;
  const before = notes.own === undefined ? rulesBefore(change) : recorded.declared;
  return before === recorded.declared ? difference : diffRules(before, desired.rules ?? NO_RULES);
}
