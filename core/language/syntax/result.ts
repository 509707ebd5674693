import { isCondition, isOperand, type Argument, type Condition } from "../ast.js";
import { findFunction } from "../catalogue/index.js";
import { arrayOf, BOOLEAN, INTEGER, IP, STRING, UNKNOWN, type Type } from "../type.js";

/** The return type of a call. With `[*]` in the first argument, it is called for each element and returns an array. */
export function resultOf(name: string, args: readonly Argument[]): Type {
  const first = args[0];
  const returned = returnType(name, args);
  return first !== undefined && isOperand(first) && first.mapped ? arrayOf(returned) : returned;
}

function returnType(name: string, args: readonly Argument[]): Type {
  // These return the type of their arguments.
  if (name === "concat" || name === "coalesce") return typeOfArgument(args[0]);
  return findFunction(name)?.returns ?? UNKNOWN;
}

/** The type of an argument; for an operand with `[*]` that of one element, because the call is evaluated for each. */
export function typeOfArgument(argument: Argument | undefined): Type {
  if (argument === undefined) return UNKNOWN;
  if (isOperand(argument)) return argument.type;
  if (isCondition(argument)) return conditionType(argument);
  return { string: STRING, integer: INTEGER, ip: IP }[argument.kind];
}

/** Boolean, or an array of Booleans inside `any` and `all`. Errors in parts are reported elsewhere. */
export function conditionType(condition: Condition): Type {
  switch (condition.kind) {
    case "not":
    case "group":
      return conditionType(condition.of);
    case "combination":
      return condition.items[0] === undefined ? BOOLEAN : conditionType(condition.items[0]);
    case "quantifier":
      return BOOLEAN;
    case "truth":
      return condition.operand.mapped ? arrayOf(condition.operand.type) : condition.operand.type;
    case "comparison":
      return condition.left.mapped ? arrayOf(BOOLEAN) : BOOLEAN;
  }
}
