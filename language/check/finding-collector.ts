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

  /** @param instead what to write for the part, if that is known */
  error(check: CheckName, span: Span, message: string, instead?: string): void {
    this.errors.push(toFinding(check, span, message, instead));
  }

  warn(check: CheckName, span: Span, message: string, instead?: string): void {
    const strict = this.options.strict === true && STRICT.has(check);
    (strict ? this.errors : this.warnings).push(toFinding(check, span, message, instead));
  }

  /** Reports an error, or a warning if the facts behind it are not certain. */
  report(sure: boolean, check: CheckName, span: Span, message: string, instead?: string): void {
    if (sure) this.error(check, span, message, instead);
    else this.warn(check, span, message, instead);
  }

  /** The source text of a part. */
  show(span: Span): string {
    return this.text.slice(span.start, span.end);
  }
}

function toFinding(check: CheckName, { start, end }: Span, message: string, instead: string | undefined): Finding {
  return { check, offset: start, end, message, ...(instead === undefined ? {} : { instead }) };
}
