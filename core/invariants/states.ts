import type { RulesetRule } from "../model/generated/rule.js";
import { isWhollyHidden, judgedRule } from "../model/judged-rule.js";
import { isList, isObject, pick, textOf, type Json, type JsonObject, mapFrom } from "../model/json.js";
import { CONTENT_FIELDS } from "../model/parse-rule.js";
import { isUnknown, knownText, UNKNOWN, hasUnknown } from "../model/unknown.js";
import { keyedRules, ruleEntries } from "../rules/keyed.js";
import type { RuleInput, RulesetInput, ListInput, ListsInput } from "../simulator/index.js";
import { numberNames, unknownPlace } from "../simulator/unknown-zone.js";
import type { Items } from "../lists/item.js";
import { LIST_KINDS, type ListKind } from "../lists/kind.js";
import { listInputOf } from "../lists/list-input.js";
import { parseItems } from "../lists/parse.js";

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

/** The lists that resources declare, by name, where their items are known and nobody else has items there. */
function listsOfStates(states: readonly { readonly properties: JsonObject }[]): ListsInput {
  const found = states.flatMap(({ properties }) => (isListState(properties) ? [properties] : []));
  const names = found.map(({ name }) => knownText(name));
  return mapFrom(
    found.flatMap((properties, index): readonly (readonly [string, ListInput])[] => {
      const [name = "", list] = [names[index], listIn(properties)];
      // Which of several accounts a zone belongs to is not known here.
      return list === undefined || names.indexOf(name) !== names.lastIndexOf(name) ? [] : [[name, list]];
    }),
  );
}

/** A list has a kind, a name and items, and neither rules nor a phase. */
function isListState({ kind, name, rules, phase, items, itemsFile }: JsonObject): boolean {
  const hasItems = items !== undefined || itemsFile !== undefined;
  return kindOf(kind) !== undefined && name !== undefined && hasItems && rules === undefined && phase === undefined;
}

function kindOf(kind: unknown): ListKind | undefined {
  return LIST_KINDS.find((one) => one === kind);
}

/** Inputs have items by key; those of the plugin may have them as a program writes them. */
function listIn({ kind: given, items, ownership }: JsonObject): ListInput | undefined {
  const kind = kindOf(given);
  if (kind === undefined || items === undefined || hasUnknown(items) || (ownership ?? "exclusive") !== "exclusive")
    return undefined;
  if (isObject(items)) return listInputOf(kind, items as Items);
  if (!isList(items)) return undefined;
  const { items: parsed, faults } = parseItems(
    kind,
    items.map((item) => ({ given: item, path: [] })),
  );
  return faults.length > 0 ? undefined : listInputOf(kind, parsed);
}
