import type { Reach } from "../../core/analysis/index.js";
import type { Finding, FindingCode } from "../../core/language/index.js";
import type { JsonObject } from "../../core/model/json.js";
import type { Unread } from "../../core/model/unread.js";

/** The version of the JSON format, incremented by every breaking change. */
export const REPORT_VERSION = 1;

/** How well a zone is protected in a phase, the worst first. */
export const STATES = [
  "unprotected",
  "logging",
  "unknown",
  "weakened",
  "empty",
  "notInPlan",
  "default",
  "active",
] as const;
export type State = (typeof STATES)[number];

/** A zone or an account. */
export interface Where {
  readonly level: "zone" | "account";
  readonly id: string;
  /** For an account whose name the service does not return, its ID. */
  readonly name: string;
}

/** Something that weakens the protection, or a rule without effect. An error leaves a hole, a warning weakens the protection. */
export interface AuditFinding extends Finding {
  /** Identifies the finding across runs. */
  readonly key: string;
  readonly code: FindingCode;
  readonly where: Where;
  /** `lists` for a finding on a list. */
  readonly phase: string;
  readonly ruleset?: { readonly id: string; readonly name: string };
  readonly list?: { readonly id: string; readonly name: string };
  readonly rule?: {
    readonly ref: string;
    readonly action: string;
    readonly description: string;
    readonly expression: string;
  };
  /** The size of the finding, such as the number of disabled rules: more is worse. */
  readonly amount?: number;
}

/** A managed ruleset that a rule executes. */
export interface ManagedRun {
  readonly id: string;
  readonly name: string;
  /** Version of the managed ruleset; missing if it could not be read. */
  readonly version?: string;
  /** The rule that executes it. */
  readonly rule: { readonly ref: string; readonly description: string; readonly enabled: boolean };
  readonly expression: string;
  /** Which requests of the zone it sees; for an account's rule, of any zone. */
  readonly reach: Reach;
  /** Enabled rules, by action; missing if the ruleset could not be read. */
  readonly rules?: { readonly total: number; readonly on: number; readonly actions: Readonly<Record<string, number>> };
  /** Only for the OWASP core ruleset. */
  readonly paranoiaLevel?: number;
  readonly scoreThreshold?: number;
  /** The action that an override sets for all its rules; for the OWASP core ruleset, the action at the threshold. */
  readonly action?: string;
  readonly sensitivityLevel?: string;
  /** Whether an override switches all its rules on or off. */
  readonly enabled?: boolean;
  /** How many tags and rules have their own overrides. */
  readonly overrides: { readonly tags: number; readonly rules: number };
}

/** A rule of an entry point or a custom ruleset, with its fields. */
export interface RuleLine {
  readonly ref: string;
  readonly action: string;
  readonly enabled: boolean;
  readonly description: string;
  readonly expression: string;
  /** The version of the rule itself, and when it was written. */
  readonly version?: string;
  readonly lastUpdated?: string;
  /** In the notation of programs, with `[secret]` for what looks like a secret. Missing if the rule has none. */
  readonly actionParameters?: JsonObject;
  readonly ratelimit?: JsonObject;
  readonly exposedCredentialCheck?: JsonObject;
  readonly wire?: JsonObject;
}

export interface RulesetLine {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly phase: string;
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly lastUpdated?: string;
  /** For an entry point of a zone whose plan has a known limit. */
  readonly quota?: { readonly used: number; readonly included: number };
  readonly managed: readonly ManagedRun[];
  readonly rules: readonly RuleLine[];
}

/** One cell of the picture. */
export interface Cell {
  readonly phase: string;
  readonly state: State;
  /** Rules that stop requests, of the zone and of its account. */
  readonly stopping: number;
  /** Rules that only log. */
  readonly logging: number;
  /** Whether rules of the account are among them. */
  readonly fromAccount: boolean;
  /** Keys of the findings that weaken it. */
  readonly findings: readonly string[];
}

/** A part that could not be read, and why. */
export interface UnreadPart extends Unread {
  /** What it is of; missing for rules, those of `phase` or of all phases. */
  readonly of?: "lists" | "managed rules";
  readonly phase?: string;
  readonly what: string;
  readonly reason: string;
}

export interface AccountEntry {
  readonly accountId: string;
  /** Empty if the service does not return it. */
  readonly accountName: string;
  readonly rulesets: readonly RulesetLine[];
  readonly unread: readonly UnreadPart[];
}

export interface ZoneEntry {
  readonly zoneId: string;
  readonly zoneName: string;
  readonly accountId: string;
  readonly plan: string;
  /** A cell for each phase of the report; empty if the zone could not be read. */
  readonly coverage: readonly Cell[];
  readonly rulesets: readonly RulesetLine[];
  readonly unread: readonly UnreadPart[];
  /** Why the zone could not be read. */
  readonly failure?: string;
}

/** Everything a report shows. */
export interface Report {
  readonly version: typeof REPORT_VERSION;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  /** The phases of the picture. */
  readonly phases: readonly string[];
  readonly zones: readonly ZoneEntry[];
  readonly accounts: readonly AccountEntry[];
  /** By severity. */
  readonly findings: readonly AuditFinding[];
  /** What could not be read and belongs to no zone or account: managed rulesets, and zones that were asked for and not found. */
  readonly unread: readonly UnreadPart[];
  /** What a reader should know about the report itself. */
  readonly notes: readonly string[];
}
