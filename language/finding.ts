/** The kind of a finding. The names are stable: reports show them and waivers refer to them. */
export type CheckName =
  | "syntax"
  | "length"
  | "nesting"
  | "regex"
  | "regex-count"
  | "wildcard"
  | "unknown-field"
  | "unknown-function"
  | "unknown-list"
  | "unknown-value"
  | "bytes-or-text"
  | "type"
  | "argument"
  | "function-use"
  | "slot"
  | "phase"
  | "plan"
  | "deprecated"
  | "glued-keyword"
  | "empty-set"
  | "ip-order"
  | "undocumented"
  | "constant";

/** An error or a warning about a part of an expression. */
export interface Finding {
  readonly check: CheckName;
  /** Start, from 0, in UTF-16 units as JavaScript counts. */
  readonly offset: number;
  /** End, exclusive; equal to `offset` if something is missing at the end. */
  readonly end: number;
  /** One or two sentences, without the position. */
  readonly message: string;
  /** What to write from `offset` to `end` instead, if that is known. */
  readonly instead?: string;
}

/** A finding with its line and column, starting at 1, and an excerpt: the line with `^` below the problem. */
export interface LocatedFinding extends Finding {
  readonly line: number;
  readonly column: number;
  readonly excerpt: string;
}

const WIDTH = 120;

/** Adds line, column and excerpt. Long lines are shortened around the problem. */
export function locate(text: string, finding: Finding): LocatedFinding {
  const offset = Math.min(finding.offset, text.length);
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const lineEnd = text.indexOf("\n", offset);
  const end = lineEnd < 0 ? text.length : lineEnd;
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return {
    ...finding,
    line,
    column: offset - lineStart + 1,
    excerpt: excerptOf(text.slice(lineStart, end), offset - lineStart, Math.min(finding.end, end) - offset),
  };
}

function excerptOf(line: string, at: number, length: number): string {
  const from = line.length <= WIDTH ? 0 : Math.max(0, Math.min(at - WIDTH / 2, line.length - WIDTH));
  const to = Math.min(line.length, from + WIDTH);
  const shown = `${from > 0 ? "…" : ""}${line.slice(from, to)}${to < line.length ? "…" : ""}`;
  const indent = at - from + (from > 0 ? 1 : 0);
  const carets = Math.max(1, Math.min(length, to - at));
  return `${shown.replace(/[\t\r]/g, " ")}\n${" ".repeat(indent)}${"^".repeat(carets)}`;
}
