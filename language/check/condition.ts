import type { Argument, Combination, Condition, Quantifier, Truth } from "../ast.js";
import { isCondition, isOperand } from "../ast.js";
import { conditionType, typeOfArgument } from "../syntax/result.js";
import { arrayOf, BOOLEAN, elementOf, typeName, UNKNOWN, type Type } from "../type.js";
import { judgeComparison } from "./comparison.js";
import type { Judge } from "./judge.js";

const BOOLEANS = arrayOf(BOOLEAN);

/** Checks a condition and all its parts. The type is unknown if there is an error. */
export function judgeCondition(condition: Condition, judge: Judge): Type {
  switch (condition.kind) {
    case "group":
    case "not":
      return judgeCondition(condition.of, judge);
    case "combination":
      return judgeCombination(condition, judge);
    case "quantifier":
      return judgeQuantifier(condition, judge);
    case "truth":
      return judgeTruth(condition, judge);
    case "comparison":
      return judgeComparison(condition, judge) ? conditionType(condition) : UNKNOWN;
  }
}

/** A rule's expression must be a single Boolean. */
export function judgeFilter(condition: Condition, judge: Judge): void {
  const type = judgeCondition(condition, judge);
  if (type === BOOLEAN || type === UNKNOWN) return;
  judge.error(
    "type",
    condition.span,
    `this is true or false for each element of an array, not once; write \`any(${short(condition, judge)})\` or \`all(${short(condition, judge)})\``,
  );
}

function judgeCombination(combination: Combination, judge: Judge): Type {
  let type: Type = UNKNOWN;
  for (const item of combination.items) {
    const next = judgeCondition(item, judge);
    if (next === UNKNOWN) continue;
    if (type !== UNKNOWN && type !== next) {
      const array = type === BOOLEANS ? combination.items[0] : item;
      const shown = array === undefined ? "…" : short(array, judge);
      judge.error(
        "type",
        item.span,
        `\`${combination.op}\` combines a condition with an array of conditions; use \`any(${shown})\` or \`all(${shown})\``,
      );
      return UNKNOWN;
    }
    type = next;
  }
  return type;
}

function judgeQuantifier({ name, of }: Quantifier, judge: Judge): Type {
  const before = judge.errors.length;
  const type = argumentType(of, judge);
  if (type === BOOLEANS || type === UNKNOWN || judge.errors.length > before) return BOOLEAN;
  const text = judge.show(of.span);
  judge.error("type", of.span, `\`${name}\` needs an array of conditions, ${found(of, type, text)}`);
  return BOOLEAN;
}

function found(of: Argument, type: Type, text: string): string {
  if (isOperand(of) && of.mapped && type === BOOLEAN) return `and \`${text}\` is one without the last \`[*]\``;
  if (type.kind === "boolean")
    return `but \`${text}\` is a single condition; compare the elements of an array with \`[*]\``;
  if (isOperand(of) && of.mapped) return `but \`${text}\` is not compared with anything; write \`${text} eq …\``;
  const element = elementOf(type);
  const hint = element === undefined ? "" : `; compare its elements: \`${text}[*] eq …\``;
  return `but \`${text}\` has type ${typeName(type)}${hint}`;
}

/** The type of an argument of a call or quantifier; a condition there may be an array. */
function argumentType(argument: Argument, judge: Judge): Type {
  if (isCondition(argument)) return judgeCondition(argument, judge);
  judge.argument(argument, judge);
  return typeOfArgument(argument);
}

function judgeTruth({ operand, span }: Truth, judge: Judge): Type {
  const before = judge.errors.length;
  judge.operand(operand, judge);
  const { type } = operand;
  if (judge.errors.length > before) return UNKNOWN;
  // Whatever the type of its elements, with `[*]` the result is an array.
  if (type === UNKNOWN) return operand.mapped ? BOOLEANS : UNKNOWN;
  const text = judge.show(span);
  if (operand.mapped && type.kind !== "boolean") {
    judge.error("type", span, `\`${text}\` is not compared with anything; write \`any(${text} eq …)\``);
    return UNKNOWN;
  }
  if (type === BOOLEAN) return operand.mapped ? BOOLEANS : BOOLEAN;
  if (type === BOOLEANS) return BOOLEANS;
  judge.error("type", span, `\`${text}\` has type ${typeName(type)} and is not a condition; ${remedy(type, text)}`);
  return UNKNOWN;
}

function remedy(type: Type, text: string): string {
  if (type.kind === "array")
    return `compare one element, \`${text}[0] eq …\`, or all of them, \`any(${text}[*] eq …)\``;
  if (type.kind === "map") return `compare the value of a key: \`${text}["key"]\``;
  return `compare it: \`${text} eq …\``;
}

const LONGEST = 60;

function short(condition: Condition, judge: Judge): string {
  const text = judge.show(condition.span);
  return text.length > LONGEST ? "…" : text;
}
