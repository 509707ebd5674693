import type { CheckRequest } from "../../../engine/kind.js";
import { keptSecrets } from "../../../engine/secrets.js";
import { uniquePaths } from "../../../model/path.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { NOT_KNOWN, valueIfKnown, type Pending } from "../../../model/unknown.js";
import type { RULESET_RULE, RuleInputs } from "./description.js";
import { refOf } from "./desired.js";

type RuleRequest = CheckRequest<typeof RULESET_RULE>;

/** The inputs that the engine keeps. */
export function checkedInputs(request: RuleRequest, ruleset: Ruleset | undefined): Pending<RuleInputs> {
  const { wanted, olds, urn, secretPaths } = request;
  const { ruleId, ...args } = wanted;
  const kept = keptSecrets(valueIfKnown(olds?.__secretPaths) ?? [], request);
  const secrets = uniquePaths([...secretPaths, ...kept]);
  return {
    ...args,
    ...placeOf(request, ruleset),
    ref: refOfRule(request, ruleset),
    ...(urn === "" ? {} : { __urn: urn }),
    ...(ruleId === undefined ? {} : { __adopt: ruleId }),
    ...(secrets.length === 0 ? {} : { __secretPaths: secrets }),
  };
}

/** The phase and, for a ruleset that is given by its ID, its kind. */
function placeOf(
  { wanted, olds }: RuleRequest,
  ruleset: Ruleset | undefined,
): Pick<Pending<RuleInputs>, "phase" | "__kind" | "__byId"> {
  const { rulesetId, phase = NOT_KNOWN } = wanted;
  if (rulesetId === undefined) return { phase };
  if (ruleset !== undefined) return { phase: ruleset.phase, __kind: ruleset.kind, __byId: true };
  const same = olds !== undefined && olds.rulesetId === rulesetId && rulesetId !== NOT_KNOWN;
  return {
    phase: same ? olds.phase : NOT_KNOWN,
    ...(same && olds.__kind !== undefined ? { __kind: olds.__kind } : {}),
    __byId: true,
  };
}

/**
 * The ref that the program sets, the ref from the last run, the ref of the rule that it takes over, or one derived from
 * the resource's name.
 */
function refOfRule({ wanted, olds, urn }: RuleRequest, ruleset: Ruleset | undefined): Pending<RuleInputs>["ref"] {
  if (wanted.ref !== undefined) return wanted.ref;
  if (olds !== undefined) return olds.ref;
  if (wanted.ruleId === undefined) return refOf(urn);
  return ruleset?.rules.find(({ id }) => id === wanted.ruleId)?.ref ?? NOT_KNOWN;
}
