import type { ArgumentFinding } from "../../../provider/validation/index.js";
import type { LoadedRules, SourcePlace } from "../loaded.js";
import type { FindingCode, Plan } from "../../../core/language/index.js";

/** A finding in a ruleset, by its index. */
export interface CheckFinding extends ArgumentFinding {
  readonly code: FindingCode;
  readonly ruleset: number;
}

/** The page about a finding, as a version of the package contains it. */
export function pageOf(code: FindingCode, version: string): string {
  return `https://unpkg.com/pulumi-rulesets@${version}/docs/findings.md#${code}`;
}

/** A finding as reports show it. */
export interface ReportedFinding extends Omit<CheckFinding, "path" | "rule" | "ruleset"> {
  readonly source: string;
  readonly ruleset: string;
  /** Path in the ruleset: `rules[3].expression`. */
  readonly path: string;
  /** `name` is how the report names it. */
  readonly rule?: { readonly name: string; readonly ref?: string; readonly id?: string; readonly description?: string };
  readonly file?: SourcePlace;
  /** The reason given in a waiver, if there is one. */
  readonly waived?: { readonly reason: string; readonly until?: string };
}

/** What checks look at: the rules of one source, and what is known about the zone. */
export interface CheckSubject extends Pick<LoadedRules, "rulesets"> {
  readonly zone?: { readonly name: string; readonly plan?: Plan };
  /** Seconds since 1970. */
  readonly now: number;
  /** For how many days before its end a rule is reported. */
  readonly expiryWarningDays: number;
  /** Limit of the analysis, for those who cannot wait. @default that of the analysis */
  readonly steps?: number | undefined;
}

/** A group of checks. To add one, write a file and add it to the list in `checks.ts`. */
export type Check = (subject: CheckSubject) => readonly CheckFinding[];
