import type { FieldOperand, Index, Operand } from "../ast.js";
import { findField } from "../catalogue/index.js";
import { nearestName } from "../catalogue/nearest.js";
import { elementOf, typeName, UNKNOWN, type Type } from "../type.js";
import { checkCall } from "./call.js";
import type { FindingCollector } from "./finding-collector.js";
import { checkPhase, isAboutPackets } from "./phases.js";
import { checkPlan } from "./plans.js";
import { cannotBeField, isFunction, isKeyword } from "./possible-names.js";
import { isSure } from "./sure.js";

/** Checks a field or a call, and its indexes. */
export function checkOperand(operand: Operand, collector: FindingCollector): void {
  const base = operand.kind === "field" ? checkField(operand, collector) : checkCall(operand, collector);
  checkPath(operand, base, collector);
}

function checkField({ name, nameSpan }: FieldOperand, collector: FindingCollector): Type {
  const field = findField(name);
  if (field === undefined) {
    collector.report(cannotBeField(name), "unknown-field", nameSpan, ...unknownName(name));
    return UNKNOWN;
  }
  if (field.replacement !== undefined) {
    const message = `\`${name}\` is deprecated; use \`${field.replacement}\``;
    // Of a packet, the old name stands for either end.
    const isSame = !isAboutPackets(collector.options.phase);
    collector.warn("deprecated", nameSpan, message, isSame ? field.replacement : undefined, isSame);
  }
  if (name === "false") {
    collector.warn("constant", nameSpan, "Cloudflare does not document `false`; use `not true`", "not true", true);
  }
  checkPlan(field.name, "field", nameSpan, collector);
  checkPhase(field, "field", nameSpan, collector);
  return field.type;
}

/** Why a name is not a field, and what was probably meant. */
function unknownName(name: string): readonly [message: string, instead?: string] {
  if (isFunction(name)) return [`\`${name}\` is a function: \`${name}(…)\``];
  if (isKeyword(name)) return [`\`${name}\` is an operator; the field before it is missing`];
  if (/^[0-9]/.test(name)) return [`a field is missing: \`${name}\` is not the name of one`];
  const near = nearestName(name, "field");
  const fact = `\`${name}\` is not a known field`;
  return near === undefined ? [fact] : [`${fact}. Did you mean \`${near}\`?`, near];
}

/** Each index must match the type that it is applied to. */
function checkPath(operand: Operand, base: Type, collector: FindingCollector): void {
  let type = base;
  for (const index of operand.path) {
    if (type === UNKNOWN) return;
    const next = stepInto(type, index);
    if (next === undefined) {
      const text = collector.show({ start: operand.span.start, end: index.span.start });
      collector.report(isSure(operand), "type", index.span, misfit(type, text));
      return;
    }
    type = next;
  }
}

function stepInto(type: Type, index: Index): Type | undefined {
  const wanted = index.kind === "position" ? "array" : index.kind === "key" ? "map" : undefined;
  return wanted === undefined || type.kind === wanted ? elementOf(type) : undefined;
}

function misfit(type: Type, text: string): string {
  const fact = `\`${text}\` has type ${typeName(type)}`;
  if (type.kind === "map") return `${fact}; index it with a quoted key: \`${text}["key"]\``;
  if (type.kind === "array") return `${fact}; index it with an integer or \`*\`: \`${text}[0]\``;
  return `${fact} and cannot be indexed`;
}
