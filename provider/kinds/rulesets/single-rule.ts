import type { Position } from "../../model/position.js";
import { asIncomplete } from "../../engine/incomplete.js";
import { inputsIn } from "../../engine/inputs.js";
import { findCopies } from "../../engine/secrets.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import { orderText, scopeArguments, scopeWords } from "../../model/ids.js";
import { omit, pick, sameJson } from "../../model/json.js";
import { parsePendingFields, parseRule } from "../../model/parse-rule.js";
import type { DeployedRule, Ruleset } from "../../model/ruleset.js";
import { isComplete, NOT_KNOWN, UNKNOWN, valueIfKnown, type Pending } from "../../model/unknown.js";
import { wordsOfRule } from "../../ownership/words.js";
import type { Secrets } from "../../redaction/secrets.js";
import { contentOf } from "../../rules/content.js";
import type { PendingFields } from "../../rules/keyed.js";
import { Rule } from "../../rules/rule.js";
import type { RulesetInputs, RulesetState } from "./description.js";
import { placeId, targetOf, textOrMarker, type Desired } from "./desired.js";
import { RULE_FIELDS, RULESET_RULE, type RuleInputs, type RuleState } from "./rule/description.js";
import { refreshState, withCopies } from "./refresh.js";
import { parseState, stateFrom, type ParsedState } from "./state.js";

/*
 * A resource that is a single rule shares its ruleset like a list with one rule. Here its inputs and states become those of such
 * a list, and the list's state becomes its own again.
 */

/** The list's ID in the engine: that of the ruleset, as the program gives it. */
export function listId(inputs: RuleInputs): string {
  return placeId(targetOf(inputs));
}

/** What the program wants of the list. */
export function desiredList(inputs: Pending<RuleInputs>): Desired {
  const { onExisting, onConflict, onDelete, position, __urn, __secretPaths } = inputs;
  const target = targetOf(inputs);
  const { scope, phase, rulesetId } = target;
  const ref = textOrMarker(inputs.ref);
  const where = `${rulesetId === undefined ? phase : `ruleset ${rulesetId}`} of ${scopeWords(scope)}`;
  const isKnown = position !== undefined && position !== NOT_KNOWN && isComplete<Position>(position);
  return {
    target,
    where,
    words: wordsOfRule(ref, where),
    urn: valueIfKnown(__urn),
    rules: { rules: { [ref]: Rule.of({ ...ruleIn(inputs), ref }) }, order: [ref] },
    positions: new Map(isKnown ? [[ref, position]] : []),
    foreignRules: {},
    name: undefined,
    description: undefined,
    policy: {
      ownership: "shared",
      onExisting: valueIfKnown(onExisting),
      onConflict: valueIfKnown(onConflict),
      onDelete: onDelete === "keep" ? "keep" : "empty",
    },
    secrets: { __secretPaths: { [ref]: valueIfKnown(__secretPaths) ?? [] }, __secretArgs: undefined },
  };
}

const FIELDS = Object.keys(RULE_FIELDS) as (keyof typeof RULE_FIELDS)[];

/** The rule in inputs or a state. */
export function ruleIn(inputs: Partial<RuleInputs>): RulesetRule;
export function ruleIn(inputs: Pending<Partial<RuleInputs>>): PendingFields;
export function ruleIn(inputs: Pending<Partial<RuleInputs>>): PendingFields {
  const fields = Object.entries(pick(inputs, FIELDS)).map(
    ([name, value]) => [name, value === NOT_KNOWN ? UNKNOWN : value] as const,
  );
  // `check` has made sure that action and expression are present.
  return parsePendingFields(Object.fromEntries(fields));
}

/** The inputs in a state, exactly as `check` returned them. */
export function inputsOf(state: RuleState): RuleInputs {
  const inputs = inputsIn(RULESET_RULE, state);
  return state.__kind === undefined ? omit(inputs, ["rulesetId"]) : inputs;
}

export function listInputs(inputs: RuleInputs): RulesetInputs {
  const { phase, ref, position, onExisting, onConflict, onDelete, __urn, __secretPaths } = inputs;
  const { scope, kind } = targetOf(inputs);
  return {
    ...scopeArguments(scope),
    phase,
    kind,
    ownership: "shared",
    rules: { [ref]: { ...ruleIn(inputs), ref } },
    order: orderText([ref]),
    ...(position === undefined ? {} : { positions: { [ref]: position } }),
    ...(onExisting === undefined ? {} : { onExisting }),
    ...(onConflict === undefined ? {} : { onConflict }),
    ...(onDelete === "keep" ? { onDelete } : {}),
    ...(__urn === undefined ? {} : { __urn }),
    ...(__secretPaths === undefined ? {} : { __secretPaths: { [ref]: __secretPaths } }),
  };
}

/** The list's state. Its version is that of the ruleset after the last write of the rule. */
export function listState(state: RuleState): RulesetState {
  const { ref, ruleId, rulesetId, version, lastUpdated, __rulesetVersion = "" } = state;
  const place = { ...listInputs(state), rulesetId, version: __rulesetVersion, lastUpdated };
  return {
    ...place,
    deployedRules: [{ id: ruleId, ref, version, ...(lastUpdated === "" ? {} : { lastUpdated }) }],
    ruleIds: { [ref]: ruleId },
    ...pick(state, ["__answers", "__takenOver", "__incomplete"]),
  };
}

/** What a state records, as that of a list. */
export function parseList(state: RuleState): ParsedState {
  return parseState(listState(state));
}

/** The state of the rule after a write of the list; undefined if the list has no rule, as after an add with an unknown result. */
export function ruleState(inputs: RuleInputs, list: RulesetState): RuleState | undefined {
  const { ref } = inputs;
  const { [ref]: ruleId } = list.ruleIds;
  const deployed = list.deployedRules.find(({ id }) => id === ruleId);
  if (ruleId === undefined || deployed === undefined) return undefined;
  const answer = list.__answers?.[ruleId];
  return {
    ...inputs,
    ruleId,
    rulesetId: list.rulesetId,
    version: deployed.version,
    lastUpdated: deployed.lastUpdated ?? "",
    ...writtenIn(list.version),
    ...(answer === undefined ? {} : { __answers: { [ruleId]: answer } }),
    ...(list.__takenOver?.includes(ref) === true ? { __takenOver: [ref] } : {}),
    ...pick(list, ["__incomplete"]),
  };
}

function writtenIn(version = ""): Pick<RuleState, "__rulesetVersion"> {
  return version === "" ? {} : { __rulesetVersion: version };
}

/** The result of a refresh: inputs and outputs with exactly the changes that somebody made. */
export interface RefreshedRule {
  readonly inputs: RuleInputs;
  readonly state: RuleState;
}

/** The current rule, in the form of the program's inputs. Somebody may have recreated it under its ref. */
export function refreshRule(state: RuleState, ruleset: Ruleset, rule: DeployedRule, secrets: Secrets): RefreshedRule {
  const { id, version } = rule;
  const { ref, position, __incomplete: isIncomplete } = state;
  const isUnchanged = id === state.ruleId && version === state.version && isIncomplete !== true;
  if (isUnchanged && position === undefined) return { inputs: inputsOf(state), state };
  const list = listState({ ...state, ruleId: id });
  const refreshed = withCopies(refreshState(list, ruleset), list, secrets);
  const { rules, positions, __secretPaths } = refreshed.inputs;
  const { [ref]: current } = positions ?? {};
  const { [ref]: paths } = __secretPaths ?? {};
  const inputs = {
    ...omit(inputsOf(state), [...FIELDS, "position", "__secretPaths"]),
    ...pick(rules[ref] ?? ruleIn(state), FIELDS),
    ...(current === undefined ? {} : { position: current }),
    ...(paths === undefined ? {} : { __secretPaths: paths }),
  };
  // Others write the ruleset as well: its version here is that of the last write of this rule.
  return { inputs, state: ruleState(inputs, { ...refreshed.state, version: list.version }) ?? state };
}

/** The state of a rule that no program declares: for `get`. */
export function stateOfUnmanagedRule(
  given: Partial<RuleInputs>,
  ruleset: Ruleset,
  rule: DeployedRule,
  secrets: Secrets,
): RuleState | undefined {
  const content = parseRule(contentOf(rule));
  const copied = findCopies(content, secrets);
  const inputs: RuleInputs = {
    ...given,
    ...content,
    ...{ ref: rule.ref, phase: ruleset.phase },
    ...(copied.length === 0 ? {} : { __secretPaths: copied }),
  };
  return ruleState(inputs, stateFrom(listInputs(inputs), { ...ruleset, rules: [rule] }));
}

/** The same after a create that ended early: a rule that it took over may still be as it was. */
export function createdHalfway(inputs: RuleInputs, list: RulesetState): RuleState | undefined {
  const { [inputs.ref]: rule } = list.rules;
  if (rule === undefined || sameJson(rule, { ...ruleIn(inputs), ref: inputs.ref })) return ruleState(inputs, list);
  return ruleState({ ...omit(inputs, [...FIELDS, "position"]), ...pick(rule, FIELDS), ref: inputs.ref }, list);
}

/** The same after an update that ended early: the inputs are those that the list has by then. */
export function stateHalfway(olds: RuleState, news: RuleInputs, list: RulesetState): RuleState {
  const isOld = sameJson(list.rules[olds.ref], { ...ruleIn(olds), ref: olds.ref });
  return ruleState(isOld ? inputsOf(olds) : news, list) ?? asIncomplete(olds);
}
