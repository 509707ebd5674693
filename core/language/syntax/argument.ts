import type { Argument } from "../ast.js";
import { findField, findFunction } from "../catalogue/index.js";
import { UNKNOWN } from "../type.js";
import { readLiteral } from "./bare-literals.js";
import { readComparison } from "./comparison.js";
import { peekQuantifier } from "./condition.js";
import { isAtNegation, peekOperator } from "./keywords.js";
import { readOperand } from "./operand.js";
import type { Parser } from "./parser.js";
import { isAtString, readString } from "./string-literals.js";

/**
 * Reads an argument: a literal, an operand, or one comparison. Conditions joined by `and` and `or` are allowed only where
 * they begin with a parenthesis, a negation or a quantifier.
 */
export function readArgument(parser: Parser): Argument {
  const { scanner } = parser;
  if (isAtString(scanner)) return readString(scanner);
  if (scanner.looksAt("(") || isAtNegation(scanner) || peekQuantifier(parser) !== undefined) {
    return parser.condition();
  }
  const name = scanner.peekIdentifier();
  const known = findField(name) !== undefined || findFunction(name) !== undefined;
  if (!known && scanner.text[scanner.at + name.length] !== "(") {
    const literal = readLiteral(scanner, UNKNOWN);
    if (literal !== undefined) return literal;
  }
  if (name === "") scanner.expected("a field, a call or a literal");
  const operand = readOperand(parser);
  return isCompared(parser) ? readComparison(parser, operand) : operand;
}

function isCompared({ scanner }: Parser): boolean {
  const behind = scanner.at;
  scanner.skipSpace();
  const compared = peekOperator(scanner) !== undefined;
  scanner.at = behind;
  return compared;
}
