import type { Expression } from "../ast.js";
import type { Finding } from "../finding.js";
import { Grammar } from "./grammar.js";
import { Scanner, SyntaxFault } from "./scanner.js";

/** A condition, or the value of an action parameter. */
export type ExpressionKind = Expression["kind"];

export type Parsed =
  | {
      readonly expression: Expression;
      /** What the service reads, but a person should see. */
      readonly notes: readonly Finding[];
      /** Levels of brackets, negations and calls. */
      readonly nesting: number;
    }
  | { readonly fault: Finding };

/** Parses an expression; the first fault ends it. The work is linear in the length of the text. */
export function parseExpression(text: string, kind: ExpressionKind = "filter"): Parsed {
  const scanner = new Scanner(text);
  const grammar = new Grammar(scanner);
  try {
    const expression: Expression =
      kind === "filter" ? { kind, condition: grammar.filter() } : { kind, operand: grammar.value() };
    return { expression, notes: scanner.notes, nesting: grammar.deepest };
  } catch (fault) {
    if (fault instanceof SyntaxFault) return { fault: fault.finding };
    throw fault;
  }
}
