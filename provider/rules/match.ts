import { contentText, effectText, fingerprint, meaningOf, writtenText } from "./content.js";
import { isObject, stableText, type JsonObject } from "../model/json.js";
import { hasUnknown, isUnknown } from "../model/unknown.js";
import { LookAlikes } from "./look-alikes.js";
import { Pool } from "./pool.js";

/** A rule that is there already. */
export interface KnownRule {
  readonly ref: string;
  /** The service's id, where it is known. */
  readonly id?: string;
  readonly rule: object;
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
  wanted: readonly WantedRule[],
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

class Matcher {
  readonly result: (number | undefined)[];
  private readonly free: Set<number>;
  /** Each wanted rule as an object; of one that is not known at all, an empty one. */
  private readonly objects: readonly JsonObject[];

  constructor(
    private readonly known: readonly KnownRule[],
    private readonly wanted: readonly WantedRule[],
  ) {
    this.result = wanted.map(() => undefined);
    this.free = new Set(known.keys());
    this.objects = wanted.map((rule) => (isObject(rule) ? rule : {}));
  }

  byRef(): void {
    const byRef = this.pool(({ ref }) => [ref]);
    for (const index of this.open()) {
      const { ref } = this.object(index);
      if (typeof ref === "string") this.give(index, byRef.first(ref));
    }
  }

  byId(): void {
    const byName = this.pool(({ id, ref }) => (id === undefined ? [ref] : [id, ref]));
    for (const index of this.open()) {
      const { id } = this.object(index);
      if (typeof id === "string") this.give(index, byName.first(id));
    }
  }

  /** Equal contents in order, so that twins keep their places; those in the same words before those in others. */
  byContent(): void {
    const byWriting = this.pool(({ rule }) => [writtenText(rule)]);
    for (const index of this.takers()) {
      const rule = this.object(index);
      if (!hasUnknown(rule)) this.give(index, byWriting.first(writtenText(rule)));
    }
    const byText = this.pool(({ rule }) => [contentText(rule)]);
    const byDeclared = this.pool(({ declared }) => (declared === undefined ? [] : [declared]));
    const drifted = this.known.some(({ declared }) => declared !== undefined);
    for (const index of this.takers()) {
      const rule = this.object(index);
      if (hasUnknown(rule)) continue;
      this.give(index, byText.first(contentText(rule)) ?? (drifted ? byDeclared.first(fingerprint(rule)) : undefined));
    }
  }

  /** Contents that could be equal once everything in them is known. */
  byPossibleContent(): void {
    const rules = new LookAlikes(
      this.known.map(({ rule }) => meaningOf(rule)),
      this.free,
    );
    for (const index of this.takers()) {
      const rule = this.object(index);
      if (hasUnknown(rule)) this.give(index, rules.first(meaningOf(rule)));
    }
  }

  /** Rules that do the same under another description. */
  byEffect(): void {
    const byText = this.pool(({ rule }) => [effectText(rule)]);
    for (const index of this.takers()) {
      const rule = this.object(index);
      if (!hasUnknown(rule)) this.give(index, byText.first(effectText(rule)));
    }
  }

  byFields(fields: readonly string[]): void {
    const byText = this.pool(({ rule }) => [textOf(meaningOf(rule), fields)]);
    for (const index of this.takers()) {
      const rule = meaningOf(this.object(index));
      if (isTelling(rule, fields)) this.give(index, byText.first(textOf(rule, fields)));
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
        const same = (this.known[candidate]?.rule as JsonObject | undefined)?.action === this.object(index).action;
        if (same && this.mayTake(index)) this.give(index, candidate);
      });
    }
  }

  unknownsTakeTheRest(): void {
    const any = this.pool(() => [""]);
    const byAction = this.pool(({ rule }) => [stableText((rule as JsonObject).action)]);
    for (const index of this.open()) {
      const rule = this.wanted[index];
      if (!hasUnknown(rule) || !this.mayTake(index)) continue;
      const { action } = this.object(index);
      const open = action === undefined || isUnknown(action);
      this.give(index, open ? any.first("") : byAction.first(stableText(action)));
    }
  }

  private give(wanted: number, known: number | undefined): void {
    if (known === undefined) return;
    this.result[wanted] = known;
    this.free.delete(known);
  }

  private object(index: number): JsonObject {
    return this.objects[index] ?? {};
  }

  /** Free known rules by the names that a sign gives them. */
  private pool(names: (rule: KnownRule) => readonly string[]): Pool {
    const pool = new Pool(this.free);
    for (const index of this.free) {
      const rule = this.known[index];
      if (rule !== undefined) for (const name of new Set(names(rule))) pool.add(name, index);
    }
    return pool;
  }

  private open(): number[] {
    return this.wanted.flatMap((_, index) => (this.result[index] === undefined ? [index] : []));
  }

  /** Open rules of which something is known and that name no ref. */
  private takers(): number[] {
    return this.open().filter((index) => isObject(this.wanted[index]) && this.mayTake(index));
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

  /** A rule that names a ref is that rule and no other. */
  private mayTake(index: number): boolean {
    const { ref } = this.object(index);
    return ref === undefined || isUnknown(ref);
  }
}
