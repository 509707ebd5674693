import type { Argument, Condition, Operand, Span } from "../ast.js";
import type { FindingCode, Fix, Severity, TextFinding } from "../finding.js";
import type { Type } from "../type.js";
import type { CheckOptions } from "./options.js";

/** Findings that become errors in a strict check. */
const STRICT: ReadonlySet<FindingCode> = new Set([
  "unknown-field",
  "unknown-function",
  "unknown-list",
  "plan",
  "function-use",
]);

/** Collects the findings of one check. */
export class FindingCollector {
  readonly findings: TextFinding[] = [];
  /** How many of them are errors. */
  errors = 0;
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

  /** @param fix what to write for the part, if that is known, and whether it may be applied */
  error(code: FindingCode, span: Span, message: string, ...fix: Fix): void {
    this.add("error", code, span, message, ...fix);
  }

  warn(code: FindingCode, span: Span, message: string, ...fix: Fix): void {
    this.add(this.options.strict === true && STRICT.has(code) ? "error" : "warning", code, span, message, ...fix);
  }

  /** Reports an error, or a warning if the facts behind it are not certain. */
  report(sure: boolean, code: FindingCode, span: Span, message: string, ...fix: Fix): void {
    if (sure) this.error(code, span, message, ...fix);
    else this.warn(code, span, message, ...fix);
  }

  private add(severity: Severity, code: FindingCode, { start, end }: Span, message: string, ...fix: Fix): void {
    const [instead, mayApply] = fix;
    if (severity === "error") this.errors += 1;
    this.findings.push({ code, severity, offset: start, end, message, instead, mayApply });
  }

  /** The source text of a part. */
  show(span: Span): string {
    return this.text.slice(span.start, span.end);
  }
}
