import type { CompareVerdict } from "../../analysis/index.js";
import type { Json } from "../../provider/model/json.js";

/** What happens to one rule, gravest first. */
export const RULE_CHANGES = ["removed", "weakened", "changed", "added", "moved", "formatting", "unchanged"] as const;
export type RuleChange = (typeof RULE_CHANGES)[number];

export interface FieldChange {
  readonly field: string;
  /** Left out where the field was not there. */
  readonly before?: Json;
  /** Left out where the field is gone. */
  readonly after?: Json;
  /** Managed rulesets and rules in both: `5de7… ("Wordpress - Broken access control")`. Left out where no name is known. */
  readonly names?: string;
}

export interface RuleRow {
  readonly change: RuleChange;
  readonly ref: string;
  /** What people call it: its description, or what it executes, or its ref. */
  readonly name: string;
  readonly action: string;
  readonly expression?: string;
  readonly moved: boolean;
  /** Where a rule of its own is meant to be, when it is new or moves: `before "admin"`. */
  readonly place?: string;
  /** Why it counts as weaker. Removed and added rules have it too. */
  readonly weakens?: string;
  readonly fields: readonly FieldChange[];
}

/** A request that `up` would make to change something. Reads are not told. */
export interface Send {
  /** `POST /zones/…/rulesets`. */
  readonly call: string;
  /** When it is not sent after all. */
  readonly unless?: string;
}

/** What the change of one ruleset does to requests, proved or shown by requests. */
export interface Effect {
  readonly verdict: CompareVerdict;
  readonly witnesses: readonly string[];
}

export interface ResourceSummary {
  readonly urn: string;
  /** Name in the program. */
  readonly resource: string;
  /** `PhaseEntrypoint` and the like. */
  readonly type: string;
  readonly op: "create" | "update" | "replace" | "delete" | "read";
  /** `zone 0123…` or `account 0123…`; empty where that is not known yet. */
  readonly scope: string;
  /** What the preview says at its row: warnings, and what it takes over. */
  readonly notes: readonly string[];
  readonly sends: readonly Send[];
}

export interface RulesetSummary extends ResourceSummary {
  readonly kind: "ruleset";
  readonly phase: string;
  /** `http_ratelimit`, or `custom ruleset "Partners"`; of a rule of its own the same. */
  readonly title: string;
  /** Gravest first, then in the order they run. */
  readonly rules: readonly RuleRow[];
  /** Whether the rules are not known before `up`. */
  readonly pending: boolean;
  readonly effect?: Effect;
}

/** Anything else of this package: an authority, a migration. */
export interface OtherSummary extends ResourceSummary {
  readonly kind: "other";
  readonly title: string;
  readonly fields: readonly FieldChange[];
}

/** What one preview comes to. */
export interface Summary {
  /** `project/stack`; empty where the preview names none. */
  readonly stack: string;
  readonly resources: readonly (RulesetSummary | OtherSummary)[];
  readonly counts: Readonly<Record<RuleChange, number>>;
  /** Changes of resources of other packages. */
  readonly elsewhere: number;
  /** Why the preview failed; none when it did not. */
  readonly errors: readonly string[];
}

/** Whether protection is taken away or weakened somewhere. */
export function isWeaker({ resources }: Summary): boolean {
  return resources.some(weakensSomething);
}

/** Whether a rule that stops requests goes or stops fewer, or requests get through that did not. */
function weakensSomething(resource: RulesetSummary | OtherSummary): boolean {
  if (resource.kind === "other") return false;
  return resource.rules.some(({ weakens }) => weakens !== undefined) || resource.effect?.verdict === "looser";
}

/** What reviewers look at first. */
export function isGrave(resource: RulesetSummary | OtherSummary): boolean {
  return (
    weakensSomething(resource) ||
    (resource.kind === "ruleset" && resource.rules.some(({ change }) => change === "removed"))
  );
}
