import { checkExpression, expressionLength, isError, type CheckOptions } from "../../core/language/index.js";

/** Maximum length of an expression in characters, as the service counts them. */
const MAX_LENGTH = 4096;
const MATCHES =
  "not entitled: the use of operator Matches is not allowed, a Business plan or a WAF Advanced plan is required";

/** An error that the service reports for an expression. */
interface ExpressionFault {
  /** Why the value is invalid; undefined if the message is complete. */
  readonly reason?: string;
  readonly message?: string;
}

/** Why the service would reject an expression; undefined if it would not. */
export function expressionFault(text: string, options: Omit<CheckOptions, "strict"> = {}): ExpressionFault | undefined {
  const size = expressionLength(text);
  if (size > MAX_LENGTH) return { reason: `expression size ${String(size)} exceeded maximum ${String(MAX_LENGTH)}` };
  const first = checkExpression(text, { ...options, strict: true }).find(isError);
  if (first === undefined) return undefined;
  if (first.code === "plan") {
    const isMatches = text.slice(first.offset, first.end).match(/^(matches|~)/) !== null;
    return { message: isMatches ? MATCHES : `not entitled: ${first.message}` };
  }
  if (first.code === "regex-count") return { message: first.message };
  const position = `${String(first.line)}:${String(first.column)}`;
  return {
    reason: `could not parse filter expression: Filter parsing error (${position}):\n${first.excerpt} ${first.message}`,
  };
}
