import type { Combination, Comparison, Condition, Quantifier } from "../ast.js";
import { isCondition, isOperand } from "../ast.js";
import { isArray, isMap, mapValues, Unknown, type Evaluated, type Verdict } from "../value.js";
import { compareValues, compileTest, type ValueTest } from "./comparison.js";
import type { Context, Evaluate } from "./context.js";
import { compileOperand } from "./operand.js";

/** A condition with a single result, or with one for each element of an array. */
type Compiled =
  | { readonly kind: "one"; readonly test: (context: Context) => Verdict }
  | { readonly kind: "many"; readonly tests: (context: Context) => Many };

/** A verdict for each element; unknown if the array itself is. */
type Many = readonly Verdict[] | Unknown;

const NOT_BOOLEAN = new Unknown([
  { kind: "field", name: "", why: "an array was found where a single condition is needed" },
]);

/** Compiles a condition to a closure. */
export function compileCondition(condition: Condition): Compiled {
  switch (condition.kind) {
    case "group":
      return compileCondition(condition.of);
    case "not":
      return negate(compileCondition(condition.of));
    case "combination":
      return compileCombination(condition);
    case "quantifier":
      return { kind: "one", test: compileQuantifier(condition) };
    case "truth":
      return compileTruth(compileValue(condition.operand), isMany(condition));
    case "comparison":
      return compileComparison(condition);
  }
}

/** Whether a bare operand is an array of Booleans. */
function isMany(condition: Extract<Condition, { kind: "truth" }>): boolean {
  return condition.operand.mapped || condition.operand.type.kind === "array" || condition.operand.type.kind === "map";
}

function compileValue(operand: Parameters<typeof compileOperand>[0]): Evaluate {
  return compileOperand(operand, (argument) => {
    const compiled = compileCondition(argument);
    if (compiled.kind === "one") return compiled.test;
    return (context) => booleans(compiled.tests(context));
  });
}

/** Converts verdicts to an array of Booleans, which is unknown if one of them is. */
function booleans(verdicts: Many): Evaluated {
  if (verdicts instanceof Unknown) return verdicts;
  const unknown = verdicts.find((verdict) => verdict instanceof Unknown);
  return unknown ?? verdicts.filter((verdict) => typeof verdict === "boolean");
}

function compileTruth(value: Evaluate, many: boolean): Compiled {
  if (many) return { kind: "many", tests: (context) => eachOf(value(context), asVerdict) };
  return {
    kind: "one",
    test: (context) => {
      const found = value(context);
      // Nil is never true.
      return found === undefined ? false : asVerdict(found);
    },
  };
}

function asVerdict(value: Evaluated): Verdict {
  return typeof value === "boolean" || value instanceof Unknown ? value : NOT_BOOLEAN;
}

/** A verdict for each element; none for a nil array. */
function eachOf(value: Evaluated, test: (element: Evaluated) => Verdict): Many {
  if (value instanceof Unknown) return value;
  if (isMap(value)) return mapValues(value).map(test);
  return isArray(value) ? value.map(test) : [];
}

function compileComparison({ left, test }: Comparison): Compiled {
  const value = compileValue(left);
  const compare =
    test.kind === "order" && isOperand(test.right) ? bothSides(test.op, compileValue(test.right)) : compileTest(test);
  if (left.mapped) {
    return {
      kind: "many",
      tests: (context) => eachOf(value(context), (element) => testFound(element, compare, context)),
    };
  }
  return { kind: "one", test: (context) => testFound(value(context), compare, context) };
}

/** No comparison with nil is true, not even `ne`. */
function testFound(value: Evaluated, compare: ValueTest, context: Context): Verdict {
  if (typeof value === "string") return compare(value, context);
  if (value === undefined) return false;
  return value instanceof Unknown ? value : compare(value, context);
}

function bothSides(op: Parameters<typeof compareValues>[0], right: Evaluate): ValueTest {
  return (left, context) => {
    const value = right(context);
    if (value === undefined) return false;
    return value instanceof Unknown ? value : compareValues(op, left, value);
  };
}

function compileQuantifier({ name, of }: Quantifier): (context: Context) => Verdict {
  const decide = name === "any" ? anyOf : allOf;
  if (isCondition(of)) {
    const compiled = compileCondition(of);
    return compiled.kind === "many" ? (context) => decide(compiled.tests(context)) : () => NOT_BOOLEAN;
  }
  if (!isOperand(of)) return () => NOT_BOOLEAN;
  const value = compileValue(of);
  return (context) => {
    const found = value(context);
    // As a value, a nil array makes `all` false; as a condition, it has no false elements.
    return found === undefined ? false : decide(eachOf(found, asVerdict));
  };
}

function anyOf(verdicts: Many): Verdict {
  return verdicts instanceof Unknown ? verdicts : disjoin(verdicts, itself, undefined);
}

function allOf(verdicts: Many): Verdict {
  return verdicts instanceof Unknown ? verdicts : conjoin(verdicts, itself, undefined);
}

/** False if an item is false; otherwise unknown if an item is unknown. */
function conjoin<T, A>(items: readonly T[], test: (item: T, argument: A) => Verdict, argument: A): Verdict {
  let unknown: Unknown | undefined;
  for (const item of items) {
    const verdict = test(item, argument);
    if (verdict === false) return false;
    if (verdict !== true) unknown = Unknown.join(unknown, verdict);
  }
  return unknown ?? true;
}

/** True if an item is true; otherwise unknown if an item is unknown. */
function disjoin<T, A>(items: readonly T[], test: (item: T, argument: A) => Verdict, argument: A): Verdict {
  let unknown: Unknown | undefined;
  for (const item of items) {
    const verdict = test(item, argument);
    if (verdict === true) return true;
    if (verdict !== false) unknown = Unknown.join(unknown, verdict);
  }
  return unknown ?? false;
}

/** Whether an odd number of items is true; unknown if an item is unknown. */
function anyOdd<T, A>(items: readonly T[], test: (item: T, argument: A) => Verdict, argument: A): Verdict {
  let unknown: Unknown | undefined;
  let odd = false;
  for (const item of items) {
    const verdict = test(item, argument);
    if (verdict instanceof Unknown) unknown = Unknown.join(unknown, verdict);
    else odd = odd !== verdict;
  }
  return unknown ?? odd;
}

function itself(verdict: Verdict): Verdict {
  return verdict;
}

function applied(test: (context: Context) => Verdict, context: Context): Verdict {
  return test(context);
}

function elementAt(array: readonly Verdict[], index: number): Verdict {
  return array[index] ?? false;
}

const DECIDE = { and: conjoin, or: disjoin, xor: anyOdd } as const;

function compileCombination({ op, items }: Combination): Compiled {
  const compiled = items.map(compileCondition);
  const decide = DECIDE[op];
  const ones = compiled.flatMap((item) => (item.kind === "one" ? [item.test] : []));
  if (ones.length === compiled.length) {
    return { kind: "one", test: (context) => decide(ones, applied, context) };
  }
  const many = compiled.map(asMany);
  return {
    kind: "many",
    tests: (context) =>
      combineEach(
        many.map((tests) => tests(context)),
        decide,
      ),
  };
}

function asMany(compiled: Compiled): (context: Context) => Many {
  return compiled.kind === "many" ? compiled.tests : () => NOT_BOOLEAN;
}

/** Element by element, up to the shortest array. */
function combineEach(arrays: readonly Many[], decide: typeof conjoin): Many {
  let unknown: Unknown | undefined;
  const known: (readonly Verdict[])[] = [];
  for (const array of arrays) {
    if (array instanceof Unknown) unknown = Unknown.join(unknown, array);
    else known.push(array);
  }
  if (unknown !== undefined) return unknown;
  const length = Math.min(...known.map((array) => array.length));
  return Array.from({ length }, (_, index) => decide(known, elementAt, index));
}

function negate(compiled: Compiled): Compiled {
  if (compiled.kind === "one") return { kind: "one", test: (context) => inverse(compiled.test(context)) };
  return {
    kind: "many",
    tests: (context) => {
      const verdicts = compiled.tests(context);
      return verdicts instanceof Unknown ? verdicts : verdicts.map(inverse);
    },
  };
}

function inverse(verdict: Verdict): Verdict {
  return typeof verdict === "boolean" ? !verdict : verdict;
}
