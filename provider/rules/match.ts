import { isObject, stableText, type JsonObject } from "../model/json.js";
import { isUnknown } from "../model/unknown.js";
import { LookAlikes } from "./look-alikes.js";
import { Pool } from "./pool.js";
import type { Rule } from "./rule.js";

/** A rule that is there already. */
export interface KnownRule<Fields = unknown> {
  readonly ref: string;
  /** The service's id, where it is known. */
  readonly id?: string;
  readonly rule: Rule<Fields>;
  /** Fingerprint of what was declared before somebody changed the rule behind the stack's back. */
  readonly declared?: string;
}

/** A rule of the program: an object, or the unknown marker. */
export type WantedRule = object | string;

/** For each wanted rule the index of the known rule it is, or undefined for a new one. */
export type Matching = readonly (number | undefined)[];

/**
 * Which wanted rule is which known rule. Surest signs first: the ref or id a program names, equal content, content
 * that may be equal once it is known, all but the description equal, all but one thing equal, expression, description,
 * and last the place between two neighbours. A rule not yet known takes what is left, so that an old rule counts as
 * removed only when no unknown could be it. Each known rule is given away once. With `onlySure`, only refs, ids, and
 * what a rule says or does count.
 * Every sign is a look-up, so the work grows with the number of rules and not with the number of pairs.
 */
export function matchRules(
  known: readonly KnownRule[],
  wanted: readonly Rule[],
  options: { readonly onlySure?: boolean } = {},
): Matching {
  const matcher = new Matcher(known, wanted);
  matcher.byRef();
  matcher.byId();
  matcher.byContent();
  matcher.byPossibleContent();
  matcher.byEffect();
  if (options.onlySure === true) {
    matcher.unknownsTakeTheRest();
    return matcher.result;
  }
  for (const fields of SIGNS) matcher.byFields(fields);
  matcher.byNeighbours();
  matcher.unknownsTakeTheRest();
  return matcher.result;
}

/** Fields that must agree, from sure to vague. */
const SIGNS: readonly (readonly string[])[] = [
  ["action", "expression", "description"],
  ["expression", "description"],
  ["action", "expression", "actionParameters"],
  ["action", "expression"],
  ["action", "description", "actionParameters"],
  ["action", "description"],
  ["expression"],
  ["description"],
];

/** Values too common to tell a rule by. */
function isVague(field: string, value: unknown): boolean {
  return value === undefined || value === "" || isUnknown(value) || (field === "expression" && value === "true");
}

function isTelling(rule: JsonObject, fields: readonly string[]): boolean {
  return fields.some((field) => field !== "action" && !isVague(field, rule[field]));
}

function textOf(rule: JsonObject, fields: readonly string[]): string {
  return stableText(fields.map((field) => rule[field] ?? null));
}

/** The fields of a rule; of one that is not known at all, none. */
function fieldsOf({ fields }: Rule): JsonObject {
  return isObject(fields) ? fields : {};
}

/** A rule that names a ref is that rule and no other. */
function namesNoRef(rule: Rule): boolean {
  const { ref } = fieldsOf(rule);
  return ref === undefined || isUnknown(ref);
}

class Matcher {
  readonly result: (number | undefined)[];
  private readonly free: Set<number>;

  constructor(
    private readonly known: readonly KnownRule[],
    private readonly wanted: readonly Rule[],
  ) {
    this.result = wanted.map(() => undefined);
    this.free = new Set(known.keys());
  }

  byRef(): void {
    const byRef = this.pool(({ ref }) => [ref]);
    for (const { index, rule } of this.open()) {
      const { ref } = fieldsOf(rule);
      if (typeof ref === "string") this.give(index, byRef.first(ref));
    }
  }

  byId(): void {
    const byName = this.pool(({ id, ref }) => (id === undefined ? [ref] : [id, ref]));
    for (const { index, rule } of this.open()) {
      const { id } = fieldsOf(rule);
      if (typeof id === "string") this.give(index, byName.first(id));
    }
  }

  /** Equal contents in order, so that twins keep their places; those in the same words before those in others. */
  byContent(): void {
    const byWriting = this.pool(({ rule }) => [rule.written]);
    for (const { index, rule } of this.takers()) {
      if (!rule.pending) this.give(index, byWriting.first(rule.written));
    }
    const byText = this.pool(({ rule }) => [rule.text]);
    const byDeclared = this.pool(({ declared }) => (declared === undefined ? [] : [declared]));
    const drifted = this.known.some(({ declared }) => declared !== undefined);
    for (const { index, rule } of this.takers()) {
      if (rule.pending) continue;
      this.give(index, byText.first(rule.text) ?? (drifted ? byDeclared.first(rule.fingerprint) : undefined));
    }
  }

  /** Contents that could be equal once everything in them is known. */
  byPossibleContent(): void {
    const pending = this.takers().filter(({ rule }) => rule.pending);
    if (pending.length === 0) return;
    const rules = new LookAlikes(
      this.known.map(({ rule }) => rule.meaning),
      this.free,
    );
    for (const { index, rule } of pending) this.give(index, rules.first(rule.meaning));
  }

  /** Rules that do the same under another description. */
  byEffect(): void {
    const byText = this.pool(({ rule }) => [rule.effect]);
    for (const { index, rule } of this.takers()) {
      if (!rule.pending) this.give(index, byText.first(rule.effect));
    }
  }

  byFields(fields: readonly string[]): void {
    const byText = this.pool(({ rule }) => [textOf(rule.meaning, fields)]);
    for (const { index, rule } of this.takers()) {
      if (isTelling(rule.meaning, fields)) this.give(index, byText.first(textOf(rule.meaning, fields)));
    }
  }

  /** A run of rules alone between two recognised neighbours is the run that stood alone between them before. */
  byNeighbours(): void {
    for (const [start, end] of this.openRuns()) {
      const before = start === 0 ? -1 : (this.result[start - 1] ?? -1);
      const after = end === this.wanted.length ? this.known.length : (this.result[end] ?? -1);
      if (after - before - 1 !== end - start) continue;
      const old = Array.from({ length: end - start }, (_, offset) => before + 1 + offset);
      if (!old.every((index) => this.free.has(index))) continue;
      old.forEach((candidate, offset) => {
        const index = start + offset;
        const [before, now] = [this.known[candidate]?.rule, this.wanted[index]];
        const same = before !== undefined && now !== undefined && fieldsOf(before).action === fieldsOf(now).action;
        if (same && namesNoRef(now)) this.give(index, candidate);
      });
    }
  }

  unknownsTakeTheRest(): void {
    const any = this.pool(() => [""]);
    const byAction = this.pool(({ rule }) => [stableText(fieldsOf(rule).action)]);
    for (const { index, rule } of this.open()) {
      if (!rule.pending || !namesNoRef(rule)) continue;
      const { action } = fieldsOf(rule);
      const open = action === undefined || isUnknown(action);
      this.give(index, open ? any.first("") : byAction.first(stableText(action)));
    }
  }

  private give(wanted: number, known: number | undefined): void {
    if (known === undefined) return;
    this.result[wanted] = known;
    this.free.delete(known);
  }

  /** Free known rules by the names that a sign gives them, which are worked out when the first one is looked up. */
  private pool(names: (rule: KnownRule) => readonly string[]): Pick<Pool, "first"> {
    let filled: Pool | undefined;
    return { first: (name) => (filled ??= this.filledPool(names)).first(name) };
  }

  private filledPool(names: (rule: KnownRule) => readonly string[]): Pool {
    const pool = new Pool(this.free);
    for (const index of this.free) {
      const rule = this.known[index];
      if (rule !== undefined) for (const name of new Set(names(rule))) pool.add(name, index);
    }
    return pool;
  }

  private open(): { readonly index: number; readonly rule: Rule }[] {
    return this.wanted.flatMap((rule, index) => (this.result[index] === undefined ? [{ index, rule }] : []));
  }

  /** Open rules of which something is known and that name no ref. */
  private takers(): { readonly index: number; readonly rule: Rule }[] {
    return this.open().filter(({ rule }) => isObject(rule.fields) && namesNoRef(rule));
  }

  private openRuns(): (readonly [number, number])[] {
    const runs: (readonly [number, number])[] = [];
    for (let start = 0; start < this.wanted.length; start += 1) {
      if (this.result[start] !== undefined) continue;
      let end = start;
      while (end < this.wanted.length && this.result[end] === undefined) end += 1;
      runs.push([start, end]);
      start = end;
    }
    return runs;
  }
}
