import { text } from "./body.js";
import type { Query } from "./call.js";
import { refuse } from "./failure.js";
import { ownValue } from "./lookup.js";

/** Filters by query parameter: whether an item matches the parameter's value. */
export type Filters<T> = Readonly<Record<string, (item: T, value: string) => boolean>>;
/** The keys by which a list can be sorted. */
export type Orders<T> = Readonly<Record<string, (item: T) => string | number>>;

/**
 * The items that a query selects: those that match all of its filters or, with `match=any`, at least one, in the requested
 * order.
 */
export function selectItems<T>(items: readonly T[], query: Query, filters: Filters<T>, orders: Orders<T> = {}): T[] {
  const tests = Object.entries(filters).flatMap(([name, fits]) => {
    const value = query[name];
    return value === undefined ? [] : [(item: T) => fits(item, value)];
  });
  const any = readChoice(query, "match", ["all", "any"]) === "any" && tests.length > 0;
  const found = ordered(items, query, orders).filter((item) =>
    any ? tests.some((fits) => fits(item)) : tests.every((fits) => fits(item)),
  );
  return readChoice(query, "direction", ["asc", "desc"]) === "desc" ? found.reverse() : found;
}

/** Lists as they were last sorted, by the name of the order: to sort one of those again takes one look at each item. */
const lastSorted = new WeakMap<object, Map<string, readonly unknown[]>>();

function ordered<T>(items: readonly T[], query: Query, orders: Orders<T>): readonly T[] {
  const names = Object.keys(orders);
  const order = names.length === 0 ? undefined : readChoice(query, "order", names);
  const by = order === undefined ? undefined : ownValue(orders, order);
  if (order === undefined || by === undefined) return items;
  const known = lastSorted.get(items) ?? new Map<string, readonly T[]>();
  const last = (known as Map<string, readonly T[]>).get(order) ?? items;
  const sorted = last.toSorted((a, b) => compare(by(a), by(b)));
  lastSorted.set(items, known.set(order, sorted));
  return sorted;
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A query parameter with a fixed set of values. */
function readChoice(query: Query, name: string, allowed: readonly string[]): string | undefined {
  const value = query[name];
  if (value === undefined || allowed.includes(value)) return value;
  throw refuse(
    400,
    1000,
    `'${value}' is not a valid value for ${name} because it must be one of ${allowed.join(", ")}`,
  );
}

/** A filter for equal text. */
export const same =
  <T>(of: (item: T) => unknown) =>
  (item: T, value: string): boolean =>
    String(of(item)) === value;

/** A filter for a substring, ignoring case. */
export const inside =
  <T>(of: (item: T) => unknown) =>
  (item: T, value: string): boolean =>
    text(of(item)).toLowerCase().includes(value.toLowerCase());

const OPERATORS: Readonly<Record<string, (text: string, value: string) => boolean>> = {
  equal: (text, value) => text === value,
  not_equal: (text, value) => text !== value,
  starts_with: (text, value) => text.startsWith(value),
  ends_with: (text, value) => text.endsWith(value),
  contains: (text, value) => text.includes(value),
};

/**
 * A filter whose value may begin with an operator, such as `contains:example`. Only operators that say so are case-sensitive.
 */
export const withOperator =
  <T>(of: (item: T) => string) =>
  (item: T, value: string): boolean => {
    const [, name = "", strict, rest = ""] = /^([a-z_]+?)(_case_sensitive)?:(.*)$/.exec(value) ?? [];
    const operator = ownValue(OPERATORS, name);
    const [found, wanted] = [of(item), operator === undefined ? value : rest];
    const test = operator ?? ((a, b) => a === b);
    return strict === undefined ? test(found.toLowerCase(), wanted.toLowerCase()) : test(found, wanted);
  };
