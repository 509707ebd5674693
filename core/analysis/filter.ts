import { parseExpression, type Condition } from "../language/index.js";

/** The condition of a filter; undefined if the text is not a valid one. */
export function filterOf(text: string): Condition | undefined {
  const parsed = parseExpression(text);
  return "fault" in parsed || parsed.expression.kind !== "filter" ? undefined : parsed.expression.condition;
}
