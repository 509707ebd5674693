import { type Argument, type Expression, type Operand, isCondition, isOperand } from "../ast.js";
import { bySeverity, locate, type LocatedFinding } from "../finding.js";
import { parseExpression } from "../syntax/index.js";
import { BOOLEAN, parseType, STRING, typeName, UNKNOWN } from "../type.js";
import { checkCondition, checkFilter } from "./condition.js";
import { FindingCollector } from "./finding-collector.js";
import { checkOperand } from "./names.js";
import { findTraps } from "./traps/index.js";
import type { CheckOptions } from "./options.js";
import { countCharacters, expressionLength } from "../length.js";

/** The findings, errors first, and the tree if the text can be parsed. */
export interface Checked {
  readonly expression?: Expression;
  readonly findings: readonly LocatedFinding[];
}

/**
 * Checks an expression as far as that is possible without the service. Errors are what the service rejects; warnings are what it may
 * reject, or what probably has another meaning than intended.
 *
 * @example
 * checkExpression('ip.src == "abc"')[0]?.message; // `ip.src` has type IP address, but …
 */
export function checkExpression(text: string, options: CheckOptions = {}): readonly LocatedFinding[] {
  return analyse(text, options).findings;
}

/** Parses and checks an expression, for callers that need the tree. */
export function analyse(text: string, options: CheckOptions = {}): Checked {
  const collector = new FindingCollector(text, options, checkCondition, checkOperand, checkArgument);
  checkLength(text, collector);
  if (collector.errors > 0) return { findings: located(collector) };
  const first = parseExpression(text, options.slot === "value" ? "value" : "filter");
  const parsed = "fault" in first && options.type === "Any" ? parseExpression(text, "filter") : first;
  if ("fault" in parsed) {
    collector.findings.push(parsed.fault);
    return { findings: located(collector) };
  }
  const { expression, notes, nesting } = parsed;
  collector.findings.push(...notes);
  checkNesting(nesting, collector);
  if (expression.kind === "filter") checkFilter(expression.condition, collector);
  else checkValue(expression.operand, collector);
  if (collector.errors === 0) collector.findings.push(...findTraps(text, expression, options));
  return { expression, findings: located(collector) };
}

function checkArgument(argument: Argument, collector: FindingCollector): void {
  if (isCondition(argument)) checkCondition(argument, collector);
  else if (isOperand(argument)) checkOperand(argument, collector);
}

/** A value expression returns a single value of the type that the parameter expects. */
function checkValue(operand: Operand, collector: FindingCollector): void {
  const before = collector.errors;
  collector.operand(operand, collector);
  const { type, span } = operand;
  if (collector.errors > before || type === UNKNOWN) return;
  if (operand.mapped) {
    collector.error(
      "slot",
      span,
      "a value expression gives a single value; use an index such as `[0]` instead of `[*]`",
    );
    return;
  }
  const { type: asked = "String" } = collector.options;
  if (asked === "Any") return;
  const wanted = asked === "Scalar" ? STRING : parseType(asked);
  const isText = wanted === STRING && (type.kind === "integer" || type === BOOLEAN || type.kind === "ip");
  if (type === wanted || (isText && asked === "Scalar")) return;
  const text = collector.show(span);
  const instead = isText ? `to_string(${text})` : undefined;
  const hint = instead === undefined ? "" : `; write \`${instead}\``;
  const message = `expected a value of type ${typeName(wanted)}, but \`${text}\` has type ${typeName(type)}${hint}`;
  collector.report(collector.options.type !== undefined, "slot", span, message, instead);
}

function located({ text, findings }: FindingCollector): readonly LocatedFinding[] {
  return findings.map((finding) => locate(text, finding)).sort((a, b) => bySeverity(a, b) || a.offset - b.offset);
}

/** The maximum length that the service accepts, as it counts characters. */
const MAX_LENGTH = 4096;
/** The limit of the Cloudflare dashboard. */
const DASHBOARD_LENGTH = 4000;
/** The default limit of Cloudflare's engine. The service's setting is not public. */
const ENGINE_NESTING = 128;

function checkLength(text: string, collector: FindingCollector): void {
  const trimmed = text.trim();
  if (trimmed.length <= DASHBOARD_LENGTH) return;
  const whole = { start: 0, end: text.length };
  const typed = countCharacters(trimmed);
  const length = expressionLength(trimmed);
  if (length > MAX_LENGTH) {
    const how = length < typed ? ", with each run of white space counted as one" : "";
    const has = `the expression has ${String(length)} characters${how}`;
    collector.error("length", whole, `${has}; the service allows at most ${String(MAX_LENGTH)}`);
  } else if (typed > DASHBOARD_LENGTH) {
    const has = `the expression has ${String(typed)} characters`;
    collector.warn(
      "length",
      whole,
      `${has}; the dashboard allows ${String(DASHBOARD_LENGTH)}, the API ${String(MAX_LENGTH)}`,
    );
  }
}

function checkNesting(levels: number, collector: FindingCollector): void {
  if (levels <= ENGINE_NESTING) return;
  const has = `parentheses, negations and calls are nested ${String(levels)} levels deep`;
  collector.warn(
    "nesting",
    { start: 0, end: collector.text.length },
    `${has}; the service may allow only ${String(ENGINE_NESTING)}`,
  );
}
