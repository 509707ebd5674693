import { type CompiledExpression, type HttpRequest, printCondition, type TracedPart } from "../language/index.js";
import type { LimitStatus } from "./limits.js";
import type { Program, Rule, Ruleset } from "./program.js";
import type { Level, RulePlace } from "./place.js";
import type { TraceEntry } from "./result.js";

/** Where a ruleset runs, and what that depends on (empty if it certainly runs). */
export interface RulesetPlace {
  readonly phase: string;
  readonly level: Level;
  readonly because: readonly string[];
}

type Status = TraceEntry["status"];
type Matched = TraceEntry["matched"];

interface Note {
  readonly at: RulePlace;
  readonly status: Status;
  readonly why: Why;
  readonly matched: Matched;
  readonly limit?: LimitStatus;
  /** The request that an expression was evaluated for. */
  readonly request: HttpRequest | undefined;
}

/** A text, or what it is computed from when it is read: most texts never are. */
type Why = string | CompiledExpression | (() => string);

/** The trace of every rule so far. */
export class TraceLog {
  readonly isSilent: boolean = false;
  private readonly notes: Note[] = [];

  note(at: RulePlace, status: Status, why: string, matched?: Matched): void {
    this.notes.push({ at, status, why, matched, request: undefined });
  }

  /** Notes whether a rule with an expression matches. */
  noteMatch(at: RulePlace, expression: CompiledExpression, request: HttpRequest, matched: boolean): void {
    this.notes.push({ at, status: matched ? "matched" : "not matched", why: expression, matched, request });
  }

  /** Replaces the status of the last rule's entry. */
  replaceLast(at: RulePlace, status: Status, why: string): void {
    this.notes[this.notes.length - 1] = { at, status, why, matched: true, request: undefined };
  }

  /** Adds to the last rule's entry, including the state of its rate limit. */
  appendToLast(at: RulePlace, more: string, limit?: LimitStatus): void {
    const last = this.notes.at(-1);
    if (last === undefined) return;
    this.notes[this.notes.length - 1] = { ...last, at, why: () => `${textOf(last)}; ${more}`, limit };
  }

  get size(): number {
    return this.notes.length;
  }

  /** The first entries, which most callers never read; all of them, or those with a status. */
  entries(count = this.notes.length, status?: Status): readonly TraceEntry[] {
    const notes = this.notes.slice(0, count);
    return (status === undefined ? notes : notes.filter((note) => note.status === status)).map(entryOf);
  }
}

/** A log for callers that read no trace. */
export class SilentLog extends TraceLog {
  override readonly isSilent = true;
  override note(): void {
    // Nothing is kept.
  }
  override noteMatch(): void {
    // Nothing is kept.
  }
  override replaceLast(): void {
    // Nothing is kept.
  }
}

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

function textOf({ why, request }: Note): string {
  if (typeof why === "string") return why;
  if (typeof why === "function") return why();
  return request === undefined ? "" : explainPart(why.trace(request));
}

const places = new WeakMap<Rule, RulePlace>();

/** The place of a rule, the same object for every request. */
export function placeOf(rule: Rule, ruleset: Ruleset, index: number, { phase, level }: RulesetPlace): RulePlace {
  const known = places.get(rule);
  if (known?.phase === phase && known.level === level) return known;
  const { name, ref, id, description, action, text } = rule;
  const owner = ruleset.id ?? ruleset.name;
  const at = { phase, level, index, ruleset: owner, name, ref, id, description, action, expression: text };
  places.set(rule, at);
  return at;
}

/** The ruleset of the program that an `execute` rule refers to. */
export function findExecuted({ rulesets }: Program, id: string): Ruleset | undefined {
  return rulesets.find((one) => one.id === id && one.kind !== "root" && one.kind !== "zone");
}

/** The parts of an expression that decided, in words: "`ssl` is false". */
function explainPart(part: TracedPart): string {
  return decisive(part)
    .map(({ condition, verdict }) => `\`${printCondition(condition)}\` is ${show(verdict)}`)
    .join(", ");
}

/** The smallest parts that the verdict follows from. */
function decisive(part: TracedPart): readonly TracedPart[] {
  const { condition, verdict, parts } = part;
  if (parts.length === 0) return [part];
  if (condition.kind !== "combination") return parts.flatMap(decisive);
  const same = parts.filter((one) => show(one.verdict) === show(verdict));
  const first = same[0];
  const one = condition.op === "and" ? verdict === false : condition.op === "or" && verdict === true;
  if (one && first !== undefined) return decisive(first);
  return (condition.op === "xor" ? parts : same).flatMap(decisive);
}

function show(verdict: TracedPart["verdict"]): string {
  return typeof verdict === "boolean" ? String(verdict) : "unknown";
}
