/**
 * What to do about rules that already stand where a resource is created. `empty` is `replace` that may leave no rule:
 * a program without rules must not drop all of them by a word that speaks of other rules.
 */
export type OnExisting = "fail" | "adopt" | "replace" | "empty";
/** What to do when somebody else changed a ruleset since the last write. */
export type OnConflict = "fail" | "overwrite";
/** What deleting an entry point does: drop its rules and keep its versions, drop all of it, or only forget it. */
export type OnDelete = "empty" | "delete" | "keep";
/** Whose rules a resource is in charge of: every rule of the ruleset, or its own beside those of others. */
export type Ownership = "exclusive" | "shared";
