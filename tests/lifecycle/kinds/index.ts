import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { KindCase } from "./kind-case.js";

/** The case of each kind: a file of this folder that exports it as `tested`. */
export const KIND_CASES: readonly KindCase[] = readdirSync(__dirname)
  .map((file) => (require(join(__dirname, file)) as { readonly tested?: KindCase }).tested)
  .filter((one) => one !== undefined);

export function caseOf(kind: string): KindCase {
  const found = KIND_CASES.find((one) => one.kind === kind);
  if (found === undefined) throw new Error(`${kind} has no file in tests/lifecycle/kinds`);
  return found;
}
