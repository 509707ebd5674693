import type { Argument, Combination, Condition, FieldOperand, Quantifier, Truth } from "../ast.js";
import { isCondition, isOperand } from "../ast.js";
import { conditionType, typeOfArgument } from "../syntax/result.js";
import { arrayOf, BOOLEAN, elementOf, typeName, UNKNOWN, type Type } from "../type.js";
import { checkComparison } from "./comparison.js";
import { findField } from "../catalogue/index.js";
import { nearestName } from "../catalogue/nearest.js";
import type { FindingCollector } from "./finding-collector.js";
import { cannotBeField, mayBeCondition } from "./possible-names.js";

const BOOLEANS = arrayOf(BOOLEAN);

/** Checks a condition and all its parts. The type is unknown if there is an error. */
export function checkCondition(condition: Condition, collector: FindingCollector): Type {
  switch (condition.kind) {
    case "group":
    case "not":
      return checkCondition(condition.of, collector);
    case "combination":
      return checkCombination(condition, collector);
    case "quantifier":
      return checkQuantifier(condition, collector);
    case "truth":
      return checkTruth(condition, collector);
    case "comparison":
      return checkComparison(condition, collector) ? conditionType(condition) : UNKNOWN;
  }
}

/** A rule's expression must be a single Boolean. */
export function checkFilter(condition: Condition, collector: FindingCollector): void {
  const type = checkCondition(condition, collector);
  if (type === BOOLEAN || type === UNKNOWN) return;
  collector.error(
    "type",
    condition.span,
    `this is true or false for each element of an array, not once; write \`any(${short(condition, collector)})\` or \`all(${short(condition, collector)})\``,
    `any(${collector.show(condition.span)})`,
  );
}

function checkCombination(combination: Combination, collector: FindingCollector): Type {
  let type: Type = UNKNOWN;
  for (const item of combination.items) {
    const next = checkCondition(item, collector);
    if (next === UNKNOWN) continue;
    if (type !== UNKNOWN && type !== next) {
      const array = type === BOOLEANS ? combination.items[0] : item;
      const shown = array === undefined ? "…" : short(array, collector);
      collector.error(
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

function checkQuantifier({ name, of }: Quantifier, collector: FindingCollector): Type {
  const before = collector.errors;
  const type = argumentType(of, collector);
  if (type === BOOLEANS || type === UNKNOWN || collector.errors > before) return BOOLEAN;
  const text = collector.show(of.span);
  collector.error("type", of.span, `\`${name}\` needs an array of conditions, ${found(of, type, text)}`);
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
function argumentType(argument: Argument, collector: FindingCollector): Type {
  if (isCondition(argument)) return checkCondition(argument, collector);
  collector.argument(argument, collector);
  return typeOfArgument(argument);
}

function checkTruth({ operand, span }: Truth, collector: FindingCollector): Type {
  const before = collector.errors;
  if (operand.kind === "field" && isPlainText(operand)) {
    const near = nearestName(operand.name, "field");
    const meant = near === undefined ? `for a text, write \`field eq "${operand.name}"\`` : `did you mean \`${near}\`?`;
    collector.error("unknown-field", span, `\`${operand.name}\` is not a condition; ${meant}`, near);
    return UNKNOWN;
  }
  collector.operand(operand, collector);
  const { type } = operand;
  if (collector.errors > before) return UNKNOWN;
  // Whatever the type of its elements, with `[*]` the result is an array.
  if (type === UNKNOWN) return operand.mapped ? BOOLEANS : UNKNOWN;
  const text = collector.show(span);
  if (operand.mapped && type.kind !== "boolean") {
    collector.error("type", span, `\`${text}\` is not compared with anything; write \`any(${text} eq …)\``);
    return UNKNOWN;
  }
  if (type === BOOLEAN) return operand.mapped ? BOOLEANS : BOOLEAN;
  if (type === BOOLEANS) return BOOLEANS;
  collector.error("type", span, `\`${text}\` has type ${typeName(type)} and is not a condition; ${remedy(type, text)}`);
  return UNKNOWN;
}

function isPlainText({ name }: FieldOperand): boolean {
  return findField(name) === undefined && !cannotBeField(name) && !mayBeCondition(name);
}

function remedy(type: Type, text: string): string {
  if (type.kind === "array")
    return `compare one element, \`${text}[0] eq …\`, or all of them, \`any(${text}[*] eq …)\``;
  if (type.kind === "map") return `compare the value of a key: \`${text}["key"]\``;
  return `compare it: \`${text} eq …\``;
}

const LONGEST = 60;

function short(condition: Condition, collector: FindingCollector): string {
  const text = collector.show(condition.span);
  return text.length > LONGEST ? "…" : text;
}
