import type {
  Certainty,
  ChangeReason,
  CompareVerdict,
  UndecidedChange,
  Weakens,
} from "../../../core/analysis/index.js";
import type { PlannedRequest } from "../../../provider/engine/preview-plan.js";
import type { NotJudged } from "../../../provider/validation/published-effect.js";
import type { Json } from "../../../core/model/json.js";

export type { PlannedRequest };

/** What happens to one rule, the most severe first. `expired`: it is removed after its time was over. */
export const RULE_CHANGES = [
  "removed",
  "weakened",
  "changed",
  "added",
  "moved",
  "expired",
  "formatting",
  "unchanged",
] as const;
export type RuleChange = (typeof RULE_CHANGES)[number];

/** Names of zones by ID. */
export type ZoneNames = ReadonlyMap<string, string>;

export interface FieldChange {
  readonly field: string;
  /** An item of a list that is added or removed, instead of a value that changes. */
  readonly item?: string;
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
  /** Where a rule that moves was, and where it or a new `RulesetRule` will be: `before "admin"`. */
  readonly from?: string;
  readonly place?: string;
  /** Whether its change weakens the protection, or may do so. Missing if it does not. */
  readonly weakens?: Exclude<Weakens, "no">;
  /** What the change of the rule means: `block → log`. */
  readonly reasons: readonly ChangeReason[];
  readonly fields: readonly FieldChange[];
}

/** What the change of one ruleset does to requests, proved or shown by examples. */
export interface Effect {
  readonly verdict: CompareVerdict;
  readonly weakens: Weakens;
  /** Whether enforcement weakens. */
  readonly looser: Certainty;
  readonly stricter: Certainty;
  /** After a subject such as `the change`. Missing if nothing is known. */
  readonly words?: string;
  readonly witnesses: readonly string[];
  /** Everything that the analysis could not decide. */
  readonly undecided: readonly UndecidedChange[];
  /** What of it, and what besides, leaves open whether enforcement weakens. */
  readonly notJudged: readonly NotJudged[];
}

/** What a refresh finds: somebody else changed an object, or it no longer exists. */
type Drift = "changed by others" | "gone";

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
  /** Whether the preview has no plan for it, so that its writes are not known. */
  readonly hasUnknownWrites?: true;
  /** What it does to requests. Missing where it does nothing to them, or the resource is only read. */
  readonly effect?: Effect;
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
  /** Whether rules are removed. */
  readonly removes: Weakens;
  /** What somebody else changed besides the rules: the name or the description. Missing in everything but drift. */
  readonly fields?: readonly FieldChange[];
}

/** The ID of the zone of a resource; empty if it has none. */
export function zoneIn({ scope }: Pick<ResourceSummary, "scope">): string {
  const [level = "", id = ""] = scope.split(" ");
  return level === "zone" ? id : "";
}

/** Any other resource of this package, such as a certificate authority or a migration. */
export interface OtherSummary extends ResourceSummary {
  readonly kind: "other";
  readonly title: string;
  /** Missing unless it is of a kind that this version does not know, which may have rules. */
  readonly removes?: "unknown";
  readonly fields: readonly FieldChange[];
}

/** An invariant that is not proved in a zone once the change is made. */
export interface InvariantChange {
  readonly name: string;
  /** Its name, or `zone <id>`. */
  readonly zone: string;
  readonly verdict: "violated" | "unknown" | "excepted";
  /** What it was without the change; missing for a zone that the change creates. */
  readonly before?: "proved" | "violated" | "unknown" | "excepted";
  /** What must hold: `requests with … must be blocked`. */
  readonly words: string;
  /** A request that shows the violation, or what could not be decided. */
  readonly lines: readonly string[];
  readonly exception?: { readonly until: string; readonly reason: string };
}

/** The summary of one preview. */
export interface Summary {
  /** `project/stack`; empty if the preview contains no URN. */
  readonly stack: string;
  readonly resources: readonly (RulesetSummary | OtherSummary)[];
  readonly counts: Readonly<Record<RuleChange, number>>;
  /** How many lists the program creates, changes or deletes. */
  readonly lists: number;
  /** What a refresh in the same run found to be changed by others since the last one. */
  readonly drift: readonly (RulesetSummary | OtherSummary)[];
  /** The number of changes to resources of other packages. */
  readonly elsewhere: number;
  /** Invariants that are not proved, the violated ones first; missing if none were given. */
  readonly invariants?: readonly InvariantChange[];
  /** Why the preview failed; empty if it succeeded. Whatever it would have changed is not judged. */
  readonly errors: readonly string[];
  /** Whether protection is weakened anywhere, by the program or by others and not undone. */
  readonly weakens: Weakens;
  /** Whether rules are removed anywhere, by the program or by others and not undone. */
  readonly removes: Weakens;
  /** Whether the preview read nothing again although the stack has resources, so that nobody looked for drift. */
  readonly isDriftUnknown: boolean;
}

export function isDrift(op: ResourceSummary["op"]): op is Drift {
  return op === "changed by others" || op === "gone";
}

/** Whether there is nothing to say: nothing changes or was changed by others, nothing failed, and every invariant is proved. */
export function isEmpty({ errors, resources, drift, invariants = [] }: Summary): boolean {
  return errors.length + resources.length + drift.length + invariants.length === 0;
}

/** The worst that a part of a change does. */
export function worstOf(parts: readonly Weakens[]): Weakens {
  return parts.includes("yes") ? "yes" : parts.includes("unknown") ? "unknown" : "no";
}

/** Whether a change of a resource weakens the protection. */
export function weakensBy(resource: RulesetSummary | OtherSummary): Weakens {
  return resource.effect?.weakens ?? "no";
}

/** Resources that reviewers should look at first. */
export function isCritical(resource: RulesetSummary | OtherSummary): boolean {
  return (
    weakensBy(resource) !== "no" ||
    (resource.kind === "ruleset" && resource.rules.some(({ change }) => change === "removed"))
  );
}

/** The fields of a rule whose change its reasons do not say. */
export function unsaidFields({ fields, reasons }: RuleRow): readonly FieldChange[] {
  const said = reasons.flatMap((reason) => reason.fields ?? []);
  return fields.filter(({ field }) => !said.some((one) => field === one || field.startsWith(`${one}.`)));
}
