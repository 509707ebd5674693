import type { Failure } from "../../provider/validation/index.js";
import type { LoadedRules, SourcePlace } from "../loaded.js";
import type { Plan } from "../../language/index.js";

export type Level = "error" | "warning" | "note";

/** A finding of a check in a ruleset, by its index. */
export interface CheckFinding extends Failure {
  /** The stable name: a section of docs/findings.md, and the name that waivers use. */
  readonly check: string;
  readonly level: Level;
  readonly ruleset: number;
}

/** The page about a finding, as a version of the package contains it. */
export function pageOf(name: string, version: string): string {
  return `https://unpkg.com/pulumi-rulesets@${version}/docs/findings.md#${name}`;
}

/** A finding as reports show it. */
export interface ReportedFinding {
  readonly name: string;
  readonly level: Level;
  readonly message: string;
  readonly source: string;
  readonly ruleset: string;
  /** Path in the ruleset: `rules[3].expression`. */
  readonly path: string;
  /** `name` is how the report names it. */
  readonly rule?: { readonly name: string; readonly ref?: string; readonly id?: string; readonly description?: string };
  /** Where the finding begins in the expression, from 1, and the length of the part that it is about. */
  readonly character?: number;
  readonly length?: number;
  /** What to write for that part instead; without a position, for the whole value. */
  readonly instead?: string;
  readonly excerpt?: string;
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
export interface Check {
  /** The names of its findings, each with a sentence for reports. */
  readonly names: Readonly<Record<string, string>>;
  readonly run: (subject: CheckSubject) => readonly CheckFinding[];
}
