import { isCondition, isOperand, printOperand } from "../../../core/language/index.js";
import type {
  Argument,
  CallOperand,
  Condition,
  Operand,
  OrderOperator,
  SetItem,
  Test,
} from "../../../core/language/index.js";
import { printLiteral, printRegex, printSet } from "../../../core/language/print/literals.js";
import { typeName } from "../../../core/language/type.js";

/** A part of an expression in words, with its own parts. */
export interface Explained {
  readonly words: string;
  /** Type of the tested value; missing for a condition. */
  readonly type?: string;
  readonly parts: readonly Explained[];
}

/** A condition in words. Parentheses are not shown, because the tree already shows the grouping. */
export function explainCondition(condition: Condition): Explained {
  switch (condition.kind) {
    case "combination":
      return { words: headOf(condition.op, condition.items.length), parts: condition.items.map(explainCondition) };
    case "not":
      return { words: "this is false:", parts: [explainCondition(condition.of)] };
    case "group":
      return explainCondition(condition.of);
    case "quantifier":
      return explainQuantifier(condition.name, condition.of);
    case "truth":
      return { words: truthWords(condition.operand), type: typeName(condition.operand.type), parts: [] };
    case "comparison": {
      const { left, test } = condition;
      return { words: `${operandWords(left)} ${testWords(test, left)}`, type: typeName(left.type), parts: [] };
    }
  }
}

/** A value expression in words. */
export function explainValue(operand: Operand): Explained {
  return { words: operandWords(operand), type: typeName(operand.type), parts: [] };
}

function headOf(op: "and" | "or" | "xor", count: number): string {
  if (op === "and") return "all of these are true:";
  if (op === "or") return "at least one of these is true:";
  return count === 2 ? "exactly one of these is true:" : "an odd number of these are true:";
}

function explainQuantifier(name: "any" | "all", of: Argument): Explained {
  const words = name === "any" ? "for at least one element:" : "for every element:";
  if (isCondition(of)) return { words, parts: [explainCondition(of)] };
  if (!isOperand(of)) return { words, parts: [] };
  return { words, parts: [{ words: truthWords(of), type: typeName(of.type), parts: [] }] };
}

/** Descriptions of calls that return a Boolean, by function name. */
const TRUTHS: Readonly<Record<string, (args: readonly string[]) => string>> = {
  starts_with: ([text = "", start = ""]) => `${text} begins with ${start}`,
  ends_with: ([text = "", end = ""]) => `${text} ends with ${end}`,
  has_key: ([map = "", key = ""]) => `${map} has the key ${key}`,
  has_value: ([many = "", value = ""]) => `${many} has the value ${value}`,
};

function truthWords(operand: Operand): string {
  if (operand.kind === "call" && Object.hasOwn(TRUTHS, operand.name)) {
    return TRUTHS[operand.name]?.(operand.args.map(argumentWords)) ?? "";
  }
  return operand.kind === "field" && operand.name === "true" ? "always" : `${operandWords(operand)} is true`;
}

/** Descriptions of calls that return a value, by function name. */
const VALUES: Readonly<Record<string, (args: readonly string[]) => string>> = {
  lower: ([text = ""]) => `${text} in lower case`,
  upper: ([text = ""]) => `${text} in upper case`,
  len: ([value = ""]) => `the length of ${value}`,
  url_decode: ([text = ""]) => `${text}, URL-decoded`,
  decode_base64: ([text = ""]) => `${text}, Base64-decoded`,
  concat: (args) => args.join(" followed by "),
  coalesce: ([first = "", ...others]) => `${first}, or where that is missing ${others.join(", else ")}`,
  to_string: ([value = ""]) => `${value} as text`,
};

function operandWords(operand: Operand): string {
  if (operand.kind === "call" && Object.hasOwn(VALUES, operand.name) && operand.path.length === 0) {
    return VALUES[operand.name]?.(operand.args.map(argumentWords)) ?? "";
  }
  if (operand.kind === "call" && onlyMapped(operand)) return operandWords({ ...operand, path: [] });
  return `\`${printOperand(operand)}\``;
}

/** Whether a call maps every element of its first argument and its result is read element by element: `lower(x[*])[*]`. */
function onlyMapped({ path, name }: CallOperand): boolean {
  return path.length === 1 && path[0]?.kind === "each" && Object.hasOwn(VALUES, name);
}

function argumentWords(argument: Argument): string {
  if (isOperand(argument)) return operandWords(argument);
  return isCondition(argument) ? `(${explainCondition(argument).words})` : printLiteral(argument);
}

const ORDER: Readonly<Record<OrderOperator, readonly [number: string, text: string]>> = {
  eq: ["is", "is"],
  ne: ["is present and is not", "is present and is not"],
  lt: ["is less than", "comes before"],
  le: ["is at most", "is or comes before"],
  gt: ["is more than", "comes after"],
  ge: ["is at least", "is or comes after"],
};

function testWords(test: Test, left: Operand): string {
  switch (test.kind) {
    case "order": {
      const words = ORDER[test.op][left.type.kind === "integer" ? 0 : 1];
      return `${words} ${isOperand(test.right) ? operandWords(test.right) : printLiteral(test.right)}`;
    }
    case "bits":
      return `has at least one of the bits of ${printLiteral(test.right)}`;
    case "contains":
      return `contains ${printLiteral(test.right)}`;
    case "wildcard":
      return `matches the wildcard ${printLiteral(test.right)} as a whole${test.strict ? "" : ", in upper or lower case"}`;
    case "matches":
      return `matches the regular expression ${printRegex(test.right)} somewhere`;
    case "in":
      return test.right.kind === "list"
        ? `is in the list $${test.right.name}`
        : `is ${inSet(test.right.items)}${printSet(test.right)}`;
  }
}

function inSet(items: readonly SetItem[]): string {
  return items.length === 1 && items[0]?.kind !== "integer-range" && items[0]?.kind !== "ip-range" ? "" : "in ";
}
