import { isCondition, isOperand } from "../../../language/index.js";
import type { Argument, Condition, Expression, Operand } from "../../../language/index.js";
import { findField, findFunction } from "../../../language/catalogue/index.js";
import { typeName } from "../../../language/type.js";

export interface UsedName {
  readonly name: string;
  /** Of a field, its type; of a function, its signature. */
  readonly type: string;
  readonly about: string;
  /** Where and with what it is available, and what to write in its place. */
  readonly notes: readonly string[];
}

/** The names in an expression, each once, in their order. */
export interface Uses {
  readonly fields: readonly UsedName[];
  readonly functions: readonly UsedName[];
  readonly lists: readonly string[];
}

export function usesOf(expression: Expression): Uses {
  const fields = new Set<string>();
  const functions = new Set<string>();
  const lists = new Set<string>();
  const visitOperand = (operand: Operand): void => {
    if (operand.kind === "field") fields.add(operand.name);
    else {
      functions.add(operand.name);
      operand.args.forEach(visitArgument);
    }
  };
  const visitArgument = (argument: Argument): void => {
    if (isOperand(argument)) visitOperand(argument);
    else if (isCondition(argument)) visit(argument);
  };
  const visit = (condition: Condition): void => {
    switch (condition.kind) {
      case "combination":
        condition.items.forEach(visit);
        return;
      case "not":
      case "group":
        visit(condition.of);
        return;
      case "quantifier":
        visitArgument(condition.of);
        return;
      case "truth":
        visitOperand(condition.operand);
        return;
      case "comparison":
        visitOperand(condition.left);
        if (condition.test.kind === "order" && isOperand(condition.test.right)) visitOperand(condition.test.right);
        if (condition.test.kind === "in" && condition.test.right.kind === "list") lists.add(condition.test.right.name);
        return;
    }
  };
  if (expression.kind === "filter") visit(expression.condition);
  else visitOperand(expression.operand);
  fields.delete("true");
  return {
    fields: Array.from(fields, fieldNamed),
    functions: Array.from(functions, functionNamed),
    lists: Array.from(lists),
  };
}

const WHEN = {
  early: undefined,
  mid: undefined,
  late: "known late: not in the phases that run first",
  custom: "known from the custom rules on",
  response: "in response phases and counting expressions only",
} as const;

function fieldNamed(name: string): UsedName {
  const field = findField(name);
  if (field === undefined) return { name, type: "unknown type", about: "not in the catalogue", notes: [] };
  const { type, about, when, plan, phases, replacement, unsure } = field;
  const said = [
    when === undefined ? undefined : WHEN[when],
    plan === undefined ? undefined : `plan: ${plan}`,
    phases === undefined ? undefined : `phases: ${phases.join(", ")}`,
    replacement === undefined ? undefined : `old name: write ${replacement}`,
    unsure ? "the vendor does not document it" : undefined,
  ];
  return { name, type: typeName(type), about, notes: said.filter((note) => note !== undefined) };
}

function functionNamed(name: string): UsedName {
  const entry = findFunction(name);
  if (entry === undefined) return { name, type: "unknown", about: "not in the catalogue", notes: [] };
  const { signature, about, plan, phases, slots, maxUses } = entry;
  const said = [
    plan === undefined ? undefined : `plan: ${plan}`,
    phases === undefined ? undefined : `phases: ${phases.join(", ")}`,
    slots === undefined ? undefined : `only in: ${slots.join(", ")}`,
    maxUses === undefined ? undefined : `at most ${String(maxUses)} in an expression`,
  ];
  return { name, type: signature, about, notes: said.filter((note) => note !== undefined) };
}
