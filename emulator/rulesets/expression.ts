import { checkExpression, expressionLength, type CheckOptions } from "../../language/index.js";

/** Longest expression, in characters as the service counts them. */
const MAX_LENGTH = 4096;
const MATCHES =
  "not entitled: the use of operator Matches is not allowed, a Business plan or a WAF Advanced plan is required";

/** What the service has against an expression. */
export interface ExpressionFault {
  /** Why the expression is no value of its field; undefined where the message says all. */
  readonly reason?: string;
  readonly message?: string;
}

/** Why the service would refuse an expression, or undefined. */
export function expressionFault(text: string, options: Omit<CheckOptions, "strict"> = {}): ExpressionFault | undefined {
  const size = expressionLength(text);
  if (size > MAX_LENGTH) return { reason: `expression size ${String(size)} exceeded maximum ${String(MAX_LENGTH)}` };
  const [first] = checkExpression(text, { ...options, strict: true }).errors;
  if (first === undefined) return undefined;
  if (first.check === "plan") {
    const isMatches = text.slice(first.offset, first.end).match(/^(matches|~)/) !== null;
    return { message: isMatches ? MATCHES : `not entitled: ${first.message}` };
  }
  if (first.check === "regex-count") return { message: first.message };
  const position = `${String(first.line)}:${String(first.column)}`;
  return {
    reason: `could not parse filter expression: Filter parsing error (${position}):\n${first.excerpt} ${first.message}`,
  };
}
