// Not from the language's index, so that a program does not load the evaluator.
import { parseExpression } from "../syntax/index.js";
import { RANK } from "../syntax/keywords.js";

/** An operator next to a condition. */
type Neighbour = keyof typeof RANK | "not";

const MAY_COMBINE = /\b(?:and|or|xor)\b|&&|\|\||\^\^/;

/**
 * A condition or value for use between operators: in brackets only if they are needed to keep its meaning. A condition that
 * this version cannot parse also gets brackets, which never change its meaning.
 */
export function bracketed(text: string, neighbours: readonly Neighbour[]): string {
  if (neighbours.length === 0 || !MAY_COMBINE.test(text)) return text;
  const parsed = parseExpression(text);
  if ("fault" in parsed) return "fault" in parseExpression(text, "value") ? `(${text})` : text;
  const { expression } = parsed;
  if (expression.kind !== "filter" || expression.condition.kind !== "combination") return text;
  const own = RANK[expression.condition.op];
  return neighbours.some((operator) => operator === "not" || RANK[operator] > own) ? `(${text})` : text;
}

const WORDS: Readonly<Record<string, Neighbour>> = {
  ...{ and: "and", or: "or", xor: "xor", not: "not" },
  ...{ "&&": "and", "||": "or", "^^": "xor", "!": "not" },
};
const BEFORE = /(?:(?<![\w.])(and|or|xor|not)|(&&|\|\||\^\^|!))\s*$/;
const BEHIND = /^\s*(?:(and|or|xor)(?![\w.])|(&&|\|\||\^\^))/;

/** The operators at the end of the text before a position and at the start of the text after it. */
export function neighboursOf(before: string, behind: string): Neighbour[] {
  return [BEFORE.exec(before), BEHIND.exec(behind)].flatMap((found): Neighbour[] => {
    const operator = WORDS[found?.[1] ?? found?.[2] ?? ""];
    return operator === undefined ? [] : [operator];
  });
}

/** Conditions joined by an operator. */
export function joined(operator: "and" | "or", texts: readonly string[]): string {
  const [only] = texts;
  if (only !== undefined && texts.length === 1) return only;
  return texts.map((text) => bracketed(text, [operator])).join(` ${operator} `);
}

/** The negation of a condition; for `not a` it is `a`. */
export function negated(text: string): string {
  const parsed = parseExpression(text);
  if (!("fault" in parsed) && parsed.expression.kind === "filter" && parsed.expression.condition.kind === "not") {
    const { start, end } = parsed.expression.condition.of.span;
    return text.slice(start, end);
  }
  return `not ${"fault" in parsed ? `(${text})` : bracketed(text, ["not"])}`;
}
