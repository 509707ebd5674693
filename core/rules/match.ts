import { isObject, stableText, type JsonObject } from "../model/json.js";
import { isUnknown } from "../model/unknown.js";
import { alignNames, type Name } from "./align.js";
import { LookAlikes } from "./look-alikes.js";
import { Pool } from "./pool.js";
import type { Rule } from "./rule.js";

/** An existing rule. */
export interface KnownRule<Fields = unknown> {
  readonly ref: string;
  /** The service's ID, if it is known. */
  readonly id?: string;
  readonly rule: Rule<Fields>;
  /** If the rule was changed outside the stack, the fingerprint of what was declared before. */
  readonly declared?: string;
}

/** A rule of the program: an object, or the unknown marker. */
export type WantedRule = JsonObject | string;

/** For each wanted rule, the index of the known rule that it matches, or undefined for a new one. */
export type Matching = readonly (number | undefined)[];

/**
 * Matches wanted rules with known rules. The most reliable criteria are applied first: the ref or ID that the program
 * declares, equal content, content that may be equal once it is known, content equal except for the description, combinations
 * of fields, expression, description, and last the position between two matched neighbours. Rules that are not fully known
 * get what remains, so that an existing rule counts as removed only if no unknown rule could match it. Each known rule is
 * matched once. Where a criterion fits several rules, those that nobody moved keep their positions. With `onlySure`, only refs,
 * IDs, content and effect are used.
 * Each criterion is a lookup in an index, so the time grows with the number of rules, not with the number of pairs.
 */
export function matchRules(
  known: readonly KnownRule[],
  wanted: readonly Rule[],
  { onlySure = false }: { readonly onlySure?: boolean } = {},
): Matching {
  const matches = new MatchesByStage(known, wanted);
  return onlySure ? matches.sure : matches.all;
}

/** Matches rules for callers that need both the sure matches and all of them: the sure ones are found once. */
export function findMatches(known: readonly KnownRule[], wanted: readonly Rule[]): Matches {
  return new MatchesByStage(known, wanted);
}

/** Which known rule each wanted rule is. */
export interface Matches {
  readonly known: readonly KnownRule[];
  /** By refs, IDs, content and effect. */
  readonly sure: Matching;
  /** By every criterion. */
  readonly all: Matching;
}

/** Applies the sure criteria at once, and the others when they are needed. */
class MatchesByStage implements Matches {
  private readonly matcher: Matcher;
  /** With the sure matches alone. */
  private readonly afterSure: Matcher;
  #sure?: Matching;
  #all?: Matching;

  constructor(
    readonly known: readonly KnownRule[],
    wanted: readonly Rule[],
  ) {
    this.matcher = new Matcher(known, wanted);
    this.matcher.bySureCriteria();
    this.afterSure = this.matcher.copy();
  }

  get sure(): Matching {
    return (this.#sure ??= this.afterSure.withUnknowns());
  }

  get all(): Matching {
    return (this.#all ??= this.byAllCriteria());
  }

  private byAllCriteria(): Matching {
    this.matcher.byLikeness();
    return this.matcher.withUnknowns();
  }
}

/** Combinations of fields that must be equal, the most specific first. */
const CRITERIA: readonly (readonly string[])[] = [
  ["action", "expression", "description"],
  ["expression", "description"],
  ["action", "expression", "actionParameters"],
  ["action", "expression"],
  ["action", "description", "actionParameters"],
  ["action", "description"],
  ["expression"],
  ["description"],
];

/** Whether a value is too common to identify a rule. */
function isCommon(field: string, value: unknown): boolean {
  return value === undefined || value === "" || isUnknown(value) || (field === "expression" && value === "true");
}

function isDistinctive(rule: Rule, fields: readonly string[]): boolean {
  return fields.some((field) => field !== "action" && !isCommon(field, valueOf(rule, field)));
}

/** The value of a field that rules are compared by. The normal form is only needed where there may be an expression. */
function valueOf(rule: Rule, field: string): unknown {
  return (field === "action" || field === "description" ? rule.content : rule.meaning)[field];
}

/** The fields of a rule; empty for one that is not known at all. */
function knownFields({ fields }: Rule): JsonObject {
  return isObject(fields) ? fields : {};
}

/** Whether a rule declares no ref. One that does can only match the rule with that ref. */
function namesNoRef(rule: Rule): boolean {
  const { ref } = knownFields(rule);
  return ref === undefined || isUnknown(ref);
}

/** A way to recognise a rule: by a name that stands for some of its fields. */
interface Criterion {
  /** Whether a rule may have the name of a rule on the other side. @default always */
  readonly mayHave?: (rule: Pick<KnownRule, "rule">) => boolean;
  readonly nameOf: (rule: Pick<KnownRule, "rule" | "declared">) => string | undefined;
  /** @default `nameOf` */
  readonly nameOfWanted?: (rule: Rule) => string;
  /** @default rules that are fully known */
  readonly isWanted?: (rule: Rule) => boolean;
}

/** The position of a rule, and its name. */
interface Named {
  readonly index: number;
  readonly name: string | undefined;
}

function groupByName(rules: readonly Named[]): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const { index, name } of rules) {
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [index]);
    else group.push(index);
  }
  return groups;
}

function isFullyKnown(rule: Rule): boolean {
  return !rule.pending;
}

class Matcher {
  private readonly values = new Values();
  private readonly shared = new Map<string, boolean>();
  /** Whether a rule may have an expression of the other side: only such rules need a normal form. */
  private readonly sharesOutline = this.onBothSides((rule) => rule.outline);

  constructor(
    private readonly known: readonly KnownRule[],
    private readonly wanted: readonly Rule[],
    private readonly result: (number | undefined)[] = wanted.map(() => undefined),
    private readonly free: Set<number> = new Set(known.keys()),
  ) {}

  /** Another matcher, with what is matched so far. */
  copy(): Matcher {
    return new Matcher(this.known, this.wanted, [...this.result], new Set(this.free));
  }

  /** By refs, IDs, content and effect. */
  bySureCriteria(): void {
    this.byRef();
    this.byId();
    if (this.isDone()) return;
    this.byContent();
    this.byPossibleContent();
    this.byEffect();
  }

  /** By what is only alike: some of the fields, and the position between two matched neighbours. */
  byLikeness(): void {
    if (this.isDone()) return;
    for (const fields of CRITERIA) this.byFields(fields);
    this.byNeighbours();
  }

  private byRef(): void {
    const byRef = this.pool(({ ref }) => [ref]);
    for (const { index, rule } of this.openRules()) {
      const { ref } = knownFields(rule);
      if (typeof ref === "string") this.assign(index, byRef.first(ref));
    }
  }

  private byId(): void {
    const byName = this.pool(({ id, ref }) => (id === undefined ? [ref] : [id, ref]));
    for (const { index, rule } of this.openRules()) {
      const { id } = knownFields(rule);
      if (typeof id === "string") this.assign(index, byName.first(id));
    }
  }

  /** Whether nothing is left that content could match: a rule that declares a ref matches that ref alone. */
  private isDone(): boolean {
    return this.free.size === 0 || !this.openRules().some(({ rule }) => namesNoRef(rule));
  }

  /** Matches equal contents; rules that are written alike go first. */
  private byContent(): void {
    const sharesWriting = this.onBothSides((rule) => knownFields(rule).expression);
    this.byName({ mayHave: ({ rule }) => sharesWriting(rule), nameOf: ({ rule }) => rule.written });
    this.byName({ mayHave: ({ rule }) => this.sharesOutline(rule), nameOf: ({ rule }) => rule.text });
    if (!this.known.some(({ declared }) => declared !== undefined)) return;
    this.byName({ nameOf: ({ declared }) => declared, nameOfWanted: (rule) => rule.fingerprint });
  }

  /** Matches contents that could be equal once they are fully known. */
  private byPossibleContent(): void {
    const pending = this.candidates().filter(({ rule }) => rule.pending);
    if (pending.length === 0) return;
    const rules = new LookAlikes(
      this.known.map(({ rule }) => rule.meaning),
      this.free,
    );
    for (const { index, rule } of pending) this.assign(index, rules.first(rule.meaning));
  }

  /** Matches rules that differ only in their description. */
  private byEffect(): void {
    this.byName({ mayHave: ({ rule }) => this.sharesOutline(rule), nameOf: ({ rule }) => rule.effect });
  }

  private byFields(fields: readonly string[]): void {
    if (!fields.every((field) => this.isShared(field))) return;
    const readsExpression = fields.includes("expression");
    this.byName({
      mayHave: ({ rule }) => !readsExpression || this.sharesOutline(rule),
      nameOf: ({ rule }) => fields.map((field) => this.values.numberOf(valueOf(rule, field))).join(" "),
      isWanted: (rule) => isDistinctive(rule, fields),
    });
  }

  /** Whether any wanted rule has the same value of a field as any known one. */
  private isShared(field: string): boolean {
    const known = this.shared.get(field);
    if (known !== undefined) return known;
    const mayHave = field === "expression" ? this.sharesOutline : () => true;
    const numberOf = (rule: Rule): number => this.values.numberOf(valueOf(rule, field));
    const values = new Set(this.known.flatMap(({ rule }) => (mayHave(rule) ? [numberOf(rule)] : [])));
    const shared = this.wanted.some((rule) => mayHave(rule) && values.has(numberOf(rule)));
    this.shared.set(field, shared);
    return shared;
  }

  /** Whether a rule has a value that a known rule and a wanted rule have. */
  private onBothSides(of: (rule: Rule) => unknown): (rule: Rule) => boolean {
    let both: ReadonlySet<unknown> | undefined;
    const find = (): ReadonlySet<unknown> => {
      const known = new Set(this.known.map(({ rule }) => of(rule)));
      return new Set(this.wanted.map(of).filter((value) => known.has(value)));
    };
    return (rule) => (both ??= find()).has(of(rule));
  }

  /** Matches a run of rules between two matched neighbours with the run of the same length that was between them before. */
  private byNeighbours(): void {
    for (const [start, end] of this.openRuns()) {
      const before = start === 0 ? -1 : (this.result[start - 1] ?? -1);
      const after = end === this.wanted.length ? this.known.length : (this.result[end] ?? -1);
      if (after - before - 1 !== end - start) continue;
      const old = Array.from({ length: end - start }, (_, offset) => before + 1 + offset);
      if (!old.every((index) => this.free.has(index))) continue;
      old.forEach((candidate, offset) => {
        const index = start + offset;
        const [before, current] = [this.known[candidate]?.rule, this.wanted[index]];
        const same =
          before !== undefined && current !== undefined && knownFields(before).action === knownFields(current).action;
        if (same && namesNoRef(current)) this.assign(index, candidate);
      });
    }
  }

  /** The result, where rules that are not fully known get what remains. */
  withUnknowns(): Matching {
    const any = this.pool(() => [""]);
    const byAction = this.pool(({ rule }) => [stableText(knownFields(rule).action)]);
    for (const { index, rule } of this.openRules()) {
      if (!rule.pending || !namesNoRef(rule)) continue;
      const { action } = knownFields(rule);
      const open = action === undefined || isUnknown(action);
      this.assign(index, open ? any.first("") : byAction.first(stableText(action)));
    }
    return this.result;
  }

  private assign(wanted: number, known: number | undefined): void {
    if (known === undefined) return;
    this.result[wanted] = known;
    this.free.delete(known);
  }

  /** Indexes the free known rules by the names that a criterion gives them, once the first name is looked up. */
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

  /** Matches rules with the same name. Names are only made of rules that may have an equal one. */
  private byName({ mayHave = () => true, nameOf, nameOfWanted, isWanted = isFullyKnown }: Criterion): void {
    const wanted = this.candidates().filter(({ rule }) => isWanted(rule) && mayHave({ rule }));
    if (wanted.length === 0 || this.free.size === 0) return;
    const known = Array.from(this.free).flatMap((index) => {
      const rule = this.known[index];
      return rule !== undefined && mayHave(rule) ? [{ index, name: nameOf(rule) }] : [];
    });
    const named = wanted.map(({ index, rule }) => ({ index, name: nameOfWanted?.(rule) ?? nameOf({ rule }) }));
    const [old, fresh] = [groupByName(known), groupByName(named)];
    const shared = Array.from(fresh).flatMap(([name, after]) => {
      const before = old.get(name);
      return before === undefined ? [] : [{ before, after }];
    });
    if (shared.some(({ before, after }) => before.length > 1 || after.length > 1)) this.keepPositions(known, named);
    for (const { before, after } of shared) {
      const free = before.filter((index) => this.free.has(index));
      const open = after.filter((index) => this.result[index] === undefined);
      open.forEach((index, at) => {
        this.assign(index, free[at]);
      });
    }
  }

  /** Matches rules with the same name in the order of both lists, in which the rules that are already matched are landmarks. */
  private keepPositions(known: readonly Named[], wanted: readonly Named[]): void {
    const before: Name[] = this.known.map((_, index) => (this.free.has(index) ? undefined : index));
    const after: Name[] = [...this.result];
    for (const { index, name } of known) before[index] = name;
    for (const { index, name } of wanted) after[index] = name;
    for (const [old, fresh] of alignNames(before, after)) if (this.free.has(old)) this.assign(fresh, old);
  }

  private openRules(): { readonly index: number; readonly rule: Rule }[] {
    return this.wanted.flatMap((rule, index) => (this.result[index] === undefined ? [{ index, rule }] : []));
  }

  /** Open rules that are at least partly known and declare no ref. */
  private candidates(): { readonly index: number; readonly rule: Rule }[] {
    return this.openRules().filter(({ rule }) => isObject(rule.fields) && namesNoRef(rule));
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

/** Numbers for field values, equal for equal values, so that long values need not be compared as texts again and again. */
class Values {
  private readonly strings = new Map<string, number>();
  private readonly others = new Map<string, number>();

  numberOf(value: unknown): number {
    return typeof value === "string" ? this.number(this.strings, value) : this.number(this.others, stableText(value));
  }

  private number(known: Map<string, number>, text: string): number {
    const number = known.get(text) ?? this.strings.size + this.others.size;
    known.set(text, number);
    return number;
  }
}
