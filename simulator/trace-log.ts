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

interface Note {
  readonly at: RulePlace;
  readonly status: Status;
  readonly why: string | (() => string);
  readonly matched: Matched;
  readonly limit?: LimitStatus;
}

/** The trace of every rule so far. */
export class TraceLog {
  private readonly notes: Note[] = [];

  note(at: RulePlace, status: Status, why: string | (() => string), matched?: Matched): void {
    this.notes.push({ at, status, why, matched });
  }

  /** Replaces the status of the last rule's entry. */
  replaceLast(at: RulePlace, status: Status, why: string): void {
    this.notes[this.notes.length - 1] = { at, status, why, matched: true };
  }

  /** Adds to the last rule's entry, including the state of its rate limit. */
  appendToLast(at: RulePlace, more: string, limit?: LimitStatus): void {
    const last = this.notes.at(-1);
    if (last === undefined) return;
    this.notes[this.notes.length - 1] = { ...last, at, why: () => `${textOf(last)}; ${more}`, limit };
  }

  /** The entries, which most callers never read. */
  entries(): readonly TraceEntry[] {
    return this.notes.map(entryOf);
  }
}

/** The text is only computed when read: most texts never are. */
function entryOf(note: Note): TraceEntry {
  const { at, status, matched, limit } = note;
  return {
    ...at,
    status,
    matched,
    get why() {
      return textOf(note);
    },
    ...(limit === undefined ? {} : { limit }),
  };
}

function textOf({ why }: Note): string {
  return typeof why === "string" ? why : why();
}

export function placeOf(rule: Rule, ruleset: Ruleset, index: number, { phase, level }: Place): RulePlace {
  const { name, ref, id, description, action, text } = rule;
  return {
    phase,
    level,
    index,
    ruleset: ruleset.id ?? ruleset.name,
    name,
    ref,
    id,
    description,
    action,
    expression: text,
  };
}

/** The ruleset of the program that an `execute` rule refers to. */
export function findExecuted({ rulesets }: Program, id: string): Ruleset | undefined {
  return rulesets.find((one) => one.id === id && one.kind !== "root" && one.kind !== "zone");
}
