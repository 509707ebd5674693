import type { ListName, SetLiteral, Test } from "../../language/ast.js";
import { isOperand } from "../../language/ast.js";
import type { IpRange } from "../../language/ip.js";
import { addressesOf, integersOf, stringsOf } from "../../language/members-of-set.js";
import type { TextBase } from "../text/automaton.js";
import { containing, oneOf, ordered } from "../text/literals.js";
import { matching } from "../text/regex.js";
import { wildcard } from "../text/wildcard.js";
import { addressesLike, fromAddress } from "../values/addresses.js";
import { contentsOf } from "./known-lists.js";
import { EMPTY, intersect, toIntervals, without, type Intervals } from "../values/intervals.js";

/** The set that a comparison tests for membership. */
type Tested =
  | { readonly kind: "number"; readonly set: (universe: Intervals) => Intervals }
  | { readonly kind: "text"; readonly base: TextBase; readonly positive: boolean };

/** The set that a test checks; "never" if it is always false, undefined if it stays opaque. */
export function testedSet(test: Test, type: string): Tested | "never" | undefined {
  switch (test.kind) {
    case "order":
      return isOperand(test.right) ? undefined : testedOrder(test.op, test.right, type);
    case "contains":
      return test.right.kind === "string" ? text(containing(test.right.value)) : "never";
    case "wildcard":
      return text(wildcard(test.right.value, test.strict));
    case "matches": {
      const base = matching(test.right.pattern);
      return base === undefined ? undefined : text(base);
    }
    case "in":
      return test.right.kind === "set" ? testedMembers(test.right, type) : testedList(test.right, type);
    case "bits":
      return undefined;
  }
}

function text(base: TextBase, positive = true): Tested {
  return { kind: "text", base, positive };
}

function testedOrder(
  op: "eq" | "ne" | "lt" | "le" | "gt" | "ge",
  right:
    | { kind: "string"; value: string }
    | { kind: "integer"; value: number | bigint }
    | { kind: "ip"; value: IpRange["first"] },
  type: string,
): Tested | "never" | undefined {
  const wanted = right.kind === "string" ? "string" : right.kind;
  if (type !== wanted) return op === "ne" || type === "unknown" ? undefined : "never";
  if (right.kind === "string") {
    if (op === "eq" || op === "ne") return text(oneOf(new Set([right.value])), op === "eq");
    return text(ordered(op, right.value));
  }
  const value = right.kind === "ip" ? fromAddress(right.value) : BigInt(right.value);
  const own = (universe: Intervals): Intervals => (right.kind === "ip" ? addressesLike(right.value) : universe);
  return { kind: "number", set: (universe) => orderSet(op, value, universe, own(universe)) };
}

/** Order comparisons only hold within one IP version; `ne` also holds across both. */
function orderSet(op: string, value: bigint, universe: Intervals, own: Intervals): Intervals {
  const first = own[0]?.[0] ?? 0n;
  const last = own.at(-1)?.[1] ?? 0n;
  const range = (from: bigint, to: bigint): Intervals => (from > to ? EMPTY : intersect(universe, [[from, to]]));
  switch (op) {
    case "eq":
      return range(value, value);
    case "ne":
      return without(universe, [[value, value]]);
    case "lt":
      return range(first, value - 1n);
    case "le":
      return range(first, value);
    case "gt":
      return range(value + 1n, last);
    default:
      return range(value, last);
  }
}

/** Lists of hostnames do not compare as sets do: see `Translator`. */
function testedList(list: ListName, type: string): Tested | "never" | undefined {
  const { values, isEmpty = false } = contentsOf(list) ?? {};
  if (isEmpty) return "never";
  if (values === undefined || values.kind === "other" || values.kind === "string" || values.kind !== type)
    return undefined;
  const { members } = values;
  return { kind: "number", set: (universe) => intersect(universe, members) };
}

function testedMembers(set: SetLiteral, type: string): Tested | "never" | undefined {
  if (type === "string") return text(oneOf(stringsOf(set)));
  if (type !== "integer" && type !== "ip") return type === "unknown" ? undefined : "never";
  const members = toIntervals(
    type === "ip"
      ? addressesOf(set).map(({ first, last }) => [fromAddress(first), fromAddress(last)])
      : integersOf(set).map(([first, last]) => [BigInt(first), BigInt(last)]),
  );
  return { kind: "number", set: (universe) => intersect(universe, members) };
}
