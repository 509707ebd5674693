import { PartialFailure, RulesetsError } from "../../../../core/model/errors.js";
import type { RulesetRule } from "../../../../core/model/generated/rule.js";
import { orderText, ruleResourceId } from "../../../../core/model/ids.js";
import { mapValues, omit, pick } from "../../../../core/model/json.js";
import { parsePendingFields } from "../../../../core/model/parse-rule.js";
import { NOT_KNOWN, type Pending, UNKNOWN, valueIfKnown } from "../../../../core/model/unknown.js";
import { fieldsOf, type PendingFields } from "../../../../core/rules/keyed.js";
import { asIncomplete } from "../../../engine/incomplete.js";
import { inputsIn } from "../../../engine/inputs.js";
import type { RulesetInputs, RulesetState } from "../description.js";
import { type Created, type Desired, desiredFrom, textOrMarker } from "../desired.js";
import { RULE_FIELDS, type RuleInputs, RULESET_RULE, type RuleState } from "./description.js";

/*
 * A resource that is a single rule is a list of one in a ruleset that it shares. People see the fields of the rule as arguments
 * of the resource: here they become the list, and the list's state becomes what the engine keeps.
 */

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

/** What is the same for the list and the rule. */
const OF_BOTH = ["zoneId", "accountId", "phase", "onConflict", "__urn"] as const;

/** The inputs as those of the list. A rule that it takes over is named by its ID. */
export function asList(inputs: RuleInputs): RulesetInputs;
export function asList(inputs: Pending<RuleInputs>): Pending<RulesetInputs>;
export function asList(inputs: Pending<RuleInputs>): Pending<RulesetInputs> {
  const { position, __secretPaths: paths } = inputs;
  const [ref, id] = [textOrMarker(inputs.ref), valueIfKnown(inputs.__adopt)];
  return {
    ...pick(inputs, [...OF_BOTH, "rulesetId", "__kind", "ref", "onExisting", "onDelete"]),
    ownership: "shared",
    rules: { [ref]: { ...ruleIn(inputs), ref, ...(id === undefined ? {} : { id }) } },
    order: orderText([ref]),
    ...(position === undefined ? {} : { positions: position === NOT_KNOWN ? NOT_KNOWN : { [ref]: position } }),
    ...(paths === undefined ? {} : { __secretPaths: { [ref]: valueIfKnown(paths) ?? [] } }),
  };
}

/** The inputs of the list as those of the rule. */
export function asRule(list: RulesetInputs): RuleInputs;
export function asRule(list: Pending<RulesetInputs>): Pending<RuleInputs>;
export function asRule(list: Pending<RulesetInputs>): Pending<RuleInputs> {
  const { ref = "", rules, positions = {}, onExisting, onDelete, __secretPaths } = list;
  const name = textOrMarker(ref);
  const { id, ...rule } = fieldsOf((rules === NOT_KNOWN ? {} : rules)[name] ?? UNKNOWN);
  const position = positions === NOT_KNOWN ? UNKNOWN : positions[name];
  const { [name]: secrets } = valueIfKnown(__secretPaths) ?? {};
  return {
    ...pick(list, OF_BOTH),
    ...(list.__kind === undefined ? {} : pick(list, ["rulesetId", "__kind"])),
    ref,
    // Only lists are replaced or emptied.
    ...(onExisting === undefined || onExisting === "replace" || onExisting === "empty" ? {} : { onExisting }),
    ...(onDelete === undefined || onDelete === "empty" ? {} : { onDelete }),
    ...mapValues(pick(rule, FIELDS), (value) => (value === UNKNOWN ? NOT_KNOWN : value)),
    ...(position === undefined ? {} : { position: position === UNKNOWN ? NOT_KNOWN : position }),
    ...(id === undefined ? {} : { __adopt: id }),
    ...(secrets === undefined ? {} : { __secretPaths: secrets }),
  };
}

/** What the program wants of the list. */
export function desiredList(inputs: Pending<RuleInputs>): Desired {
  return desiredFrom(asList(inputs));
}

/** The inputs in a state, exactly as `check` returned them. */
export function inputsOf(state: RuleState): RuleInputs {
  const inputs = inputsIn(RULESET_RULE, state);
  return state.__kind === undefined ? omit(inputs, ["rulesetId"]) : inputs;
}

/** The list's state. Its version is that of the ruleset after the last write of the rule. */
export function listState(state: RuleState): RulesetState {
  const { ref, ruleId, rulesetId, version, lastUpdated, __rulesetVersion = "" } = state;
  return {
    ...asList(state),
    ...{ rulesetId, version: __rulesetVersion, lastUpdated },
    deployedRules: [{ id: ruleId, ref, version, ...(lastUpdated === "" ? {} : { lastUpdated }) }],
    ruleIds: { [ref]: ruleId },
    ...pick(state, ["__answers", "__takenOver", "__incomplete"]),
  };
}

/** The state with the rule as the list has it; undefined if it has none, as after an add with an unknown result. */
export function ruleState(list: RulesetState): RuleState | undefined {
  const { ref = "" } = list;
  const { [ref]: ruleId = "" } = list.ruleIds;
  const { [ruleId]: answer } = list.__answers ?? {};
  const deployed = list.deployedRules.find(({ id }) => id === ruleId);
  if (list.rules[ref] === undefined || deployed === undefined) return undefined;
  return {
    ...asRule(list),
    ruleId,
    rulesetId: list.rulesetId,
    version: deployed.version,
    lastUpdated: deployed.lastUpdated ?? "",
    ...(list.version === "" ? {} : { __rulesetVersion: list.version }),
    ...(answer === undefined ? {} : { __answers: { [ruleId]: answer } }),
    ...(list.__takenOver?.includes(ref) === true ? { __takenOver: [ref] } : {}),
    ...pick(list, ["__incomplete"]),
  };
}

/** The ID in the engine of the list: that of its ruleset. */
export function listId(id: string): string {
  return id.replace(/\/rules\/.+$/, "");
}

/**
 * Writes the list. Where it ends early, the rule's state is what the list has of it by then.
 * @param olds the state before; undefined for a new rule
 */
export async function writeAsList(
  inputs: RuleInputs,
  olds: RuleState | undefined,
  write: () => Promise<Created>,
): Promise<{ readonly id: string; readonly state: RuleState }> {
  const idOf = (id: string): string => ruleResourceId(id, inputs.ref);
  try {
    const written = await write();
    const state = ruleState(written.state);
    if (state !== undefined) return { id: idOf(written.id), state };
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    const { id, state: list, cause } = error as PartialFailure<RulesetState>;
    const state = ruleState(list) ?? (olds === undefined ? undefined : asIncomplete(olds));
    throw state === undefined ? cause : new PartialFailure(idOf(id), state, cause);
  }
  throw new RulesetsError(
    `${desiredList(inputs).words.subject}: the response does not contain the rule that was written. ` +
      "To continue: run `pulumi refresh`, then `pulumi up`.",
    { code: "API_GARBLED" },
  );
}
