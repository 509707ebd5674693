import { keepIncomplete } from "../../../engine/incomplete.js";
import { findCopies } from "../../../engine/secrets.js";
import type { RulesetRule } from "../../../model/generated/rule.js";
import { omit, sameJson } from "../../../model/json.js";
import { parseRule } from "../../../model/parse-rule.js";
import { valueAt, type Path } from "../../../model/path.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import type { Secrets } from "../../../redaction/secrets.js";
import { contentOf } from "../../../rules/content.js";
import { Rule, isSameMeaning } from "../../../rules/rule.js";
import { currentRule } from "../../../rules/current-rule.js";
import { RULE_FIELDS, type RuleInputs, type RuleState } from "./description.js";
import { inputsOf, ruleIn } from "../single-rule.js";
import { currentPosition } from "../position.js";

/** The complete state after a write or a read: the declared inputs, and what the service returned. */
export function stateFrom(inputs: RuleInputs, { id }: Pick<Ruleset, "id">, rule: DeployedRule): RuleState {
  return {
    ...inputs,
    ruleId: rule.id,
    rulesetId: id,
    version: rule.version,
    lastUpdated: rule.lastUpdated ?? "",
    ...(isSameMeaning(rule, ruleIn(inputs)) ? {} : { __answer: contentOf(rule) }),
  };
}

/** The same state, with rules that the resource released and that their new owners may not have. */
export function withReleased(state: RuleState, rules: RuleState["__handedOver"] = []): RuleState {
  return rules.length === 0 ? state : { ...state, __handedOver: rules };
}

/** The result of a refresh: inputs and outputs with exactly the changes that somebody made. */
export interface Refreshed {
  readonly inputs: RuleInputs;
  readonly state: RuleState;
}

/** The current rule, in the form of the program's inputs. */
export function refreshState(state: RuleState, ruleset: Ruleset, rule: DeployedRule, secrets: Secrets): Refreshed {
  const { ruleId: id, ref, version, position } = state;
  const declared = ruleIn(state);
  // `__answer` contains everything that the service returned for the rule.
  const last: DeployedRule = { ...parseRule(state.__answer ?? declared), id, ref, version };
  const before = inputsOf(state);
  const current = currentRule(Rule.of(declared), Rule.of(last), Rule.of(rule));
  const inputs: RuleInputs = {
    ...omit(before, Object.keys(RULE_FIELDS) as (keyof typeof RULE_FIELDS)[]),
    ...current,
    ...(position === undefined ? {} : { position: currentPosition(ruleset.rules, rule.id, position) }),
  };
  const marked = { ...inputs, ...copiedSecrets(declared, current, state.__secretPaths ?? [], secrets) };
  return {
    inputs: marked,
    state: {
      ...withReleased(keepIncomplete(stateFrom(marked, ruleset, rule), state), state.__handedOver),
      ...(state.__takenOver === true ? { __takenOver: true } : {}),
      ...(state.__leftRules === undefined ? {} : { __leftRules: state.__leftRules }),
    },
  };
}

/**
 * Marks as secret the places that somebody else copied a secret to. What the program itself has in plain text stays so.
 */
function copiedSecrets(
  declared: RulesetRule,
  current: RulesetRule,
  before: readonly Path[],
  secrets: Secrets,
): Pick<RuleInputs, "__secretPaths"> {
  if (current === declared) return {};
  const copied = findCopies(current, secrets).filter(
    (path) => !sameJson(valueAt(current, path), valueAt(declared, path)),
  );
  return copied.length === 0 ? {} : { __secretPaths: [...before, ...copied] };
}

/** The state of a rule that no program declares: for `get`. */
export function stateOfUnmanaged(
  given: Partial<RuleInputs>,
  ruleset: Ruleset,
  rule: DeployedRule,
  secrets: Secrets,
): RuleState {
  const content = parseRule(contentOf(rule));
  const inputs: RuleInputs = { ...given, ...content, ref: rule.ref, phase: ruleset.phase };
  const copied = findCopies(content, secrets);
  return stateFrom({ ...inputs, ...(copied.length === 0 ? {} : { __secretPaths: copied }) }, ruleset, rule);
}
