import type { Argument, Expression, Operand } from "../ast.js";
import { isCondition, isOperand } from "../ast.js";
import { locate, type Finding, type LocatedFinding } from "../finding.js";
import { parseExpression } from "../syntax/index.js";
import { BOOLEAN, parseType, STRING, typeName, UNKNOWN } from "../type.js";
import { judgeCondition, judgeFilter } from "./condition.js";
import { Judge } from "./judge.js";
import { judgeLength, judgeNesting } from "./limits.js";
import { judgeOperand } from "./names.js";
import type { CheckOptions } from "./options.js";

/** Errors are what the service rejects. Warnings are what it may reject, or what probably has another meaning than intended. */
export interface Findings {
  readonly errors: readonly LocatedFinding[];
  readonly warnings: readonly LocatedFinding[];
}

/** The findings, and the tree if the text can be parsed. */
export interface Checked extends Findings {
  readonly expression?: Expression;
}

/**
 * Checks an expression as far as that is possible without the service.
 *
 * @example
 * checkExpression('ip.src == "abc"').errors[0]?.message; // `ip.src` has type IP address, but …
 */
export function checkExpression(text: string, options: CheckOptions = {}): Findings {
  const { errors, warnings } = analyse(text, options);
  return { errors, warnings };
}

/** Parses and checks an expression, for callers that need the tree. */
export function analyse(text: string, options: CheckOptions = {}): Checked {
  const judge = new Judge(text, options, judgeCondition, judgeOperand, judgeArgument);
  judgeLength(text, judge);
  if (judge.errors.length > 0) return { errors: located(text, judge.errors), warnings: [] };
  const kind = options.slot === "value" ? "value" : "filter";
  const parsed = parseExpression(text, kind);
  if ("fault" in parsed) {
    judge.errors.push(parsed.fault);
    return { errors: located(text, judge.errors), warnings: located(text, judge.warnings) };
  }
  const { expression, notes, nesting } = parsed;
  judge.warnings.push(...notes);
  judgeNesting(nesting, judge);
  if (expression.kind === "filter") judgeFilter(expression.condition, judge);
  else judgeValue(expression.operand, judge);
  return { expression, errors: located(text, judge.errors), warnings: located(text, judge.warnings) };
}

function judgeArgument(argument: Argument, judge: Judge): void {
  if (isCondition(argument)) judgeCondition(argument, judge);
  else if (isOperand(argument)) judgeOperand(argument, judge);
}

/** A value expression returns a single value of the type that the parameter expects. */
function judgeValue(operand: Operand, judge: Judge): void {
  const before = judge.errors.length;
  judge.operand(operand, judge);
  const { type, span } = operand;
  if (judge.errors.length > before || type === UNKNOWN) return;
  if (operand.mapped) {
    judge.error("slot", span, "a value expression gives a single value; use an index such as `[0]` instead of `[*]`");
    return;
  }
  const wanted = parseType(judge.options.type ?? "String");
  if (type === wanted) return;
  const text = judge.show(span);
  const texts = wanted === STRING && (type.kind === "integer" || type === BOOLEAN || type.kind === "ip");
  const hint = texts ? `; write \`to_string(${text})\`` : "";
  const message = `expected a value of type ${typeName(wanted)}, but \`${text}\` has type ${typeName(type)}${hint}`;
  judge.report(judge.options.type !== undefined, "slot", span, message);
}

function located(text: string, findings: readonly Finding[]): readonly LocatedFinding[] {
  return findings.map((finding) => locate(text, finding)).sort((a, b) => a.offset - b.offset);
}
