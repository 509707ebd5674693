import type { Argument, CallOperand } from "../ast.js";
import { isOperand } from "../ast.js";
import { findField, findFunction, type FunctionEntry, type Parameter } from "../catalogue/index.js";
import { nearestName } from "../catalogue/nearest.js";
import { nothingBefore } from "../syntax/call-faults.js";
import { resultOf, typeOfArgument } from "../syntax/result.js";
import { parseType, typeName, UNKNOWN, type Type } from "../type.js";
import { checkLiteralArgument } from "./literal-argument.js";
import type { FindingCollector } from "./finding-collector.js";
import { checkPhase } from "./phases.js";
import { checkPlan } from "./plans.js";
import { checkValues } from "./values.js";
import { cannotBeFunction, isKeyword } from "./possible-names.js";

/** Checks a call: its name, the number of arguments, and each argument. Returns its type. */
export function checkCall(call: CallOperand, collector: FindingCollector): Type {
  const before = collector.errors;
  for (const [index, argument] of call.args.entries()) {
    collector.argument(argument, collector);
    if (index > 0 && isOperand(argument) && argument.mapped) {
      const rule = `\`[*]\` can be used only in the first argument of a function`;
      collector.error("argument", argument.span, `${rule}; the function is then called for each element`);
    }
  }
  const entry = findFunction(call.name);
  if (entry === undefined) {
    collector.report(cannotBeFunction(call.name), "unknown-function", call.nameSpan, ...unknownFunction(call.name));
    return UNKNOWN;
  }
  checkUse(entry, call, collector);
  if (collector.errors === before) checkArguments(entry, call, collector);
  return collector.errors === before ? resultOf(entry.name, call.args) : UNKNOWN;
}

function unknownFunction(name: string): readonly [message: string, instead?: string] {
  if (findField(name) !== undefined) return [`\`${name}\` is a field, not a function`];
  if (isKeyword(name)) return [nothingBefore(name)];
  if (name === "if") return ["the language has no `if`; use two rules"];
  const near = nearestName(name, "function");
  const fact = `\`${name}\` is not a known function`;
  return near === undefined ? [fact] : [`${fact}. Did you mean \`${near}\`?`, near];
}

/** Checks where and how often a function may be used. */
function checkUse(entry: FunctionEntry, call: CallOperand, collector: FindingCollector): void {
  const { name } = entry;
  const span = call.nameSpan;
  collector.calls.set(name, (collector.calls.get(name) ?? 0) + 1);
  checkPlan(entry.name, "function", span, collector);
  checkPhase(entry, "function", span, collector);
  const slot = collector.options.slot ?? "filter";
  if (entry.slots?.includes(slot) === false) {
    collector.warn("function-use", span, `\`${name}\` is documented only for the values of rewrites and redirects`);
  }
  if (entry.maxUses !== undefined && (collector.calls.get(name) ?? 0) > entry.maxUses) {
    collector.error("function-use", span, `\`${name}\` can be used only once in an expression`);
  }
  if (
    /^(regex|wildcard)_replace$/.test(name) &&
    collector.calls.has(name === "regex_replace" ? "wildcard_replace" : "regex_replace")
  ) {
    collector.error(
      "function-use",
      span,
      "`regex_replace` and `wildcard_replace` cannot be used in the same expression",
    );
  }
}

function checkArguments(entry: FunctionEntry, call: CallOperand, collector: FindingCollector): void {
  const count = call.args.length;
  if (count < entry.min || (entry.max !== undefined && count > entry.max)) {
    const { start, end } = call.span;
    collector.error(
      "argument",
      { start, end },
      `\`${entry.name}\` takes ${counted(entry)}, not ${String(count)}: \`${entry.signature}\``,
    );
    return;
  }
  for (const [index, argument] of call.args.entries()) {
    const parameter = entry.params[Math.min(index, entry.params.length - 1)];
    if (parameter !== undefined) checkArgument({ entry, parameter, argument, index, call }, collector);
  }
}

function counted({ min, max }: FunctionEntry): string {
  if (max === undefined) return `at least ${String(min)} arguments`;
  const noun = max === 1 ? "argument" : "arguments";
  return min === max ? `${String(min)} ${noun}` : `${String(min)} to ${String(max)} ${noun}`;
}

/** An argument of a call, and what the function takes there. */
interface GivenArgument {
  readonly entry: FunctionEntry;
  readonly parameter: Parameter;
  readonly argument: Argument;
  readonly index: number;
  readonly call: CallOperand;
}

function checkArgument(place: GivenArgument, collector: FindingCollector): void {
  const { entry, parameter, argument, index, call } = place;
  const where = `argument ${String(index + 1)} (\`${parameter.name}\`) of \`${entry.name}\``;
  const type = typeOfArgument(argument);
  const wanted = wantedTypes(place);
  if (type !== UNKNOWN && !wanted.some((one) => fits(type, one))) {
    const types = wanted.map((one) => (typeof one === "string" ? one : typeName(one))).join(" or ");
    collector.report(
      !parameter.unsure,
      "argument",
      argument.span,
      `${where} must be ${types}, but \`${collector.show(argument.span)}\` has type ${typeName(type)}${advice(entry, type)}`,
    );
    return;
  }
  const literal = argument.kind === "string" || argument.kind === "integer" || argument.kind === "ip";
  if (literal ? parameter.takes === "field" : parameter.takes === "literal") {
    const rule = literal ? "must be a field or a function call, not a literal" : "must be a literal";
    collector.report(parameter.sure, "argument", argument.span, `${where} ${rule}`);
    return;
  }
  if (parameter.oneOf !== undefined && isOperand(argument) && !parameter.oneOf.includes(argument.name)) {
    const names = parameter.oneOf.map((name) => `\`${name}\``).join(" or ");
    collector.report(parameter.sure, "argument", argument.span, `${where} must be ${names}`);
  }
  const [value] = call.args;
  if (
    argument.kind === "string" &&
    value !== undefined &&
    isOperand(value) &&
    /^(?:starts|ends)_with$/.test(entry.name)
  )
    checkValues(value, [argument], collector, "parts");
  checkLiteralArgument({ name: entry.name, parameter, argument, where, args: call.args }, collector);
}

function advice(entry: FunctionEntry, type: Type): string {
  return entry.name === "concat" && /^(integer|boolean|ip)$/.test(type.kind)
    ? "; use `to_string` to convert an Integer, a Boolean or an IP address"
    : "";
}

/** The types that an argument may have: specific types, or `Array` and `Map` for any array or map. */
function wantedTypes({ entry, parameter, index, call }: GivenArgument): readonly (Type | string)[] {
  const first = typeOfArgument(call.args[0]);
  if (index > 0 && (entry.name === "concat" || entry.name === "coalesce")) return [first];
  if (index === 1 && entry.name === "has_value") {
    return first.kind === "array" || first.kind === "map" ? [first.of] : [UNKNOWN];
  }
  return parameter.types.map((name) => (/^(Array|Map)(<T>)?$/.test(name) ? name.replace("<T>", "") : parseType(name)));
}

function fits(type: Type, wanted: Type | string): boolean {
  if (typeof wanted === "string") return type.kind === wanted.toLowerCase();
  return wanted === UNKNOWN || type === wanted;
}
