import type { Argument, Condition, FieldOperand, Operand } from "../../language/ast.js";
import { isCondition, isOperand } from "../../language/ast.js";
import { compileExpression, compileValueExpression, Unknown } from "../../language/index.js";
import { printCondition, printOperand } from "../../language/print/index.js";
import { isAddress, type Evaluated, type Value } from "../../language/value.js";
import { canonicalName } from "../formula/facts.js";
import { implies, isIn, isValue, not, numberLiteral, or, type Formula } from "../formula/formula.js";
import type { NumberTerm, Term, TextTerm } from "../formula/term.js";
import type { Model, ModelValue } from "../solve/model.js";
import { fromAddress, toAddress } from "../values/addresses.js";
import type { Tests } from "./urls.js";

type Scalar = NumberTerm | TextTerm;

/** How the value of a term follows from the values of others. */
export interface Computed {
  readonly inputs: ReadonlyMap<string, Scalar>;
  /** Null if it does not follow. */
  readonly compute: (values: (term: Term) => ModelValue) => ModelValue | null;
  /** The two fields whose equality the term is. */
  readonly equal?: readonly [TextTerm, TextTerm];
}

/** A function of fields, or a comparison of them, whose values the evaluator computes. */
export function computedFrom(what: Operand | Condition, inputs: ReadonlyMap<string, Scalar>): Computed {
  let evaluate: ((field: (name: string) => Evaluated) => Evaluated) | undefined;
  const make = (): NonNullable<typeof evaluate> => {
    const list = (): undefined => undefined;
    if (isOperand(what)) {
      const compiled = compileValueExpression(printOperand(what));
      return (field) => compiled.value({ field, list });
    }
    const compiled = compileExpression(printCondition(what));
    return (field) => {
      const { value } = compiled.evaluate({ field, list });
      return value === "unknown" ? new Unknown([]) : value;
    };
  };
  return {
    inputs,
    compute: (values) => {
      try {
        evaluate ??= make();
        const result = evaluate((name) => {
          const term = inputs.get(canonicalName(name));
          return term === undefined ? new Unknown([]) : toValue(term, values(term));
        });
        return fromValue(result);
      } catch {
        return null;
      }
    },
  };
}

function toValue(term: Scalar, value: ModelValue): Value | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "bigint" || term.kind !== "number") return undefined;
  if (term.valueType === "boolean") return value === 1n;
  if (term.valueType === "ip") return toAddress(value);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function fromValue(value: Evaluated): ModelValue | null {
  if (value === undefined || typeof value === "string" || typeof value === "bigint") return value;
  if (typeof value === "number") return BigInt(value);
  if (typeof value === "boolean") return value ? 1n : 0n;
  return !(value instanceof Unknown) && isAddress(value) ? fromAddress(value) : null;
}

/** The fields that an operand or a condition reads; undefined if it reads parts of them, or all elements. */
export function plainFields(what: Argument): readonly FieldOperand[] | undefined {
  if (isOperand(what)) {
    if (what.mapped || what.path.length > 0) return undefined;
    return what.kind === "field" ? [what] : joined(what.args.map(plainFields));
  }
  if (!isCondition(what)) return [];
  if (what.kind !== "comparison") return undefined;
  const { left, test } = what;
  if (test.kind === "in" && test.right.kind === "list") return undefined;
  return joined([plainFields(left), test.kind === "order" && isOperand(test.right) ? plainFields(test.right) : []]);
}

function joined(parts: readonly (readonly FieldOperand[] | undefined)[]): readonly FieldOperand[] | undefined {
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}

/** Compares a computed term with the values that it follows from; returns what is known if they do not agree. */
export function checkComputed(
  term: Scalar,
  { inputs, compute, equal }: Computed,
  values: Map<Term, ModelValue>,
  tests: Tests,
): readonly Formula[] {
  const terms = Array.from(inputs.values());
  const open = terms.filter((input) => !tests.has(input));
  if (equal !== undefined && open.length === 1 && values.get(term) === 1n) {
    const [given] = terms.filter((input) => tests.has(input));
    if (given !== undefined) values.set(open[0] as Term, values.get(given));
  }
  if (open.length > 0) return [];
  const expected = compute((input) => values.get(input));
  if (expected === null || expected === values.get(term)) return [];
  if (equal !== undefined && values.get(term) === 1n) {
    const known = agree(equal, values, tests);
    if (known.length > 0) return known.map((one) => or([numberLiteral(term as NumberTerm, [[0n, 0n]]), one]));
    if (compute((input) => values.get(input)) === 1n) return [];
  }
  return [or([...terms.map((input) => not(isValue(input, values.get(input)))), isValue(term, expected)])];
}

/** Gives a term that no condition tests the value that follows from the others. */
export function completeComputed(
  term: Scalar,
  { compute }: Computed,
  values: Map<Term, ModelValue>,
  model: Model,
): void {
  const value = compute((input) => (values.has(input) ? values.get(input) : model.get(input)));
  if (value !== null) values.set(term, value);
}

/** Equal texts pass the same tests. If they do, one of them stands for both. */
function agree([a, b]: readonly [TextTerm, TextTerm], values: Map<Term, ModelValue>, tests: Tests): readonly Formula[] {
  const [one, other] = [values.get(a), values.get(b)];
  if (typeof one !== "string" || typeof other !== "string") return [];
  const bases = new Set([...(tests.get(a) ?? []), ...(tests.get(b) ?? []), ...a.domain, ...b.domain]);
  const known = Array.from(bases).flatMap((base): Formula[] => {
    if (base.has(one) === base.has(other)) return [];
    return [implies(isIn(a, base), isIn(b, base)), implies(isIn(b, base), isIn(a, base))];
  });
  if (known.length === 0) values.set(b, one);
  return known;
}
