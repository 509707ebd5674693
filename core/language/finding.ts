import type { FINDINGS } from "./generated/findings.js";

/** The stable name of a kind of finding: a section of docs/findings.md, which reports show and waivers use. */
export type FindingCode = keyof typeof FINDINGS;

/** How bad a finding is, the worst first. */
export const SEVERITIES = ["error", "warning", "info"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A finding about an expression, a rule or a zone. Where it is depends on what was checked. */
export interface Finding {
  readonly code?: FindingCode | undefined;
  readonly severity: Severity;
  /** One or two sentences, without the place. */
  readonly message: string;
  /** What to write in place of the part that it is about, if that is known. */
  readonly instead?: string | undefined;
  /**
   * Whether `rules check --fix` may write `instead`: what is written is refused and can only have meant that, or the analysis proves
   * that both match the same requests. Otherwise it is only offered.
   */
  readonly mayApply?: boolean | undefined;
}

/** What to write in place of a part, and whether it may be applied. */
export type Fix = readonly [instead?: string | undefined, mayApply?: boolean | undefined];

export function isError({ severity }: Pick<Finding, "severity">): boolean {
  return severity === "error";
}

/** Whether a finding fails a gate. */
export function isAtLeast({ severity }: Pick<Finding, "severity">, least: Severity | "never"): boolean {
  return least !== "never" && SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least);
}

/** Sorts the worst first. */
export function bySeverity(a: Pick<Finding, "severity">, b: Pick<Finding, "severity">): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
}

/** A finding on a part of an expression. */
export interface TextFinding extends Finding {
  readonly code: FindingCode;
  /** Start, from 0, in UTF-16 units as JavaScript counts. */
  readonly offset: number;
  /** End, exclusive; equal to `offset` if something is missing at the end. */
  readonly end: number;
}

/** A finding with its line and column, starting at 1, and an excerpt: the line with `^` below the problem. */
export interface LocatedFinding extends TextFinding {
  readonly line: number;
  readonly column: number;
  readonly excerpt: string;
}

const WIDTH = 120;

/** Adds line, column and excerpt. Long lines are shortened around the problem. */
export function locate(text: string, finding: TextFinding): LocatedFinding {
  const offset = Math.min(finding.offset, text.length);
  const lineStart = text.slice(0, offset).lastIndexOf("\n") + 1;
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
