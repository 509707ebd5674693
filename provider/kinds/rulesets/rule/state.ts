import type { Position } from "../../../client/index.js";
import { keepIncomplete } from "../../../engine/incomplete.js";
import { inputsIn } from "../../../engine/inputs.js";
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
import { RULE_FIELDS, RULESET_RULE, type RuleInputs, type RuleState } from "./description.js";
import { ruleIn } from "./desired.js";
import { currentPosition } from "../position.js";

/** What a state records: the declared rule, and the service's last response. */
export interface ParsedState {
  readonly ref: string;
  readonly ruleId: string;
  readonly declared: Rule<RulesetRule>;
  /** As the service last returned it. */
  readonly rule: Rule<DeployedRule>;
  readonly position: Position | undefined;
  readonly state: RuleState;
}

export function parseState(state: RuleState): ParsedState {
  const { ref, ruleId, version, position } = state;
  const declared = ruleIn(state);
  // `__answer` contains everything that the service returned for the rule.
  const rule = { ...parseRule(state.__answer ?? declared), id: ruleId, ref, version };
  return { ref, ruleId, declared: Rule.of(declared), rule: Rule.of(rule), position, state };
}

/** The inputs in a state, exactly as `check` returned them. */
export function inputsOf(state: RuleState): RuleInputs {
  const inputs = inputsIn(RULESET_RULE, state);
  return state.__byId === true ? inputs : omit(inputs, ["rulesetId"]);
}

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

/** The same state, recording whether a delete may remove the rule. */
export function withOwnership({ __takenOver, ...state }: RuleState, owned: boolean): RuleState {
  return owned ? state : { ...state, __takenOver: true };
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
  const recorded = parseState(state);
  const before = inputsOf(state);
  const current = currentRule(recorded.declared, recorded.rule, Rule.of(rule));
  const { position } = recorded;
  const inputs: RuleInputs = {
    ...omit(before, Object.keys(RULE_FIELDS) as (keyof typeof RULE_FIELDS)[]),
    ...current,
    ...(position === undefined ? {} : { position: currentPosition(ruleset.rules, rule.id, position) }),
  };
  const marked = { ...inputs, ...copiedSecrets(recorded.declared.fields, current, state.__secretPaths ?? [], secrets) };
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
