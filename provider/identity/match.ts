import { contentOf, contentText, fingerprint, mayBeSame } from "../diff/content.js";
import { isObject, sameJson, type JsonObject } from "../model/json.js";
import { hasUnknown, isUnknown } from "../model/unknown.js";

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
 * that may be equal once it is known, all but one thing equal, expression, description, and last the place between
 * two neighbours. A rule not yet known takes what is left, so that an old rule counts as removed only when no
 * unknown could be it. Each known rule is given away once. With `onlySure`, only refs, ids and contents count.
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
  matcher.byTest((old, now) => hasUnknown(now) && mayBeSame(contentOf(old), contentOf(now)));
  if (options.onlySure === true) {
    matcher.unknownsTakeTheRest();
    return matcher.result;
  }
  for (const fields of SIGNS) matcher.byTest((old, now) => agreesIn(old, now, fields));
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

function agreesIn(old: JsonObject, now: JsonObject, fields: readonly string[]): boolean {
  const telling = fields.some((field) => field !== "action" && !isVague(field, now[field]));
  return telling && fields.every((field) => sameJson(old[field] ?? null, now[field] ?? null));
}

class Matcher {
  readonly result: (number | undefined)[];
  private readonly free: Set<number>;

  constructor(
    private readonly known: readonly KnownRule[],
    private readonly wanted: readonly WantedRule[],
  ) {
    this.result = wanted.map(() => undefined);
    this.free = new Set(known.keys());
  }

  private give(wanted: number, known: number): void {
    this.result[wanted] = known;
    this.free.delete(known);
  }

  private object(index: number): JsonObject {
    const rule = this.wanted[index];
    return isObject(rule) ? rule : {};
  }

  private open(): number[] {
    return this.wanted.flatMap((_, index) => (this.result[index] === undefined ? [index] : []));
  }

  byRef(): void {
    const byRef = new Map(this.known.map(({ ref }, index) => [ref, index]));
    for (const index of this.open()) {
      const ref = this.object(index).ref;
      const found = typeof ref === "string" ? byRef.get(ref) : undefined;
      if (found !== undefined && this.free.has(found)) this.give(index, found);
    }
  }

  byId(): void {
    for (const index of this.open()) {
      const id = this.object(index).id;
      if (typeof id !== "string") continue;
      const found = this.known.findIndex((rule, at) => this.free.has(at) && (rule.id === id || rule.ref === id));
      if (found >= 0) this.give(index, found);
    }
  }

  /** Equal contents in order, so that twins keep their places. */
  byContent(): void {
    const queues = new Map<string, number[]>();
    const enqueue = (sign: string, index: number): void => {
      queues.set(sign, [...(queues.get(sign) ?? []), index]);
    };
    this.known.forEach(({ rule, declared }, index) => {
      if (!this.free.has(index)) return;
      enqueue(contentText(rule), index);
      if (declared !== undefined) enqueue(declared, index);
    });
    for (const index of this.open()) {
      const rule = this.wanted[index];
      if (!isObject(rule) || hasUnknown(rule) || !this.mayTake(index)) continue;
      const candidates = [...(queues.get(contentText(rule)) ?? []), ...(queues.get(fingerprint(rule)) ?? [])];
      const found = candidates.find((candidate) => this.free.has(candidate));
      if (found !== undefined) this.give(index, found);
    }
  }

  byTest(test: (old: JsonObject, now: JsonObject) => boolean): void {
    for (const index of this.open()) {
      if (!isObject(this.wanted[index]) || !this.mayTake(index)) continue;
      const now = this.object(index);
      const found = [...this.free].find((candidate) => test((this.known[candidate]?.rule ?? {}) as JsonObject, now));
      if (found !== undefined) this.give(index, found);
    }
  }

  /** A rule alone between two recognised neighbours is the one that stood alone between them before. */
  byNeighbours(): void {
    for (const [start, end] of this.openRuns()) {
      const before = start === 0 ? -1 : (this.result[start - 1] ?? -1);
      const after = end === this.wanted.length ? this.known.length : (this.result[end] ?? -1);
      const between = [...this.free].filter((index) => index > before && index < after).sort((a, b) => a - b);
      const run = Array.from({ length: end - start }, (_, offset) => start + offset);
      if (between.length !== run.length || between.length !== after - before - 1) continue;
      run.forEach((index, offset) => {
        const old = between[offset] ?? 0;
        const same = (this.known[old]?.rule as JsonObject | undefined)?.action === this.object(index).action;
        if (same && this.mayTake(index)) this.give(index, old);
      });
    }
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

  unknownsTakeTheRest(): void {
    for (const index of this.open()) {
      if (!hasUnknown(this.wanted[index]) || !this.mayTake(index)) continue;
      const now = this.object(index);
      const fits = [...this.free].find((candidate) => {
        const old = this.known[candidate]?.rule as JsonObject | undefined;
        return now.action === undefined || isUnknown(now.action) || old?.action === now.action;
      });
      if (fits !== undefined) this.give(index, fits);
    }
  }

  /** A rule that names a ref is that rule and no other. */
  private mayTake(index: number): boolean {
    const ref = this.object(index).ref;
    return ref === undefined || isUnknown(ref);
  }
}
