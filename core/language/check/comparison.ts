import type { Comparison, Literal, Operand, SetItem, SetLiteral, Span, StringLiteral } from "../ast.js";
import { isOperand } from "../ast.js";
import { showBytes } from "../bytes.js";
import { parseIpRange } from "../ip.js";
import { BOOLEAN, elementOf, INTEGER, IP, STRING, typeName, UNKNOWN, withArticle, type Type } from "../type.js";
import { asNumber, asNumberText } from "../as-number.js";
import { wildcardFault } from "../wildcard.js";
import type { FindingCollector } from "./finding-collector.js";
import { isSure } from "./sure.js";
import { checkList } from "./lists.js";
import { isAboutRequests } from "./phases.js";
import { checkPlan } from "./plans.js";
import { checkPattern } from "./regexes.js";
import { checkValues } from "./values.js";

/** Checks a comparison; false if it has an error that makes its type irrelevant. */
export function checkComparison(comparison: Comparison, collector: FindingCollector): boolean {
  const before = collector.errors;
  const { left, test } = comparison;
  collector.operand(left, collector);
  if (test.kind === "order" && isOperand(test.right)) collector.operand(test.right, collector);
  if (collector.errors > before) return false;
  checkTest(comparison, collector);
  return collector.errors === before;
}

function checkTest({ left, test }: Comparison, collector: FindingCollector): void {
  switch (test.kind) {
    case "order":
      if (isOperand(test.right)) checkBothSides(left, test.right, test.opSpan, collector);
      else {
        checkLiteral(left, test.right, test.opSpan, collector);
        if (test.right.kind === "string" && (test.op === "eq" || test.op === "ne"))
          checkValues(left, [test.right], collector);
      }
      if (left.type === IP && test.op !== "eq" && test.op !== "ne") {
        const why =
          "Cloudflare's documentation does not list this operator for addresses, although its engine accepts it";
        collector.warn(
          "ip-order",
          test.opSpan,
          `\`${test.op}\` between IP addresses: ${why}. Use \`in {first..last}\` to be safe`,
        );
      }
      return;
    case "bits":
      checkBits(test.opSpan, collector);
      if (fits(left, INTEGER, "bitwise_and", test.opSpan, collector))
        checkLiteral(left, test.right, test.opSpan, collector);
      return;
    case "contains":
      if (fits(left, STRING, "contains", test.opSpan, collector)) {
        checkLiteral(left, test.right, test.opSpan, collector);
        if (test.right.kind === "string") checkValues(left, [test.right], collector, "parts");
      }
      return;
    case "matches":
      checkPlan("matches", "operator", test.opSpan, collector);
      checkPattern(test.right.pattern, test.right.span, collector);
      fits(left, STRING, "matches", test.opSpan, collector);
      return;
    case "wildcard":
      checkWildcard(test.right, collector);
      fits(left, STRING, test.strict ? "strict wildcard" : "wildcard", test.opSpan, collector);
      return;
    case "in":
      if (test.right.kind === "list") checkList(left, test.right, collector);
      else {
        checkSet(left, test.right, collector);
        checkValues(
          left,
          test.right.items.filter((item) => item.kind === "string"),
          collector,
        );
      }
  }
}

/** The engine reads `bitwise_and` everywhere; the service refuses it in rules about requests. */
function checkBits(span: Span, collector: FindingCollector): void {
  const { phase } = collector.options;
  if (isAboutRequests(phase))
    collector.error("phase", span, `\`bitwise_and\` is not available in \`${String(phase)}\``);
  else
    collector.warn("undocumented", span, "Cloudflare does not document `bitwise_and`, although its engine accepts it");
}

/** Whether an operator supports the type of the left side. */
function fits(left: Operand, wanted: Type, operator: string, opSpan: Span, collector: FindingCollector): boolean {
  if (left.type === UNKNOWN || left.type === wanted) return true;
  const text = collector.show(left.span);
  collector.report(
    isSure(left),
    "type",
    opSpan,
    `\`${operator}\` needs ${withArticle(wanted)}, but \`${text}\` has type ${typeName(left.type)}${element(left, text)}`,
  );
  return false;
}

function element(left: Operand, text: string): string {
  if (left.type.kind === "array") return `; use one element, \`${text}[0]\`, or all of them, \`any(${text}[*] …)\``;
  return left.type.kind === "map" ? `; use the value of a key: \`${text}["key"]\`` : "";
}

/** Since October 2026 the right side may be a field or a call. */
function checkBothSides(left: Operand, right: Operand, opSpan: Span, collector: FindingCollector): void {
  if (right.mapped) {
    collector.error("type", right.span, "`[*]` can be used only on the left side of a comparison");
    return;
  }
  if (left.type === UNKNOWN || right.type === UNKNOWN) return;
  if (left.type !== right.type) {
    const sides = `${typeName(left.type)} with ${typeName(right.type)}`;
    collector.report(isSure(left) && isSure(right), "type", opSpan, `cannot compare ${sides}`);
  } else if (left.type === BOOLEAN || elementOf(left.type) !== undefined) {
    const why = "only texts, numbers and addresses can be compared with one another";
    collector.error("type", opSpan, `this compares two values of type ${typeName(left.type)}; ${why}`);
  }
}

const LITERALS = { string: STRING, integer: INTEGER, ip: IP } as const;

function checkLiteral(left: Operand, right: Literal, opSpan: Span, collector: FindingCollector): void {
  const { type } = left;
  if (type === UNKNOWN || type === LITERALS[right.kind]) return;
  const text = collector.show(left.span);
  if (type === BOOLEAN || elementOf(type) !== undefined) {
    const rule = type === BOOLEAN ? ` and is already true or false` : element(left, text);
    collector.report(isSure(left), "type", opSpan, `\`${text}\` has type ${typeName(type)}${rule}`);
    return;
  }
  const sure = isSure(left);
  reportMismatch({ type, sure, right, left: text }, collector);
}

interface Mismatch {
  readonly type: Type;
  readonly sure: boolean;
  readonly right: Literal | SetItem;
  readonly left: string;
}

/** Reports a literal of the wrong type. The number of an AS is not written as people say it. */
function reportMismatch({ type, sure, right, left }: Mismatch, collector: FindingCollector): void {
  const shown = collector.show(right.span);
  const number = type === INTEGER && right.kind === "string" ? asNumber(right.value) : undefined;
  if (number === undefined) collector.report(sure, "type", right.span, ...mismatch(type, right, left, shown));
  else collector.report(sure, "as-number", right.span, asNumberText(left, shown, number), number, true);
}

/** The error message for a literal of the wrong type, and the correct notation. */
function mismatch(
  type: Type,
  right: Literal | SetItem,
  left: string,
  shown: string,
): readonly [message: string, instead?: string, mayApply?: boolean] {
  const fact = `\`${left}\` has type ${typeName(type)}`;
  if (type === STRING) return [`${fact}; write a quoted string: \`"${shown}"\``, `"${shown}"`, true];
  const inner = right.kind === "string" ? showBytes(right.value) : shown;
  const bare = type === INTEGER ? /^-?\d+$/.test(inner) : !("fault" in parseIpRange(inner));
  if (right.kind === "string" && bare) return [`${fact}; write \`${inner}\` without quotes`, inner, true];
  return [`${fact}, but \`${shown}\` is ${right.kind === "string" ? "a string" : "not"}`];
}

function checkWildcard(pattern: StringLiteral, collector: FindingCollector): void {
  const fault = wildcardFault(pattern.value);
  if (fault !== undefined) collector.error("wildcard", pattern.span, fault);
}

const ITEMS = { ...LITERALS, "integer-range": INTEGER, "ip-range": IP } as const;

function checkSet(left: Operand, set: SetLiteral, collector: FindingCollector): void {
  const { type } = left;
  const text = collector.show(left.span);
  if (type === BOOLEAN || elementOf(type) !== undefined) {
    const fact = `\`in\` needs a String, an Integer or an IP address, but \`${text}\` has type ${typeName(type)}`;
    collector.report(isSure(left), "type", set.span, `${fact}${element(left, text)}`);
    return;
  }
  if (set.items.length === 0) collector.warn("empty-set", set.span, "an empty set never matches");
  const first = set.items[0];
  for (const item of set.items) {
    const wanted = type === UNKNOWN && first !== undefined ? ITEMS[first.kind] : type;
    if (ITEMS[item.kind] === wanted) continue;
    const sure = isSure(left) && type !== UNKNOWN;
    reportMismatch({ type: wanted, sure, right: item, left: text }, collector);
    return;
  }
}
