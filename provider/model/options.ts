/**
 * What to do with existing rules when a resource is created. `empty` is like `replace`, but may also leave the ruleset
 * without rules: deleting every rule requires an explicit choice.
 */
export type OnExisting = "fail" | "adopt" | "replace" | "empty";
/** What to do when a ruleset was changed outside the stack since the last write. */
export type OnConflict = "fail" | "overwrite";
/** What deleting an entry point does: delete its rules and keep its versions, delete it entirely, or only forget it. */
export type OnDelete = "empty" | "delete" | "keep";
/** Which rules a resource manages: every rule of the ruleset, or only its own, alongside those of others. */
export type Ownership = "exclusive" | "shared";
