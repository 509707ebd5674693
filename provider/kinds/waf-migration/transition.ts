import type { RulesetRule } from "../../../core/model/generated/rule.js";
import type { MigrationMode, MigrationPhase } from "../../../core/model/migration.js";
import type { Ruleset } from "../../../core/model/ruleset.js";
import { isSameForm } from "../../../core/rules/rule.js";

/** What was read about a zone, and this run's own attempts. */
export interface Observation {
  readonly phase: MigrationPhase;
  /** Whether the entry point already has what would be sent. */
  readonly isApplied: boolean;
  /**
   * A step that was sent: `applied` if the entry point shows it; `unsure` if its result is unknown, which is so after a
   * lost response, and if the entry point already has content that this run has not sent.
   */
  readonly attempt?: "applied" | "unsure";
  /** How often the zone has been read since then. */
  readonly reads: number;
}

/** What to do next. */
export type Decision =
  | { readonly kind: "done" }
  /** Saves the rules and advances the zone. */
  | { readonly kind: "advance"; readonly mode: MigrationMode }
  /** Saves changed rules while both implementations run. */
  | { readonly kind: "save" }
  /** The switch is in progress, or was requested. */
  | { readonly kind: "wait" }
  /** A step that this run does not know about may be in progress: reads again before sending. */
  | { readonly kind: "look" };

/** How often a zone is read before a step that may already have been sent is sent. */
export const READS_BEFORE_SENDING = 5;

/**
 * Decides the next step. The migration is one-way: not started, optionally validation, finishing, finished. Nothing is
 * ever sent to a zone that is finishing or finished, and no step is sent again while an earlier one may still be
 * applied.
 */
export function decideStep(observation: Observation, goal: MigrationMode): Decision {
  const { phase, isApplied, attempt, reads } = observation;
  switch (phase) {
    case "finished":
      return { kind: "done" };
    case "finishing":
      // Somebody requested the finish: validation is no longer possible, so there is nothing to wait for.
      return goal === "pending" ? { kind: "wait" } : { kind: "done" };
    case "validation":
      // What this run has saved is there, even if the service returns it in another form.
      if (goal === "validation") return isApplied || attempt === "applied" ? { kind: "done" } : { kind: "save" };
      break;
    case "notStarted":
      break;
  }
  if (attempt === "applied") return { kind: "wait" };
  if (attempt === "unsure" && reads < READS_BEFORE_SENDING) return { kind: "look" };
  return { kind: "advance", mode: goal };
}

/** Whether an entry point has the rules of a step. Without a configuration, there is none to write. */
export function hasRules(entrypoint: Ruleset | undefined, rules: readonly RulesetRule[] | undefined): boolean {
  if (entrypoint === undefined || rules === undefined) return rules === undefined;
  return (
    entrypoint.rules.length === rules.length &&
    entrypoint.rules.every((rule, index) => isSameForm(rule, rules[index] ?? {}))
  );
}

/** Whether the zone reached the requested mode. */
export function isReached(phase: MigrationPhase, goal: MigrationMode): boolean {
  return phase === "finished" || (goal === "validation" && (phase === "validation" || phase === "finishing"));
}

/** Seconds until the next poll: 5, growing by half up to 60. */
export function pollSeconds(polls: number): number {
  return Math.min(60, Math.round(5 * 1.5 ** polls));
}
