import type { Expression, ListName, Operand, SetLiteral, Test } from "./ast.js";
import { nodesOf, rootOf, type Node } from "./tree.js";

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
  const uses = {
    operators: new Set<string>(),
    functions: new Set<string>(),
    fields: new Set<string>(),
    lists: new Set<string>(),
  };
  for (const node of nodesOf(rootOf(expression))) note(node, uses);
  return uses;
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
  return testsIn(rootOf(expression)).flatMap(({ left, right }) => (right.kind === "set" ? [{ left, set: right }] : []));
}

/** Every test on a list in a condition, at any depth. */
export function listTestsIn(node: Node): readonly ListTest[] {
  return testsIn(node).flatMap(({ left, right }) => (right.kind === "list" ? [{ left, list: right }] : []));
}

/** Every test on a list in an expression, at any depth. */
export function listTestsOf(expression: Expression): readonly ListTest[] {
  return listTestsIn(rootOf(expression));
}

/** The tests whether a value is in something. */
function testsIn(node: Node): readonly { readonly left: Operand; readonly right: SetLiteral | ListName }[] {
  return Array.from(nodesOf(node)).flatMap((one) =>
    one.kind === "comparison" && one.test.kind === "in" ? [{ left: one.left, right: one.test.right }] : [],
  );
}

type MutableUses = { readonly [Kind in keyof Uses]: Set<string> };

function note(node: Node, uses: MutableUses): void {
  switch (node.kind) {
    case "combination":
      uses.operators.add(node.op);
      return;
    case "not":
      uses.operators.add("not");
      return;
    case "quantifier":
    case "call":
      uses.functions.add(node.name);
      return;
    case "field":
      uses.fields.add(node.name);
      return;
    case "comparison":
      uses.operators.add(nameOf(node.test));
      if (node.test.kind === "in" && node.test.right.kind === "list") uses.lists.add(node.test.right.name);
  }
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
