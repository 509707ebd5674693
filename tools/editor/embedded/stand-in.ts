import { findField, findFunction } from "../../../core/language/catalogue/index.js";
import type { Span } from "../../../core/language/index.js";
import { Places, type ValuePosition } from "../../../provider/sdk/writing/place.js";

/** Can be a field of any type: nothing is known about it. */
const ANY_FIELD = "inserted";
const COMPARISON =
  /(?<name>[A-Za-z][\w.]*)(?:\[[^\][]*\])*\s*(?<op>\b(?:eq|ne|lt|le|gt|ge|in|contains|wildcard)|[=!<>]=|[<>])\s*$/;
const OPERATOR_FOLLOWS = /^\s*(?:(?:eq|ne|lt|le|gt|ge|in|contains|matches|wildcard|strict)\b|[=!<>]=|[<>~])/;

/** A character of an expression and where it is in the document, or a value that a program inserts. */
export type Unit =
  | { readonly at: number; readonly value: string }
  /** `behind` is the text that follows. */
  | { readonly inserted: Span; readonly behind: string };

/** An expression with something that can be read in the place of each value that a program inserts. */
interface FilledText {
  readonly text: string;
  readonly offsets: readonly number[];
  readonly inserted: readonly Span[];
}

/** @param end where the expression ends in the document */
export function fillIn(units: Iterable<Unit>, end: number): FilledText {
  const places = new Places();
  const offsets: number[] = [];
  const inserted: Span[] = [];
  let [text, from] = ["", 0];
  const add = (part: string, at: number): void => {
    text += part;
    for (let index = 0; index < part.length; index += 1) offsets.push(at);
  };
  for (const unit of units) {
    if ("at" in unit) {
      add(unit.value, unit.at);
      continue;
    }
    const start = text.length;
    add(standIn(places.after(text.slice(from)), text, unit.behind), unit.inserted.start);
    from = text.length;
    inserted.push({ start, end: from });
  }
  return { text, offsets: [...offsets, end], inserted };
}

function standIn(place: ValuePosition, before: string, behind: string): string {
  if (place === "quoted") return "x";
  if (place === "list") return "inserted";
  if (place === "pattern") return '"x"';
  const comparison = COMPARISON.exec(before)?.groups;
  const literal = literalFor(comparison?.name ?? nameOfSet(before), place);
  if (comparison !== undefined) return comparison.op === "in" ? `{${literal}}` : literal;
  if (/\{[^{}]*$/.test(before)) return literal;
  return argumentFor(before) ?? (OPERATOR_FOLLOWS.test(behind) ? ANY_FIELD : "true");
}

function nameOfSet(before: string): string {
  return /([A-Za-z][\w.]*)(?:\[[^\][]*\])*\s*\bin\s*\{[^{}]*$/.exec(before)?.[1] ?? "";
}

/** A literal of the type of a field. */
function literalFor(name: string, place: "address" | "value"): string {
  if (place === "address") return "192.0.2.1";
  return findField(name)?.type.kind === "integer" || name === "len" ? "1" : '"x"';
}

/** An argument of the function whose parentheses are open; undefined outside a call. */
function argumentFor(before: string): string | undefined {
  let [open, commas] = [before.length - 1, 0];
  for (let depth = 0; open >= 0; open -= 1) {
    const character = before[open];
    if (character === ")") depth += 1;
    else if (character === "(" && depth > 0) depth -= 1;
    else if (character === "(") break;
    else if (character === "," && depth === 0) commas += 1;
  }
  const name = /([A-Za-z_]\w*)\s*$/.exec(before.slice(0, Math.max(open, 0)))?.[1];
  const entry = name === undefined ? undefined : findFunction(name);
  const parameter = entry?.params[Math.min(commas, entry.params.length - 1)];
  if (parameter === undefined || !/[(,]\s*$/.test(before)) return undefined;
  if (parameter.takes === "field") return ANY_FIELD;
  return parameter.types[0] === "Integer" ? "1" : '"x"';
}
