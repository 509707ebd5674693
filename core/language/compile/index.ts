import type { FilterExpression, Operand } from "../ast.js";
import { analyse } from "../check/index.js";
import { isError, type LocatedFinding } from "../finding.js";
import type { CheckOptions } from "../check/options.js";
import { Unknown, type Evaluated, type Reason, type Verdict } from "../value.js";
import { compileCondition } from "./condition.js";
import type { Context } from "./context.js";
import { compileOperand } from "./operand.js";
import { traceCondition, type TracedPart } from "./trace.js";

/** Whether an expression matches, or is unknown and why. */
export interface Outcome {
  readonly value: boolean | "unknown";
  readonly because: readonly Reason[];
}

/** An expression that can be evaluated. */
export interface CompiledExpression {
  readonly expression: FilterExpression;
  /**
   * Whether a request matches.
   * @throws UndecidedError if that depends on something unknown about the request
   */
  readonly matches: (request: Context) => boolean;
  /** Whether a request matches, or that it is unknown. */
  readonly evaluate: (request: Context) => Outcome;
  /** The result of every part. */
  readonly trace: (request: Context) => TracedPart;
}

/** A value expression that can be computed. */
export interface CompiledValue {
  readonly operand: Operand;
  /** The value: nil is `undefined`. */
  readonly value: (request: Context) => Evaluated;
}

/** An expression that the service would reject. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  constructor(readonly errors: readonly LocatedFinding[]) {
    super(
      errors
        .map((error) => `${error.message} (${String(error.line)}:${String(error.column)})\n${error.excerpt}`)
        .join("\n"),
    );
  }
}

/** The result of an expression depends on something unknown about the request. */
export class UndecidedError extends Error {
  override readonly name = "UndecidedError";
  constructor(readonly because: readonly Reason[]) {
    super(`cannot tell whether the expression matches: ${because.map(({ why }) => why).join("; ")}`);
  }
}

/**
 * Compiles a filter expression.
 * @throws ExpressionError with the position of every error
 *
 * @example
 * compileExpression('starts_with(http.request.uri.path, "/admin")').matches(makeRequest({ url: "https://example.com/" }));
 */
export function compileExpression(text: string, options: CheckOptions = {}): CompiledExpression {
  const { expression, findings } = analyse(text, { ...options, slot: options.slot ?? "filter" });
  if (expression?.kind !== "filter" || findings.some(isError)) throw new ExpressionError(findings.filter(isError));
  return compileFilter(expression);
}

/** Compiles an expression that has been parsed and checked. */
export function compileFilter(expression: FilterExpression): CompiledExpression {
  const { condition } = expression;
  const compiled = compileCondition(condition);
  if (compiled.kind === "many") throw new TypeError("a filter is one condition, not an array of them");
  const { test } = compiled;
  return {
    expression,
    matches: (request) => decided(test(request)),
    evaluate: (request) => toOutcome(test(request)),
    trace: (request) => traceCondition(condition, request),
  };
}

/**
 * Compiles a value expression.
 * @throws ExpressionError
 */
export function compileValueExpression(text: string, options: CheckOptions = {}): CompiledValue {
  const { expression, findings } = analyse(text, { ...options, slot: "value" });
  if (expression?.kind !== "value" || findings.some(isError)) throw new ExpressionError(findings.filter(isError));
  const { operand } = expression;
  const value = compileOperand(operand, (argument) => {
    const compiled = compileCondition(argument);
    if (compiled.kind === "one") return compiled.test;
    return () => new Unknown([{ kind: "function", name: operand.name, why: "an array of conditions has no value" }]);
  });
  return { operand, value };
}

function decided(verdict: Verdict): boolean {
  if (typeof verdict === "boolean") return verdict;
  throw new UndecidedError(verdict.because);
}

const MATCHES: Outcome = { value: true, because: [] };
const MATCHES_NOT: Outcome = { value: false, because: [] };

function toOutcome(verdict: Verdict): Outcome {
  if (typeof verdict !== "boolean") return { value: "unknown", because: verdict.because };
  return verdict ? MATCHES : MATCHES_NOT;
}
