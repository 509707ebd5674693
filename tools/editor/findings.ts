import type { CheckFinding, ReportedFinding } from "../rules-files/check/finding.js";
import { safetyOf } from "../rules-files/check/fixes.js";
import { findingsOf } from "../rules-files/check/report.js";
import type { LoadedRules } from "../rules-files/loaded.js";
import type { Finding, Plan, Span } from "../../core/language/index.js";
import type { FileError, TextDocument } from "../rules-files/text/text-document.js";
import { spanInDocument, type Edit } from "./embedded/embedded.js";
import { embeddedIn } from "./embedded/of-document.js";
import { optionsAt } from "./embedded/slots.js";
import type { SafeEdit } from "./edits.js";

/** What is known about the zone that rules are for, and the time. */
export interface Surroundings {
  readonly plan?: Plan | undefined;
  /** RFC 3339, UTC. */
  readonly now: string;
}

/** The part of a text that a finding is about, and the edit that mends it, if that is known. */
export interface Placed {
  readonly span: Span;
  readonly edit?: Edit;
  /** Whether the edit can be made without asking. */
  readonly safe?: SafeEdit;
}

/** Without a code, it is about a file that cannot be read, or a failed test. */
export type PlacedFinding<F extends Finding = Finding> = F & Placed;

/** Limit of the analysis while somebody types, as in a preview: well below a second. */
export const STEPS = 3_000_000;

/** What `rules check` finds in the rules of a document, each with its place in the text. */
export function placedFindings(
  { document, loaded }: { readonly document: TextDocument; readonly loaded: LoadedRules },
  source: string,
  { plan, now }: Surroundings,
): readonly PlacedFinding<ReportedFinding>[] {
  return findingsOf(loaded, { plan, now, steps: STEPS }).map(({ found, reported }) => ({
    ...reported,
    ...placeOf(found, { document, loaded }, source),
  }));
}

/** The part of a text that a mistake is in, and the edit that mends it, if that is known. */
export function placedFault({ place, steps, details }: FileError, document: TextDocument, source: string): Placed {
  const offset = document.offsetAt(place);
  const scalar = details.inName === true ? document.nameAt(steps) : document.scalarAt(offset);
  const span = scalar === undefined ? restOfLine(source, offset) : { start: scalar.start, end: scalar.end };
  const { instead } = details;
  return instead === undefined || scalar === undefined ? { span } : { span, edit: { span, text: instead } };
}

function placeOf(
  found: CheckFinding,
  { document, loaded }: { readonly document: TextDocument; readonly loaded: LoadedRules },
  source: string,
): Placed {
  const ruleset = loaded.rulesets[found.ruleset];
  const place = ruleset?.place?.(found.path);
  if (place?.line === undefined || place.column === undefined) return { span: { start: 0, end: 0 } };
  const offset = document.offsetAt({ line: place.line, column: place.column });
  const scalar = document.scalarAt(offset);
  if (scalar === undefined) return { span: restOfLine(source, offset) };
  if (scalar.isKey || typeof scalar.value !== "string") return { span: { start: scalar.start, end: scalar.end } };
  const embedded = embeddedIn(source, scalar, {});
  // Without the quotes, the sign of a block and the line break at its end.
  const whole = spanInDocument(embedded, { start: 0, end: scalar.value.trimEnd().length });
  const part = partOf(found, scalar.value, valueAt(ruleset?.input, found.path));
  if (part === undefined) return { span: whole };
  const span = found.character === undefined ? whole : spanInDocument(embedded, part);
  if (found.instead === undefined) return { span };
  const names = found.path.filter((step) => typeof step === "string");
  const options = { ...optionsAt(names), phase: ruleset?.input.phase };
  const made = found.character === undefined ? undefined : safetyOf({ text: scalar.value, part, options }, found);
  const safe = made === undefined ? {} : { safe: { made, expression: scalar.start } };
  return { span, edit: embedded.change(part, found.instead), ...safe };
}

/** The part of a written text that a finding is about. A stage or a time of a rule adds conditions around the text. */
function partOf({ character, length = 1 }: CheckFinding, written: string, checked: unknown): Span | undefined {
  if (character === undefined) return written === checked ? { start: 0, end: written.length } : undefined;
  const before = typeof checked === "string" ? checked.indexOf(written.trim()) - leadOf(written) : 0;
  const start = character - 1 - before;
  return start < 0 || start > written.length ? undefined : { start, end: Math.min(start + length, written.length) };
}

function leadOf(text: string): number {
  return text.length - text.trimStart().length;
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((at, step) => (at as Readonly<Record<string, unknown>> | undefined)?.[step], value);
}

/** From an offset to the end of its line. */
export function restOfLine(source: string, offset: number): Span {
  const end = source.indexOf("\n", offset);
  return { start: offset, end: end < 0 ? source.length : end };
}
