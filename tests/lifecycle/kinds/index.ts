import { readdirSync } from "node:fs";
import { join } from "node:path";
import { late } from "../../../core/model/late.js";
import type { KindCase } from "./kind-case.js";

/** The case of each kind: a file of this folder that exports it as `tested`. */
export const KIND_CASES: readonly KindCase[] = readdirSync(__dirname)
  .map((file) => late<{ readonly tested?: KindCase }>(() => require(join(__dirname, file)))().tested)
  .filter((one) => one !== undefined);

export function caseOf(kind: string): KindCase {
  const found = KIND_CASES.find((one) => one.kind === kind);
  if (found === undefined) throw new Error(`${kind} has no file in tests/lifecycle/kinds`);
  return found;
}
