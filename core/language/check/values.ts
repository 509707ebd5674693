import type { Operand, StringLiteral } from "../ast.js";
import { fromBytes } from "../bytes.js";
import { findValues, type ValueSet } from "../catalogue/values.js";
import type { FindingCollector } from "./finding-collector.js";

/** Warns about a literal that a field never has or contains, or may have no longer, as far as its values are known. */
export function checkValues(
  left: Operand,
  literals: readonly StringLiteral[],
  collector: FindingCollector,
  are: "values" | "parts" = "values",
): void {
  if (left.kind !== "field" || left.path.some(({ kind }) => kind === "key")) return;
  const set = findValues(left.name);
  if (set === undefined || (are === "parts" && (set.never ?? set.unlikely) === undefined)) return;
  for (const { value, span } of literals) {
    const text = fromBytes(value) ?? value;
    const fault = faultOf(left.name, text, set) ?? doubtOf(left.name, text, set, are);
    if (fault !== undefined) collector.warn("unknown-value", span, ...fault);
  }
}

/** Why a field hardly ever has a value, and the literal that was probably meant. */
function doubtOf(
  field: string,
  value: string,
  { unlikely, habit = "" }: ValueSet,
  are: "values" | "parts",
): readonly [string, string] | undefined {
  const tested = are === "values" ? value : value.replace(/^[?]+|[.]+$/g, "");
  if (unlikely?.test(tested) !== true) return undefined;
  const lower = value.toLowerCase();
  const instead = JSON.stringify(are === "values" ? lower.replace(/^[?]|[.]$/g, "") : lower);
  return [`${habit}, so \`${field}\` hardly ever has \`${JSON.stringify(value)}\`; write \`${instead}\``, instead];
}

/** Why a field does not have a value, and the literal that was probably meant. */
function faultOf(
  field: string,
  value: string,
  set: ValueSet,
): readonly [message: string, instead?: string] | undefined {
  const { values, also = [], never, form = "", changed, mistakes = {}, assumed = false, date, source } = set;
  const shown = `\`${JSON.stringify(value)}\``;
  if (never !== undefined) {
    if (!never.test(value)) return undefined;
    const meant = [value.trim(), value.toUpperCase(), value.replace(/^\*?\./, "").toLowerCase()];
    const right = meant.find((one) => !never.test(one));
    if (right === undefined) return [`\`${field}\` ${form}, so it never has ${shown}`];
    const instead = JSON.stringify(right);
    return [`\`${field}\` ${form}, so it never has ${shown}; write \`${instead}\``, instead];
  }
  if (values === undefined) return undefined;
  const isKnown = values.includes(value) || also.includes(value);
  if (changed !== undefined)
    return isKnown
      ? [
          `the values of \`${field}\` changed on ${changed}: ${shown} was one of them before, and may no longer be; see ${source}`,
        ]
      : undefined;
  // An empty text is what a field has that does not apply.
  if (isKnown || value === "") return undefined;
  const same = values.find((one) => one.toLowerCase() === value.toLowerCase());
  const meant = Object.hasOwn(mistakes, value) ? mistakes[value] : same;
  const instead = meant === undefined ? undefined : JSON.stringify(meant);
  const hint = instead === undefined ? "" : `. Did you mean \`${instead}\`?`;
  const listed = values.map((one) => `\`${JSON.stringify(one)}\``).join(", ");
  const message = assumed
    ? `\`${field}\` is probably never ${shown}; its values are not documented, and assumed to be ${listed}; of ${date}, see ${source}${hint}`
    : `\`${field}\` is never ${shown}; of ${date}, its values are listed at ${source}${hint}`;
  return [message, instead];
}
