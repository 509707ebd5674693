import type { MigrationMode, MigrationPhase } from "../../model/migration.js";

/** What has been seen of a zone, and of this run's own attempts. */
export interface Observation {
  readonly phase: MigrationPhase;
  /** Whether the entry point holds what would be sent. */
  readonly isApplied: boolean;
  /**
   * A step that was sent: `landed` when the entry point shows it, `unsure` when nobody knows, which is so after a lost
   * answer, and when the entry point already holds what this run has not sent.
   */
  readonly attempt?: "landed" | "unsure";
  /** How often the zone was looked at since then. */
  readonly looks: number;
}

/** What to do next. */
export type Decision =
  | { readonly kind: "done" }
  /** Saves the rules and moves the zone on. */
  | { readonly kind: "advance"; readonly mode: MigrationMode }
  /** Saves changed rules while both implementations run. */
  | { readonly kind: "save" }
  /** The switch is under way, or was asked for. */
  | { readonly kind: "wait" }
  /** A step may be under way that this run knows nothing of: looks again before it sends. */
  | { readonly kind: "look" };

/** How often a zone is looked at before a step that may have been sent is sent. */
export const LOOKS_BEFORE_SENDING = 5;

/**
 * The migration goes one way: not started, optionally validation, finishing, finished. Nothing is ever sent to a
 * zone that is finishing or finished, and no step is sent again while an earlier one may still arrive.
 */
export function decide(seen: Observation, goal: MigrationMode): Decision {
  const { phase, isApplied, attempt, looks } = seen;
  switch (phase) {
    case "finished":
      return { kind: "done" };
    case "finishing":
      // Somebody asked for the finish: validation cannot be had any more, and is not waited for.
      return goal === "pending" ? { kind: "wait" } : { kind: "done" };
    case "validation":
      // What this run has saved is there, even where the service answers it in other words.
      if (goal === "validation") return isApplied || attempt === "landed" ? { kind: "done" } : { kind: "save" };
      break;
    case "notStarted":
      break;
  }
  if (attempt === "landed") return { kind: "wait" };
  if (attempt === "unsure" && looks < LOOKS_BEFORE_SENDING) return { kind: "look" };
  return { kind: "advance", mode: goal };
}

/** Whether a zone is where a program wants it. */
export function isReached(phase: MigrationPhase, goal: MigrationMode): boolean {
  return phase === "finished" || (goal === "validation" && (phase === "validation" || phase === "finishing"));
}

/** Seconds until the next look: 5, growing by half to 60. */
export function pollSeconds(polls: number): number {
  return Math.min(60, Math.round(5 * 1.5 ** polls));
}
