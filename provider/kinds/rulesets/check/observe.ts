import { inputsIn } from "../../../engine/inputs.js";
import type { Checked, CheckRequest } from "../../../engine/kind.js";
import { reportUnavailableCheck } from "../../../engine/request.js";
import type { Session } from "../../../engine/session.js";
import { phaseResourceId } from "../../../model/ids.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { NOT_KNOWN, valueIfKnown, type Pending } from "../../../model/unknown.js";
import { knownRules } from "../../../ownership/takeover.js";
import { assignRefs } from "../../../rules/assign-refs.js";
import { NO_RULES } from "../../../rules/keyed.js";
import { failure, NO_FINDINGS, type Findings } from "../../../validation/index.js";
import { PHASE_ENTRYPOINT, type RULESET, type RulesetInputs } from "../description.js";
import { desiredFrom, isKnownTarget, targetOf, targetWords } from "../desired.js";
import { differencesIn, differencesOf, reportObserved, type Observer } from "../observe.js";
import { lastDesired } from "../plans.js";
import { checkedInputs, keyRules, knownFromOlds, pendingRules } from "./inputs.js";
import { listOfProgram } from "./rule-list.js";

type RulesetRequest = CheckRequest<typeof RULESET>;

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
async function checkObserved(request: RulesetRequest): Promise<Checked<typeof RULESET>> {
  const { session, urn, wanted, olds } = request;
  const last = olds === undefined ? undefined : session.part(lastDesired).parse(urn, olds);
  const unlisted = checkedInputs(request, last, pendingRules(last));
  if (wanted.restoreVersion !== undefined)
    return {
      inputs: unlisted,
      findings: failure(["restoreVersion"], "cannot be combined with manage: false, which writes nothing"),
    };
  const { isRead, ruleset, findings } = await tryRead(request);
  if (wanted.rules === NOT_KNOWN || wanted.rules === undefined) return { inputs: unlisted, findings };
  const { wanted: rules, secretPathsIn } = listOfProgram(request, wanted.rules);
  const before = last?.rules ?? NO_RULES;
  const known = isRead ? knownRules(ruleset?.rules ?? []) : knownFromOlds(before, {});
  const owner = wanted.ownership === "shared" ? urn : undefined;
  const { refs } = assignRefs(known, rules, { secretPathsIn, owner });
  const secretsBefore = valueIfKnown(olds?.__secretPaths) ?? {};
  const options = { before, ignored: [], keepsOrder: false, secretPathsIn, secretsBefore };
  const plain = checkedInputs(request, last, keyRules({ wanted: rules, refs, ...options }));
  const inputs = isRead ? withDifferences(session, plain, ruleset) : { ...plain, ...differencesIn(olds) };
  reportObserved(session, urn, desiredFrom(plain).where, differencesIn(inputs).differences);
  return { inputs, findings };
}

interface Read {
  readonly isRead: boolean;
  readonly ruleset?: Ruleset;
  readonly findings: Findings;
}

async function tryRead(request: RulesetRequest): Promise<Read> {
  const { session, wanted, preview } = request;
  const target = targetOf(wanted);
  if (!isKnownTarget(target) || (session.previewChecks === "off" && preview))
    return { isRead: false, findings: NO_FINDINGS };
  try {
    const ruleset = await session.reads.entrypoint(target.scope, target.phase);
    return { isRead: true, findings: NO_FINDINGS, ...(ruleset === undefined ? {} : { ruleset }) };
  } catch (error) {
    const refusal = reportUnavailableCheck(request, error, `what is in ${targetWords(target)}`);
    return { isRead: false, findings: refusal === undefined ? NO_FINDINGS : { failures: [refusal], warnings: [] } };
  }
}
