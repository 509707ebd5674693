/**
 * What to do with existing rules when a resource is created. `empty` is like `replace`, but may also leave the ruleset
 * without rules: deleting every rule requires an explicit choice.
 */
export type OnExisting = "fail" | "adopt" | "replace" | "empty";
/** What to do when a ruleset was changed outside the stack since the last write. */
export type OnConflict = "fail" | "overwrite";
/** What deleting an entry point does: delete its rules and keep its versions, delete it entirely, or only remove it from the state. */
export type OnDelete = "empty" | "delete" | "keep";
/** Which rules a resource manages: every rule of the ruleset, or only its own, alongside those of others. */
export type Ownership = "exclusive" | "shared";
/** Whether a preview queries the service: when it can, always, or never. */
export type PreviewChecks = "auto" | "require" | "off";
/** Whether a preview warns about what rules mean. */
export type RuleAnalysis = "on" | "off";
/**
 * Whether a preview sends its writes to the service as dry runs: `on` stops at what the service rejects, `warn` only
 * warns.
 */
export type DryRun = "on" | "warn" | "off";

/** The settings of a run that its kinds read. */
export interface SessionSettings {
  /** @default "auto" */
  readonly previewChecks?: PreviewChecks;
  /** Whether a preview warns about what rules mean. @default "on" */
  readonly ruleAnalysis?: RuleAnalysis;
  /** @default "off" */
  readonly dryRun?: DryRun;
  /** How many days before a rule expires previews start to warn. @default 7 */
  readonly expiryWarningDays?: number;
  /** From RULESETS_ON_CONFLICT; overrides the argument. */
  readonly onConflictOverride?: OnConflict;
  /** From the configuration: weaker than the argument. */
  readonly onConflictDefault?: OnConflict;
  /** From RULESETS_MAX_REMOVED_PERCENT; overrides the argument. */
  readonly maxRemovedPercentOverride?: number;
  /** From the configuration: weaker than the argument. */
  readonly maxRemovedPercentDefault?: number;
}
