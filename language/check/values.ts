import type { Operand, StringLiteral } from "../ast.js";
import { fromBytes } from "../bytes.js";
import { findValues, type ValueSet } from "../catalogue/values.js";
import type { FindingCollector } from "./finding-collector.js";

/** Warns about a literal that a field never has, or may have no longer, as far as its values are known. */
export function checkValues(left: Operand, literals: readonly StringLiteral[], collector: FindingCollector): void {
  if (left.kind !== "field" || left.path.some(({ kind }) => kind === "key")) return;
  const set = findValues(left.name);
  if (set === undefined) return;
  for (const { value, span } of literals) {
    const fault = faultOf(left.name, fromBytes(value) ?? value, set);
    if (fault !== undefined) collector.warn("unknown-value", span, fault);
  }
}

function faultOf(field: string, value: string, set: ValueSet): string | undefined {
  const { values, also = [], form, changed, mistakes = {}, assumed = false, date, source } = set;
  const shown = `\`${JSON.stringify(value)}\``;
  if (form !== undefined)
    return /[a-z]/.test(value)
      ? `\`${field}\` is in ${form}, so it is never ${shown}; write \`${JSON.stringify(value.toUpperCase())}\``
      : undefined;
  if (values === undefined) return undefined;
  const isKnown = values.includes(value) || also.includes(value);
  if (changed !== undefined)
    return isKnown
      ? `the values of \`${field}\` changed on ${changed}: ${shown} was one of them before, and may no longer be; see ${source}`
      : undefined;
  // An empty text is what a field has that does not apply.
  if (isKnown || value === "") return undefined;
  const same = values.find((one) => one.toLowerCase() === value.toLowerCase());
  const meant = Object.hasOwn(mistakes, value) ? mistakes[value] : same;
  const hint = meant === undefined ? "" : `. Did you mean \`${JSON.stringify(meant)}\`?`;
  const listed = values.map((one) => `\`${JSON.stringify(one)}\``).join(", ");
  return assumed
    ? `\`${field}\` is probably never ${shown}; its values are not documented, and assumed to be ${listed}; of ${date}, see ${source}${hint}`
    : `\`${field}\` is never ${shown}; of ${date}, its values are listed at ${source}${hint}`;
}
