import { isCondition, isOperand, type Argument, type Condition, type Expression, type Operand } from "./ast.js";

/** A condition or a value, in an expression at any depth. */
export type Node = Condition | Operand;

export function rootOf(expression: Expression): Node {
  return expression.kind === "filter" ? expression.condition : expression.operand;
}

/** What a condition or a value consists of, without literals, sets and names of lists. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "combination":
      return node.items;
    case "not":
    case "group":
      return [node.of];
    case "quantifier":
      return nodesIn([node.of]);
    case "truth":
      return [node.operand];
    case "comparison":
      return node.test.kind === "order" ? nodesIn([node.left, node.test.right]) : [node.left];
    case "call":
      return nodesIn(node.args);
    case "field":
      return [];
  }
}

function nodesIn(args: readonly Argument[]): readonly Node[] {
  return args.filter((argument) => isCondition(argument) || isOperand(argument));
}

/** A node and all that is in it, the outer ones first. */
export function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesOf(child);
}

/** Makes something else of a condition, a value or a literal, and keeps what it is. */
export interface Change {
  <A extends Argument>(argument: A): A;
}

/** A node with something else in place of what it consists of. */
export function withChildren(node: Node, change: Change): Node {
  switch (node.kind) {
    case "combination":
      return { ...node, items: node.items.map((item) => change(item)) };
    case "not":
    case "group":
      return { ...node, of: change(node.of) };
    case "quantifier":
      return { ...node, of: change(node.of) };
    case "truth":
      return { ...node, operand: change(node.operand) };
    case "comparison": {
      const { test } = node;
      const own = test.kind === "order" ? { ...test, right: change(test.right) } : test;
      return { ...node, left: change(node.left), test: own };
    }
    case "call":
      return { ...node, args: node.args.map((argument) => change(argument)) };
    case "field":
      return node;
  }
}
