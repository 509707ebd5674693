import { ownValue } from "../model/json.js";
import type { MigrationMode, MigrationPhase, MigrationStatus } from "../model/migration.js";

/** Modes by every spelling: the API also uses `1` and `2`. */
const MODES: Readonly<Record<string, MigrationMode>> = {
  validation: "validation",
  "2": "validation",
  pending: "pending",
  "1": "pending",
};
export const MODE_NAMES = ["validation", "pending"] as const;

/** The mode that a string stands for. */
export function modeOf(text: unknown): MigrationMode | undefined {
  return typeof text === "string" ? ownValue(MODES, text) : undefined;
}

const NOT_STARTED = new Set(["start", "default", ""]);

/**
 * The phase of a zone, from its status. `complete` and `validation` were observed but are not documented, nor is what a
 * zone reports during the switch. So the on/off status of the two WAFs decides where it can, and an unknown state
 * counts as in progress, which waits and sends nothing.
 */
export function phaseOf({ migrationState, previousWaf, newWaf }: MigrationStatus): MigrationPhase {
  const state = migrationState.toLowerCase();
  if (state === "complete") return "finished";
  if (state === "validation") return "validation";
  if (previousWaf === "disabled" && newWaf === "enabled") return "finished";
  return NOT_STARTED.has(state) && newWaf !== "enabled" ? "notStarted" : "finishing";
}

/** Whether two names of a state mean the same: a zone that has not started has several. */
export function isSameState(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a === b || (NOT_STARTED.has(a) && NOT_STARTED.has(b));
}

/** Whether the finish was requested or is complete: nothing is left to plan. */
export function isDecided(phase: MigrationPhase): boolean {
  return phase === "finishing" || phase === "finished";
}

/** A phase, as messages describe it. */
export const PHASE_WORDS: Readonly<Record<MigrationPhase, string>> = {
  notStarted: "not started: the previous WAF protects the zone",
  validation: "in validation mode: both run, the new one first",
  finishing: "finishing: the switch is under way",
  finished: "finished: the zone uses rulesets",
};
