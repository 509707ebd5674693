import type { LimitStatus } from "./limits.js";
import type { Program, Rule, Ruleset } from "./program.js";
import type { Level, RulePlace } from "./place.js";
import type { TraceEntry } from "./result.js";

/** Where a ruleset runs, and what that depends on (empty if it certainly runs). */
export interface Place {
  readonly phase: string;
  readonly level: Level;
  readonly because: readonly string[];
}

type Status = TraceEntry["status"];
type Matched = TraceEntry["matched"];

/** The trace of every rule so far. */
export class TraceLog {
  readonly entries: TraceEntry[] = [];

  note(at: RulePlace, status: Status, why: string | (() => string), matched?: Matched): void {
    this.entries.push(entry(at, status, typeof why === "string" ? () => why : why, matched));
  }

  /** Replaces the status of the last rule's entry. */
  replaceLast(at: RulePlace, status: Status, why: string): void {
    this.entries[this.entries.length - 1] = entry(at, status, () => why, true);
  }

  /** Adds to the last rule's entry, including the state of its rate limit. */
  appendToLast(at: RulePlace, more: string, limit?: LimitStatus): void {
    const last = this.entries.at(-1);
    if (last === undefined) return;
    const next = entry(at, last.status, () => `${last.why}; ${more}`, last.matched);
    this.entries[this.entries.length - 1] = limit === undefined ? next : Object.assign(next, { limit });
  }
}

/** The text is only computed when read: most texts never are. */
function entry(at: RulePlace, status: Status, why: () => string, matched: Matched): TraceEntry {
  return {
    ...at,
    status,
    matched,
    get why() {
      return why();
    },
  };
}

export function placeOf(rule: Rule, ruleset: Ruleset, index: number, { phase, level }: Place): RulePlace {
  const { ref, id, description, action, text } = rule;
  return { phase, level, index, ruleset: ruleset.id ?? ruleset.name, ref, id, description, action, expression: text };
}

/** The display name of a rule in messages. */
export function nameOf({ ref, id, description, phase, index }: RulePlace): string {
  const name = ref ?? id ?? description;
  return name === undefined ? `rule ${String(index)} of ${phase}` : `"${name}"`;
}

/** The ruleset of the program that an `execute` rule refers to. */
export function findExecuted({ rulesets }: Program, id: string): Ruleset | undefined {
  return rulesets.find((one) => one.id === id && one.kind !== "root" && one.kind !== "zone");
}
