import {
  isCondition,
  isOperand,
  type Argument,
  type Condition,
  type Expression,
  type ListName,
  type Operand,
  type SetLiteral,
  type Test,
} from "./ast.js";

/** The names in an expression in order, without duplicates; operators by their English names. */
export interface Uses {
  readonly operators: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
  /** Without `$`. */
  readonly lists: ReadonlySet<string>;
}

/** What an expression uses, at any depth. */
export function usesOf(expression: Expression): Uses {
  const { listTests: _lists, setTests: _sets, ...names } = collect(expression);
  return names;
}

/** A test whether a value is in a list. */
export interface ListTest {
  readonly left: Operand;
  readonly list: ListName;
}

/** A test whether a value is in a set. */
export interface SetTest {
  readonly left: Operand;
  readonly set: SetLiteral;
}

/** Every test on a set in an expression, at any depth. */
export function setTestsOf(expression: Expression): readonly SetTest[] {
  return collect(expression).setTests;
}

/** Every test on a list in a condition, at any depth. */
export function listTestsIn(condition: Condition): readonly ListTest[] {
  return listTestsOf({ kind: "filter", condition });
}

/** Every test on a list in an expression, at any depth. */
export function listTestsOf(expression: Expression): readonly ListTest[] {
  return collect(expression).listTests;
}

function collect(expression: Expression): MutableUses {
  const uses = noUses();
  if (expression.kind === "filter") inCondition(expression.condition, uses);
  else inOperand(expression.operand, uses);
  return uses;
}

type MutableUses = { readonly [Kind in keyof Uses]: Set<string> } & {
  readonly listTests: ListTest[];
  readonly setTests: SetTest[];
};

function noUses(): MutableUses {
  return {
    operators: new Set(),
    functions: new Set(),
    fields: new Set(),
    lists: new Set(),
    listTests: [],
    setTests: [],
  };
}

function inCondition(condition: Condition, uses: MutableUses): void {
  switch (condition.kind) {
    case "combination":
      uses.operators.add(condition.op);
      for (const item of condition.items) inCondition(item, uses);
      return;
    case "not":
      uses.operators.add("not");
      inCondition(condition.of, uses);
      return;
    case "group":
      inCondition(condition.of, uses);
      return;
    case "quantifier":
      uses.functions.add(condition.name);
      inArgument(condition.of, uses);
      return;
    case "truth":
      inOperand(condition.operand, uses);
      return;
    case "comparison":
      inOperand(condition.left, uses);
      inTest(condition.left, condition.test, uses);
  }
}

function inTest(left: Operand, test: Test, uses: MutableUses): void {
  uses.operators.add(nameOf(test));
  if (test.kind === "order") inArgument(test.right, uses);
  if (test.kind !== "in") return;
  if (test.right.kind === "set") {
    uses.setTests.push({ left, set: test.right });
    return;
  }
  uses.lists.add(test.right.name);
  uses.listTests.push({ left, list: test.right });
}

function nameOf(test: Test): string {
  switch (test.kind) {
    case "order":
      return test.op;
    case "bits":
      return "bitwise_and";
    case "wildcard":
      return test.strict ? "strict wildcard" : "wildcard";
    default:
      return test.kind;
  }
}

function inOperand(operand: Operand, uses: MutableUses): void {
  if (operand.kind === "field") {
    uses.fields.add(operand.name);
    return;
  }
  uses.functions.add(operand.name);
  for (const argument of operand.args) inArgument(argument, uses);
}

function inArgument(argument: Argument, uses: MutableUses): void {
  if (isCondition(argument)) inCondition(argument, uses);
  else if (isOperand(argument)) inOperand(argument, uses);
}
