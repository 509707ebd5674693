import { invalidValue } from "../../failure.js";
import { expressionFault } from "../expression.js";
import type { Check } from "./check.js";

/** The expression of a rule, as the rules language has it. */
export const textFault: Check = ({ expression }, _context, at) => {
  const pointer = `${at}/expression`;
  if (expression !== undefined && typeof expression !== "string")
    return invalidValue(expression, "expression", "it must be a string", { pointer });
  if (expression === undefined || expression.trim() === "")
    return invalidValue("", "expression", "the expression cannot be blank", { code: 20125, pointer });
  const fault = expressionFault(expression);
  return fault === undefined ? undefined : invalidValue(expression, "expression", fault, { code: 20127, pointer });
};

/** An expression with the texts in it emptied, to look for words of the language. */
export function bare(expression: unknown): string {
  return String(expression).replace(/r(#*)"[\s\S]*?"\1|"(?:\\.|[^"\\])*"/g, '""');
}
