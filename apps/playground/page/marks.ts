import { SEVERITIES, type Severity, type Span } from "../../../core/language/index.js";

/** A part of a text with a finding. */
export interface Mark {
  readonly span: Span;
  readonly severity: Severity;
}

/** A part of a text that is underlined as a whole, or not at all. */
interface Segment {
  readonly part: string;
  readonly severity?: Severity;
}

/** A text in parts; where marks overlap, the worst finding counts. */
export function segmentsOf(marks: readonly Mark[], text: string): readonly Segment[] {
  const visible = marks.map(({ span, severity }) => ({ ...visibleSpan(span, text), severity }));
  const changes = visible.flatMap(({ start, end, severity }) => [
    { at: start, severity, by: 1 },
    { at: end, severity, by: -1 },
  ]);
  const open = new Map<Severity, number>();
  const segments: Segment[] = [];
  let from = 0;
  for (const { at, severity, by } of changes.toSorted((a, b) => a.at - b.at)) {
    if (at > from) segments.push({ part: text.slice(from, at), severity: worstOf(open) });
    open.set(severity, (open.get(severity) ?? 0) + by);
    from = at;
  }
  return from < text.length ? [...segments, { part: text.slice(from) }] : segments;
}

function worstOf(open: ReadonlyMap<Severity, number>): Severity | undefined {
  return SEVERITIES.find((severity) => (open.get(severity) ?? 0) > 0);
}

/** A mark without characters, such as for something that is missing, is shown at the character before it. */
function visibleSpan({ start, end }: Span, text: string): Span {
  if (end > start) return { start, end: Math.min(end, text.length) };
  return start === 0 || text[start - 1] === "\n" ? { start, end: start + 1 } : { start: start - 1, end: start };
}

/** The lines with marks, from 1, each with the worst severity. A mark is that of the line in which it begins. */
export function severitiesOfLines(marks: readonly Mark[], text: string): ReadonlyMap<number, Severity> {
  const severities = new Map<number, Severity>();
  const inOrder = marks.toSorted((a, b) => a.span.start - b.span.start);
  let [line, from] = [1, 0];
  for (const { span, severity } of inOrder) {
    line += lineBreaksIn(text.slice(from, span.start));
    from = Math.max(from, span.start);
    const before = severities.get(line) ?? "info";
    severities.set(line, SEVERITIES.indexOf(before) < SEVERITIES.indexOf(severity) ? before : severity);
  }
  return severities;
}

function lineBreaksIn(text: string): number {
  return text.split("\n").length - 1;
}

/** The line in which a part of a text begins, from 1. */
export function lineOf({ start }: Span, text: string): number {
  return lineBreaksIn(text.slice(0, start)) + 1;
}

/** Marks after somebody changed one part of a text: those in it are gone until it is checked, and those behind it move. */
export function movedMarks(marks: readonly Mark[], before: string, after: string): readonly Mark[] {
  if (before === after) return marks;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  const end = before.length - same;
  const by = after.length - before.length;
  return marks.flatMap(({ span, severity }) => {
    if (span.end <= start) return [{ span, severity }];
    return span.start >= end ? [{ span: { start: span.start + by, end: span.end + by }, severity }] : [];
  });
}
