import type { Context, List } from "../compile/context.js";
import { Unknown, type Evaluated } from "../value.js";
import { makeList } from "./lists.js";
import { toFieldValue, type PlainValue } from "./plain.js";

/** Fields and lists by name, with or without a request. */
export interface ContextInput {
  /** Fields by name; `null` is nil. */
  readonly fields?: Readonly<Record<string, PlainValue>>;
  /** Items of lists, by list name without `$`. */
  readonly lists?: Readonly<Record<string, readonly (string | number)[]>>;
}

/** Creates a context with only the given fields. Every other field is unknown. */
export function makeContext(input: ContextInput): Context {
  const fields = givenFields(input.fields);
  return {
    field: (name) => (fields.has(name) ? fields.get(name) : unknownField(name)),
    list: givenLists(input.lists),
  };
}

export function givenFields(fields: ContextInput["fields"] = {}): ReadonlyMap<string, Evaluated> {
  return new Map(Object.entries(fields).map(([name, plain]) => [name, toFieldValue(name, plain)]));
}

export function givenLists(lists: ContextInput["lists"] = {}): (name: string) => List | undefined {
  const made = new Map(Object.entries(lists).map(([name, items]) => [name, makeList(items)]));
  return (name) => made.get(name);
}

/** An unknown field, with how to provide it. */
export function unknownField(name: string, give = `fields: { ${JSON.stringify(name)}: … }`): Unknown {
  return new Unknown([
    { kind: "field", name, why: `\`${name}\` is not known for this request; pass it as \`${give}\`` },
  ]);
}
