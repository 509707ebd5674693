import type { RulesetRule } from "../model/generated/rule.js";
import { isWhollyHidden, judgedRule } from "../model/judged-rule.js";
import { isList, isObject, pick, textOf, type Json, type JsonObject } from "../model/json.js";
import { CONTENT_FIELDS } from "../model/parse-rule.js";
import { isUnknown, knownText, UNKNOWN } from "../model/unknown.js";
import { keyedRules, ruleEntries } from "../rules/keyed.js";
import { listsOfStates } from "./lists.js";
import type { RuleInput, RulesetInput } from "../simulator/index.js";
import { numberNames, unknownPlace } from "../simulator/unknown-zone.js";

/** A resource of this package as a state or a preview has it: its inputs, with or without outputs. */
export interface StateOfResource {
  /** The name in the program. */
  readonly name: string;
  readonly properties: JsonObject;
  /** Stands for the ID of a zone that the program creates, where it is known which one that is. */
  readonly newZone?: string | undefined;
}

/** The rulesets that resources declare, with the items of the lists that they declare. What is not known before `pulumi up` is marked, and never taken for something else. */
export function rulesetsOfStates(states: readonly StateOfResource[]): readonly RulesetInput[] {
  const lists = listsOfStates(states);
  const hasLists = Object.keys(lists).length > 0;
  const numbered = numberNames();
  return states.flatMap((state) => {
    const found = rulesetOf(state, numbered(state.name));
    return found === undefined ? [] : [hasLists ? { ...found, lists } : found];
  });
}

/**
 * Undefined for a resource without rules.
 * @param resource names it among all
 */
function rulesetOf({ name, properties, newZone }: StateOfResource, resource: string): RulesetInput | undefined {
  const { phase, kind, ownership, position, rulesetId, zoneId, accountId } = properties;
  const hasRules = "rules" in properties;
  const isSingle = !hasRules && "expression" in properties && "action" in properties;
  if ((!hasRules || phase === undefined) && !isSingle) return undefined;
  const account = accountId === undefined ? {} : { accountId: idOf(accountId, resource) };
  const zone =
    zoneId === undefined
      ? {}
      : { zoneId: isUnknown(zoneId) && newZone !== undefined ? newZone : idOf(zoneId, resource) };
  const level = zoneId === undefined ? "root" : "zone";
  return {
    ...(knownText(rulesetId) === "" ? {} : { id: knownText(rulesetId) }),
    name,
    kind: knownText(kind) !== "" ? knownText(kind) : isSingle && phase === undefined ? "custom" : level,
    phase: knownText(phase),
    ...account,
    ...zone,
    rules: isSingle ? singleRule(name, properties) : rulesOf(name, properties),
    ...(isSingle || ownership === "shared" ? { isPart: true } : {}),
    ...(isObject(position) ? { position } : {}),
  };
}

function idOf(value: Json, resource: string): string {
  return isWhollyHidden(value) ? unknownPlace(resource, !isUnknown(value)) : textOf(value);
}

function singleRule(name: string, properties: JsonObject): readonly RuleInput[] {
  const { ref } = properties;
  return [judgedRule({ ...pick(properties, CONTENT_FIELDS), ...(ref === undefined ? {} : { ref }) }, name)];
}

/** Inputs have rules by ref, and their order; outputs of the plugin have a list. */
function rulesOf(name: string, { rules, order }: JsonObject): readonly RuleInput[] {
  if (isList(rules)) return rules.map((rule, index) => judgedRule(rule, `${name} ${String(index)}`));
  if (!isObject(rules) || isWhollyHidden(rules) || isWhollyHidden(order)) return [judgedRule(UNKNOWN, name, name)];
  const keyed = keyedRules(rules as Readonly<Record<string, RulesetRule>>, textOf(order));
  return ruleEntries(keyed).map(({ ref, rule }) => judgedRule(rule, `${name} ${ref}`, ref));
}
