import type { Operand } from "../ast.js";
import { findField } from "../catalogue/index.js";

/** Whether Cloudflare documents the type of an operand. */
export function isSure(operand: Operand): boolean {
  return operand.kind === "call" || findField(operand.name)?.unsure !== true;
}
