import type { Argument, SetLiteral, Test } from "../ast.js";
import { formatIp } from "../ip.js";
import { printSet } from "../print/literals.js";
import { parseExpression } from "../syntax/index.js";
import { childrenOf, rootOf } from "../tree.js";
import { normaliseSet } from "./sets.js";

/**
 * The names and values in an expression, in order, with the smallest string of each set. Expressions with equal normal forms
 * have equal outlines, and others mostly have not, so a normal form, which sorts sets, is only needed where outlines are equal.
 * Undefined if the expression cannot be parsed.
 */
export function outlineOf(text: string): string | undefined {
  const parsed = parseExpression(text);
  return "fault" in parsed ? undefined : outline(rootOf(parsed.expression));
}

function outline(part: Argument): string {
  switch (part.kind) {
    case "field":
      return part.name;
    case "call":
      return `${part.name} ${part.args.map(outline).join(" ")}`;
    case "comparison":
      return `${outline(part.left)} ${ofTest(part.test)}`;
    case "string":
      return part.value;
    case "integer":
      return String(part.value);
    case "ip":
      return formatIp(part.value);
    default:
      return childrenOf(part).map(outline).join(" ");
  }
}

function ofTest(test: Test): string {
  switch (test.kind) {
    case "matches":
      return test.right.pattern;
    case "in":
      return test.right.kind === "set" ? ofSet(test.right) : test.right.name;
    default:
      return outline(test.right);
  }
}

function ofSet(set: SetLiteral): string {
  let least: string | undefined;
  for (const item of set.items) {
    if (item.kind === "string" && (least === undefined || item.value < least)) least = item.value;
  }
  return least ?? printSet(normaliseSet(set));
}
