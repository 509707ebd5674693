import type { Operand } from "../ast.js";
import { findField } from "../catalogue/index.js";

/** Whether what is said about the type of an operand rests on the vendor's own pages. */
export function isSure(operand: Operand): boolean {
  return operand.kind === "call" || findField(operand.name)?.unsure !== true;
}
