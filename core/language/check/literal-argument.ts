import type { Argument } from "../ast.js";
import type { Parameter } from "../catalogue/index.js";
import { fromBytes } from "../bytes.js";
import { wildcardFault } from "../wildcard.js";
import type { FindingCollector } from "./finding-collector.js";
import { checkPattern } from "./regexes.js";

const MAX_REFERENCES = 8;
const MAX_SLICE = 32;

/** A literal argument of a call, and what the function takes there. */
interface GivenLiteral {
  readonly name: string;
  readonly parameter: Parameter;
  readonly argument: Argument;
  readonly where: string;
  readonly args: readonly Argument[];
}

/** Checks the content of a literal argument: bounds of integers, flags, patterns, references. */
export function checkLiteralArgument(place: GivenLiteral, collector: FindingCollector): void {
  if (place.argument.kind === "integer") checkInteger(place, collector);
  if (place.argument.kind === "string") checkString(place, place.argument.value, collector);
}

function checkInteger({ name, parameter, argument, where, args }: GivenLiteral, collector: FindingCollector): void {
  if (argument.kind !== "integer") return;
  const { min = -Infinity, max = Infinity } = parameter;
  if (argument.value < min || argument.value > max) {
    collector.error("argument", argument.span, `${where} must be an integer from ${String(min)} to ${String(max)}`);
  }
  const [, start] = args;
  if (name !== "bit_slice" || parameter.name !== "offset_end" || start?.kind !== "integer") return;
  if (Number(argument.value) - Number(start.value) > MAX_SLICE) {
    collector.error("argument", argument.span, `\`bit_slice\` reads at most ${String(MAX_SLICE)} bits`);
  }
}

function checkString({ parameter, argument, where }: GivenLiteral, value: string, collector: FindingCollector): void {
  const { span } = argument;
  if (parameter.minLength !== undefined && value.length < parameter.minLength) {
    collector.error("argument", span, `${where} must not be empty`);
  }
  if (parameter.pattern?.test(value) === false) {
    collector.warn("argument", span, `${where} does not document the flags \`${value}\``);
  }
  if (parameter.regex) checkPattern(fromBytes(value) ?? value, span, collector);
  if (parameter.wildcard) {
    const fault = wildcardFault(value);
    if (fault !== undefined) collector.error("wildcard", span, fault);
  }
  if (parameter.name === "replacement") {
    const beyond = Array.from(value.replaceAll("$$", "").matchAll(/\$\{(\d+)\}/g), (found) => Number(found[1]));
    if (beyond.some((reference) => reference < 1 || reference > MAX_REFERENCES)) {
      collector.error("argument", span, `${where} can refer only to \`\${1}\` to \`\${${String(MAX_REFERENCES)}}\``);
    }
  }
}
