import type { Condition, Expression, Operand } from "../ast.js";
import type { TextFinding } from "../finding.js";
import { readArgument } from "./argument.js";
import { readCondition } from "./condition.js";
import { peekLogical, peekOperator } from "./keywords.js";
import { readOperand } from "./operand.js";
import { Parser } from "./parser.js";
import { SyntaxFault, type Scanner } from "./scanner.js";
import { isAtString } from "./string-literals.js";
import { failAtTrap } from "./traps.js";

/** Characters of a generation: the expressions of two versions of the largest rulesets. */
const MOST_CHARACTERS = 2_000_000;

/** Results by text. Those not used for a while are forgotten: only the current generation and the one before it are kept. */
class ParseCache<Result> {
  private current = new Map<string, Result>();
  private previous = new Map<string, Result>();
  private characters = 0;

  get(text: string, parse: () => Result): Result {
    const known = this.current.get(text);
    if (known !== undefined) return known;
    const result = this.previous.get(text) ?? parse();
    this.characters += text.length;
    if (this.characters > MOST_CHARACTERS) {
      this.previous = this.current;
      this.current = new Map();
      this.characters = text.length;
    }
    this.current.set(text, result);
    return result;
  }
}

/** A condition, or the value of an action parameter. */
export type ExpressionKind = Expression["kind"];

export type Parsed =
  | {
      readonly expression: Expression;
      /** What the service accepts, but a reader should know. */
      readonly notes: readonly TextFinding[];
      /** The nesting depth of parentheses, negations and calls. */
      readonly nesting: number;
    }
  | { readonly fault: TextFinding };

const PRODUCTIONS = { condition: (parser: Parser) => readCondition(parser), argument: readArgument };

const caches = { filter: new ParseCache<Parsed>(), value: new ParseCache<Parsed>() };

/**
 * Parses an expression up to the first error. The work is linear in the length of the text. Equal texts share one tree: the
 * checks of a rule, its normal form and its analysis each need it.
 */
export function parseExpression(text: string, kind: ExpressionKind = "filter"): Parsed {
  return caches[kind].get(text, () => parse(text, kind));
}

function parse(text: string, kind: ExpressionKind): Parsed {
  const parser = new Parser(text, PRODUCTIONS);
  try {
    const expression: Expression =
      kind === "filter" ? { kind, condition: readFilter(parser) } : { kind, operand: readValue(parser) };
    return { expression, notes: parser.scanner.notes, nesting: parser.deepest };
  } catch (fault) {
    if (fault instanceof SyntaxFault) return { fault: fault.finding };
    throw fault;
  }
}

function readFilter(parser: Parser): Condition {
  const { scanner } = parser;
  if (scanner.done) scanner.fail("the expression is blank; `true` matches every request");
  const condition = readCondition(parser);
  finish(scanner);
  return condition;
}

const RULE = "A value expression is one field or one call of a function";

function readValue(parser: Parser): Operand {
  const { scanner } = parser;
  if (scanner.done) scanner.fail("the expression is blank; a value is a field or a call of a function");
  if (isAtString(scanner)) scanner.fail(`${RULE}; for a constant, use the property \`value\` instead`);
  if (scanner.peek() === "(") scanner.fail(`${RULE}, without parentheses around it`);
  const operand = readOperand(parser);
  scanner.skipSpace();
  if (!scanner.done && (peekOperator(scanner) !== undefined || peekLogical(scanner) !== undefined)) {
    scanner.fail(`${RULE}, not a condition`, scanner.at, scanner.end);
  }
  if (scanner.peek() === "+") scanner.fail(`${RULE}; join strings with \`concat(a, b)\``);
  finish(scanner);
  return operand;
}

function finish(scanner: Scanner): void {
  scanner.skipSpace();
  if (scanner.done) return;
  if (scanner.peek() === ")") scanner.fail("this `)` has no matching `(`");
  failAtTrap(scanner);
  scanner.expected("`and`, `or`, `xor` or the end");
}
