import type { Condition, Operand } from "../../language/ast.js";
import { isOperand } from "../../language/ast.js";
import { printCondition, printOperand } from "../../language/print/index.js";
import { canonicalName, hasLowerKeys, numberFacts, textFacts } from "../formula/facts.js";
import type { Fields } from "../formula/fields.js";
import type { Translator } from "../formula/translate.js";
import type { AnalysisContext } from "../analysis-context.js";

/** Explains why no request satisfies a condition that has been proved impossible. */
export function explainNever(condition: Condition, context: AnalysisContext, translator: Translator): string {
  const core = conflict(conjunctsOf(condition), context, translator);
  const [only] = core;
  if (core.length !== 1 || only === undefined) {
    const parts = core.map((part) => `\`${printCondition(part)}\``);
    return parts.length === 2
      ? `${parts.join(" and ")} contradict each other`
      : `no request satisfies ${parts.slice(0, -1).join(", ")} and ${parts.at(-1) ?? ""} together`;
  }
  if (only.kind === "combination" && only.op === "or") {
    return only.items.map((item) => explainNever(item, context, translator)).join("; ");
  }
  const why = reasonOf(only, translator.fields);
  return `\`${printCondition(only)}\` is never true${why === undefined ? "" : `: ${why}`}`;
}

function conjunctsOf(condition: Condition): readonly Condition[] {
  if (condition.kind === "group") return conjunctsOf(condition.of);
  return condition.kind === "combination" && condition.op === "and"
    ? condition.items.flatMap(conjunctsOf)
    : [condition];
}

/** A minimal set of contradicting conditions, found by removing one after the other. */
function conflict(parts: readonly Condition[], context: AnalysisContext, translator: Translator): readonly Condition[] {
  let core = parts;
  for (const part of parts) {
    const rest = core.filter((one) => one !== part);
    if (rest.length > 0 && context.isImpossible(...rest.map((one) => translator.translate(one)))) core = rest;
  }
  return core;
}

/** The fact about a field that a comparison contradicts. */
function reasonOf(condition: Condition, fields: Fields): string | undefined {
  if (condition.kind === "not") return undefined;
  if (condition.kind === "quantifier") {
    if (isOperand(condition.of)) return operandReason(condition.of, fields);
    return condition.of.kind === "comparison" ? reasonOf(condition.of, fields) : undefined;
  }
  if (condition.kind === "truth") return operandReason(condition.operand, fields);
  if (condition.kind !== "comparison") return undefined;
  const { left, test } = condition;
  if (left.type.kind === "boolean") {
    return `\`${printOperand(left)}\` is a Boolean and never equals a string; write \`${printOperand(left)}\` or \`not ${printOperand(left)}\``;
  }
  if (test.kind === "in" && test.right.kind === "set" && test.right.items.length === 0)
    return "an empty set has no members";
  const compared = printCondition(condition).slice(printOperand(left).length);
  return operandReason(left, fields, compared);
}

/** @param compared what the operand is compared with, as it is written */
function operandReason(operand: Operand, fields: Fields, compared = ""): string | undefined {
  if (operand.kind === "call") {
    if (operand.name === "to_string") return 'a Boolean is written `"true"` or `"false"`';
    if (operand.name === "lower" && /[A-Z]/.test(compared)) return "`lower` returns no upper-case letters";
    if (operand.name === "len") return /^ (?:lt|<) 0$/.test(compared) ? "a length is never below 0" : undefined;
    if (operand.name === "upper" && /"[^]*[a-z]/.test(compared)) return "`upper` returns no lower-case letters";
    const [first] = operand.args;
    return first !== undefined && isOperand(first) ? operandReason(first, fields, compared) : undefined;
  }
  const { name, path } = operand;
  if (fields.isAbsent(name)) return `\`${name}\` is a field of the response, which this phase does not have`;
  const [key] = path;
  if (key?.kind === "key" && hasLowerKeys(name) && /[A-Z]/.test(key.value)) {
    return `the keys of \`${name}\` are in lower case; write \`${name}["${key.value.toLowerCase()}"]\``;
  }
  const today = canonicalName(name);
  return path.length === 0 ? (textFacts(today).about ?? numberFacts(today).about) : undefined;
}
