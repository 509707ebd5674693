import type { Literal, OrderOperator, SetLiteral, Test } from "../ast.js";
import { isOperand } from "../ast.js";
import { compareIps } from "../ip.js";
import { compileRegex } from "../regex/engine.js";
import { addressesOf, integersOf, stringsOf } from "../members-of-set.js";
import { isAddress, Unknown, type Integer, type Value, type Verdict } from "../value.js";
import { compileWildcard } from "../wildcard.js";
import type { Context } from "./context.js";
import { isEqualValue } from "./functions/collections.js";
import { compileAddressSet, compileIntegerSet } from "./sets.js";

/** Tests one present value. */
export type ValueTest = (value: Value, context: Context) => Verdict;

/** Compiles an operator with a literal right side. */
export function compileTest(test: Test): ValueTest {
  switch (test.kind) {
    case "order":
      return isOperand(test.right) ? () => false : compileOrder(test.op, test.right);
    case "bits":
      return test.right.kind === "integer" ? compileBits(test.right.value) : () => false;
    case "contains": {
      const { value: part } = test.right;
      return typeof part === "string" ? (value) => typeof value === "string" && value.includes(part) : () => false;
    }
    case "wildcard": {
      const fits = compileWildcard(test.right.value, test.strict);
      return (value) => typeof value === "string" && fits(value);
    }
    case "matches":
      return compileMatches(test.right.pattern);
    case "in":
      return test.right.kind === "set" ? compileSet(test.right) : compileList(test.right.name);
  }
}

function compileOrder(op: OrderOperator, right: Literal): ValueTest {
  const { value: wanted } = right;
  if (op === "eq" && right.kind !== "ip") return (value) => value === wanted;
  if (op === "ne" && right.kind !== "ip") return (value) => value !== wanted;
  return (value) => compareValues(op, value, wanted);
}

/** Compares two values. Addresses of different versions are neither equal nor ordered. */
export function compareValues(op: OrderOperator, left: Value, right: Value): boolean {
  if (op === "eq") return isEqualValue(left, right);
  if (op === "ne") return !isEqualValue(left, right);
  const order = orderOf(left, right);
  if (order === undefined) return false;
  return { lt: order < 0, le: order <= 0, gt: order > 0, ge: order >= 0 }[op];
}

function orderOf(left: Value, right: Value): number | undefined {
  if (isAddress(left) || isAddress(right)) {
    return isAddress(left) && isAddress(right) ? compareIps(left, right) : undefined;
  }
  const texts = typeof left === "string" && typeof right === "string";
  if (!texts && !(isInteger(left) && isInteger(right))) return undefined;
  return left < right ? -1 : left > right ? 1 : 0;
}

function isInteger(value: Value): value is Integer {
  return typeof value === "number" || typeof value === "bigint";
}

/** Whether any bit of the mask is set. */
function compileBits(mask: Integer): ValueTest {
  const big = BigInt(mask);
  return (value) => isInteger(value) && (BigInt(value) & big) !== 0n;
}

function compileMatches(pattern: string): ValueTest {
  const compiled = compileRegex(pattern);
  if (compiled !== undefined) return (value) => typeof value === "string" && compiled.test(value);
  const unknown = new Unknown([
    { kind: "regex", name: pattern, why: "this regular expression cannot be evaluated locally" },
  ]);
  return () => unknown;
}

function compileSet(set: SetLiteral): ValueTest {
  const texts: ReadonlySet<Value> = stringsOf(set);
  const [integers, addresses] = [integersOf(set), addressesOf(set)];
  if (integers.length === 0 && addresses.length === 0) return (value) => texts.has(value);
  const inIntegers = compileIntegerSet(integers);
  const inAddresses = compileAddressSet(addresses);
  return (value) => (isAddress(value) ? inAddresses(value) : isInteger(value) ? inIntegers(value) : texts.has(value));
}

function compileList(name: string): ValueTest {
  const unknown = new Unknown([
    {
      kind: "list",
      name,
      why: `the items of the list $${name} are not known; pass them as \`lists: { ${name}: […] }\``,
    },
  ]);
  return (value, context) => context.list?.(name)?.has(value) ?? unknown;
}
