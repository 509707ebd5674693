import { inputsIn } from "../../../engine/inputs.js";
import type { Checked, CheckRequest } from "../../../engine/kind.js";
import { inspect } from "./existing.js";
import type { Session } from "../../../engine/session.js";
import { phaseResourceId } from "../../../model/ids.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { NOT_KNOWN, valueIfKnown, type Pending } from "../../../model/unknown.js";
import { knownRules } from "../../../ownership/takeover.js";
import { assignRefs } from "../../../rules/assign-refs.js";
import { NO_RULES } from "../../../rules/keyed.js";
import { failure } from "../../../validation/index.js";
import { PHASE_ENTRYPOINT, type RULESET, type RulesetInputs } from "../description.js";
import { desiredFrom, targetOf } from "../desired.js";
import { differencesIn, differencesOf, reportObserved, type Observer } from "../observe.js";
import { lastWanted } from "../plans.js";
import { checkedInputs, keyRules, knownFromOlds, parseCheck, pendingRules } from "./inputs.js";
import { listOfProgram } from "./rule-list.js";

/** An entry point that is only observed. */
export const entrypointObserver: Observer<typeof RULESET> = {
  check: checkObserved,
  observe: async (session, inputs) => {
    const actual = await readNow(session, inputs);
    const { scope, phase } = targetOf(inputs);
    const { id: rulesetId = "", version = "", lastUpdated = "" } = actual ?? {};
    const state = { ...inputs, rulesetId, version, lastUpdated, deployedRules: [], ruleIds: {} };
    return { id: phaseResourceId(scope, phase), state };
  },
  inputsOf: (state) => inputsIn(PHASE_ENTRYPOINT, state),
  again: async (session, inputs) => withDifferences(session, inputs, await readNow(session, inputs)),
};

function readNow({ reads }: Session, inputs: RulesetInputs): Promise<Ruleset | undefined> {
  const { scope, phase } = targetOf(inputs);
  return reads.entrypoint(scope, phase);
}

function withDifferences<I extends Pending<RulesetInputs>>(
  session: Session,
  inputs: I,
  actual: Ruleset | undefined,
): I & { readonly differences: readonly string[] } {
  return { ...inputs, differences: differencesOf(session, desiredFrom(inputs), actual) };
}

/** Compares what is declared with what is there: rules without a ref are those at the service that they match. */
async function checkObserved(request: CheckRequest<typeof RULESET>): Promise<Checked<typeof RULESET>> {
  const { session, urn, wanted, olds } = request;
  const checking = parseCheck(request, lastWanted(request, desiredFrom));
  const { last } = checking;
  const unlisted = checkedInputs(checking, pendingRules(checking));
  if (wanted.restoreVersion !== undefined)
    return {
      inputs: unlisted,
      findings: failure(["restoreVersion"], "cannot be combined with manage: false, which writes nothing"),
    };
  const { isRead, ruleset, findings } = await inspect(checking, checking.target, checking.where);
  if (wanted.rules === NOT_KNOWN || wanted.rules === undefined) return { inputs: unlisted, findings };
  const { wanted: rules, secretPathsIn } = listOfProgram(checking, wanted.rules);
  const before = last?.rules ?? NO_RULES;
  const known = isRead ? knownRules(ruleset?.rules ?? []) : knownFromOlds(before, {});
  const owner = checking.isShared ? urn : undefined;
  const { refs } = assignRefs(known, rules, { secretPathsIn, owner });
  const secretsBefore = valueIfKnown(olds?.__secretPaths) ?? {};
  const options = { before, ignored: [], keepsOrder: false, secretPathsIn, secretsBefore };
  const plain = checkedInputs(checking, keyRules({ wanted: rules, refs, ...options }));
  const inputs = isRead ? withDifferences(session, plain, ruleset) : { ...plain, ...differencesIn(olds) };
  reportObserved(session, urn, desiredFrom(plain).where, { isRead, ...differencesIn(inputs) });
  return { inputs, findings };
}
