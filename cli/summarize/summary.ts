import type { CompareVerdict } from "../../analysis/index.js";
import type { Json } from "../../provider/model/json.js";

/** What happens to one rule, the most severe first. */
export const RULE_CHANGES = ["removed", "weakened", "changed", "added", "moved", "formatting", "unchanged"] as const;
export type RuleChange = (typeof RULE_CHANGES)[number];

export interface FieldChange {
  readonly field: string;
  /** Missing if the field did not exist. */
  readonly before?: Json;
  /** Missing if the field was removed. */
  readonly after?: Json;
  /** Managed rulesets and rules in both values: `5de7… ("Wordpress - Broken access control")`. Missing if no name is known. */
  readonly names?: string;
}

export interface RuleRow {
  readonly change: RuleChange;
  readonly ref: string;
  /** Its display name: the description, otherwise what it executes, otherwise the ref. */
  readonly name: string;
  readonly action: string;
  readonly expression?: string;
  readonly moved: boolean;
  /** Whether somebody else wrote it, in a ruleset that the stack owns as a whole. */
  readonly foreign?: true;
  /** Position of a `RulesetRule` that is new or moves: `before "admin"`. */
  readonly place?: string;
  /** Why it counts as weaker. Removed and added rules have it too. */
  readonly weakens?: string;
  readonly fields: readonly FieldChange[];
}

/** A request by which `up` would change something. Reads are not listed. */
export interface PlannedRequest {
  /** `POST /zones/…/rulesets`. */
  readonly call: string;
  /** The condition under which it is not sent. */
  readonly unless?: string;
}

/** What the change of one ruleset does to requests, proved or shown by examples. */
export interface Effect {
  readonly verdict: CompareVerdict;
  readonly witnesses: readonly string[];
}

/** What a refresh finds: somebody else changed an object, or it no longer exists. */
export type Drift = "changed by others" | "gone";

export interface ResourceSummary {
  readonly urn: string;
  /** Name in the program. */
  readonly resource: string;
  /** `PhaseEntrypoint` and so on. */
  readonly type: string;
  readonly op: "create" | "update" | "replace" | "delete" | "read" | Drift;
  /** `zone 0123…` or `account 0123…`; empty if not known yet. */
  readonly scope: string;
  /** Messages of the preview on this resource: warnings, and what it takes over. */
  readonly notes: readonly string[];
  /** The writes that `pulumi up` sends for it. */
  readonly writes: readonly PlannedRequest[];
}

export interface RulesetSummary extends ResourceSummary {
  readonly kind: "ruleset";
  readonly phase: string;
  /** `http_ratelimit`, or `custom ruleset "Partners"`; for a `RulesetRule`, that of its ruleset. */
  readonly title: string;
  /** The most severe first, then in execution order. */
  readonly rules: readonly RuleRow[];
  /** Whether the rules are not known before `up`. */
  readonly pending: boolean;
  /** What somebody else changed besides the rules: the name or the description. Missing in everything but drift. */
  readonly fields?: readonly FieldChange[];
  readonly effect?: Effect;
}

/** Any other resource of this package, such as a certificate authority or a migration. */
export interface OtherSummary extends ResourceSummary {
  readonly kind: "other";
  readonly title: string;
  readonly fields: readonly FieldChange[];
}

/** The summary of one preview. */
export interface Summary {
  /** `project/stack`; empty if the preview contains no URN. */
  readonly stack: string;
  readonly resources: readonly (RulesetSummary | OtherSummary)[];
  readonly counts: Readonly<Record<RuleChange, number>>;
  /** What a refresh in the same run found to be changed by others since the last one. */
  readonly drift: readonly (RulesetSummary | OtherSummary)[];
  /** The number of changes to resources of other packages. */
  readonly elsewhere: number;
  /** Why the preview failed; empty if it succeeded. */
  readonly errors: readonly string[];
}

export function isDrift(op: ResourceSummary["op"]): op is Drift {
  return op === "changed by others" || op === "gone";
}

/** Whether there is nothing to say: nothing changes, nothing was changed by others, and nothing failed. */
export function isEmpty({ errors, resources, drift }: Summary): boolean {
  return errors.length + resources.length + drift.length === 0;
}

/** Whether protection is removed or weakened anywhere. */
export function isWeaker({ resources }: Pick<Summary, "resources">): boolean {
  return resources.some(weakensSomething);
}

/** Whether a rule that stops requests is removed or stops fewer, or requests get through that were stopped. */
function weakensSomething(resource: RulesetSummary | OtherSummary): boolean {
  if (resource.kind === "other") return false;
  return resource.rules.some(({ weakens }) => weakens !== undefined) || resource.effect?.verdict === "looser";
}

/** Resources that reviewers should look at first. */
export function isCritical(resource: RulesetSummary | OtherSummary): boolean {
  return (
    weakensSomething(resource) ||
    (resource.kind === "ruleset" && resource.rules.some(({ change }) => change === "removed"))
  );
}
