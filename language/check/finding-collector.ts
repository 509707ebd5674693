import type { Argument, Condition, Operand, Span } from "../ast.js";
import type { CheckName, Finding } from "../finding.js";
import type { Type } from "../type.js";
import type { CheckOptions } from "./options.js";

/** Findings that become errors in a strict check. */
const STRICT: ReadonlySet<CheckName> = new Set([
  "unknown-field",
  "unknown-function",
  "unknown-list",
  "phase",
  "plan",
  "function-use",
]);

/** Collects the findings of one check. */
export class FindingCollector {
  readonly errors: Finding[] = [];
  readonly warnings: Finding[] = [];
  /** How often each function is called, and the number of regular expressions. */
  readonly calls = new Map<string, number>();
  regexes = 0;

  constructor(
    readonly text: string,
    readonly options: CheckOptions,
    /** Checks a condition and returns its type. Passed in to avoid a circular import. */
    readonly condition: (condition: Condition, collector: FindingCollector) => Type,
    readonly operand: (operand: Operand, collector: FindingCollector) => void,
    readonly argument: (argument: Argument, collector: FindingCollector) => void,
  ) {}

  error(check: CheckName, span: Span, message: string): void {
    this.errors.push({ check, offset: span.start, end: span.end, message });
  }

  warn(check: CheckName, span: Span, message: string): void {
    const strict = this.options.strict === true && STRICT.has(check);
    (strict ? this.errors : this.warnings).push({ check, offset: span.start, end: span.end, message });
  }

  /** Reports an error, or a warning if the facts behind it are not certain. */
  report(sure: boolean, check: CheckName, span: Span, message: string): void {
    if (sure) this.error(check, span, message);
    else this.warn(check, span, message);
  }

  /** The source text of a part. */
  show(span: Span): string {
    return this.text.slice(span.start, span.end);
  }
}
