import type { Conflict } from "./conflict.js";
import type { Display } from "./display.js";
import type { OverwrittenChange } from "./overwritten-change.js";
import { overwrittenText, type OverwrittenWrite } from "./overwritten-messages.js";
import {
  ruleConflictText,
  ruleInWords,
  ruleOccupiedText,
  ruleOverwriteText,
  ruleOverwrittenText,
} from "./rule-messages.js";
import { conflictText, keptRulesetText, overwriteText, type Operation } from "./ruleset-messages.js";
import { keptRulesText, occupiedRefsText, type OccupiedPlace, type OccupiedRef } from "./shared-messages.js";
import type { Ownership } from "../model/options.js";
import type { DeployedRule } from "../model/ruleset.js";

/** Somebody else's changes that a run would undo. */
interface UndoneChanges {
  readonly version: string;
  readonly conflict: Conflict;
  readonly operation: Operation;
  readonly display: Display;
}

/** How messages speak of what a resource manages: rules of a list, or the one rule that the resource is. */
export interface Words {
  /** What it manages. */
  readonly subject: string;
  /** Whether that is the whole ruleset, its own rules there, or the one rule that its arguments are. */
  readonly manages: "ruleset" | "rules" | "rule";
  /** How to keep what somebody else wrote. */
  readonly keep: string;
  /** Why the run stops at changes of somebody else. */
  readonly conflict: (changes: UndoneChanges) => string;
  /** The same where overwriting was requested. */
  readonly overwrites: (changes: UndoneChanges) => string;
  /** What a write undid that was not read before. */
  readonly overwritten: (write: Omit<OverwrittenWrite, "where">, change: OverwrittenChange) => string;
  /** Why rules cannot be added: their refs are in use. */
  readonly occupied: (rules: readonly OccupiedRef[], place: OccupiedPlace) => string;
  /** Rules that stay because they were only taken over. */
  readonly kept: (rules: readonly DeployedRule[], display: Display) => string;
}

/** @param where the ruleset, as messages name it */
export function wordsOfList(where: string, ownership: Ownership): Words {
  return {
    subject: where,
    manages: ownership === "shared" ? "rules" : "ruleset",
    keep: "keep it: write it into `rules`",
    conflict: ({ version, conflict, operation, display }) => conflictText(where, version, conflict, operation, display),
    overwrites: ({ version, conflict, operation, display }) =>
      overwriteText(where, version, conflict, operation, display),
    overwritten: (write, change) => overwrittenText({ ...write, where }, change),
    occupied: (rules, place) => occupiedRefsText(where, rules, place),
    kept: (rules, display) => keptRulesText(where, rules, display),
  };
}

export function wordsOfRule(ref: string, where: string): Words {
  const subject = ruleInWords(ref, where);
  return {
    subject,
    manages: "rule",
    keep: "keep it: copy its values into the arguments",
    conflict: ({ conflict, operation, display }) => ruleConflictText(subject, conflict, operation, display),
    overwrites: ({ conflict, operation, display }) => ruleOverwriteText(subject, conflict, operation, display),
    overwritten: ({ operation, ...write }, change) =>
      ruleOverwrittenText(
        { ...write, where: subject, operation: operation === "delete" ? "delete" : "change" },
        change,
      ),
    occupied: (rules, place) => rules.map((each) => ruleOccupiedText(where, each, place)).join("\n"),
    kept: () => keptRulesetText(subject),
  };
}
