import { orderText, refsIn } from "../../core/model/ids.js";
import { isList, isObject, mapFrom, omit, type Json, type JsonObject, textOf } from "../../core/model/json.js";
import { secretInWire, wrapSecret } from "../../core/model/secret.js";
import { isUnknown, UNKNOWN } from "../../core/model/unknown.js";
import type { Description } from "./description.js";
import type { Props } from "./lifecycle.js";

/*
 * A state has one of two forms. The kinds of resources hold rules by ref, with their order as a text. The outputs that the
 * package schema promises to programs of every language hold them as a list, in order, each with its ref.
 */

/**
 * In a state in the schema's form, and in no other, the refs that are not part of the rules themselves: one per line, or `*`
 * for all.
 */
const DERIVED = "__derivedRefs";
const ALL = "*";

/** A state of a kind, secrets in their wire format, in the form that the package schema describes. */
export function inSchemaForm({ keyed = false }: Pick<Description, "keyed">, state: JsonObject): JsonObject {
  if (!keyed) return state;
  const { rules, order, ...others } = state;
  if (isUnknown(rules) || isUnknown(order)) return { ...others, rules: UNKNOWN };
  if (!isObject(rules) || typeof order !== "string") return state;
  const refs = refsIn(order).filter((ref) => rules[ref] !== undefined);
  const derived = refs.filter((ref) => !hasRef(rules[ref]));
  return {
    ...others,
    rules: refs.map((ref) => withRef(rules[ref] ?? null, ref)),
    [DERIVED]: derived.length > 0 && derived.length === refs.length ? ALL : derived.join("\n"),
  };
}

/** A state in the form that kinds use, with its secrets in clear. One that already has that form stays as it is. */
export function inKindForm({ keyed = false }: Pick<Description, "keyed">, state: Props): Record<string, unknown> {
  const { rules, [DERIVED]: derived, ...others } = state as JsonObject;
  // A state of another package may also have a list of rules.
  if (!keyed || !isList(rules) || typeof derived !== "string") return { ...state };
  const without = new Set(derived.split("\n"));
  const entries = rules.filter(isObject).map((rule) => {
    const ref = textOf(rule.ref);
    return [ref, without.has(ALL) || without.has(ref) ? omit(rule, ["ref"]) : rule] as const;
  });
  return { ...others, rules: mapFrom(entries), order: orderText(entries.map(([ref]) => ref)) };
}

function hasRef(rule: Json | undefined): boolean {
  const value = rule === undefined ? undefined : (secretInWire(rule)?.value ?? rule);
  return isObject(value) && value.ref !== undefined;
}

function withRef(rule: Json, ref: string): Json {
  const secret = secretInWire(rule);
  if (secret !== undefined) return wrapSecret(withRef(secret.value, ref));
  return isObject(rule) ? { ...rule, ref } : rule;
}
