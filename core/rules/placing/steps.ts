import type { Position } from "../../model/position.js";
import type { PendingFields } from "../keyed.js";
import type { DeployedRule } from "../../model/ruleset.js";
import { movedRefs } from "../../simulator/moves.js";
import type { Range } from "./position.js";

/** A neighbouring rule: one of the program, by its ref, or any existing rule, by its ID. */
type Neighbour = { readonly ref: string } | { readonly id: string };

/** A place next to a rule, or one that is first, last, or at an index. */
export type Placing = { readonly side: "before" | "after"; readonly of: Neighbour } | { readonly exact: Position };

/** One write of one rule. The first of its places whose neighbour exists is used; without any, the rule goes last. */
export type Step =
  | {
      readonly kind: "add";
      readonly ref: string;
      readonly rule: PendingFields;
      readonly places: readonly Placing[];
    }
  | {
      readonly kind: "change";
      readonly ref: string;
      readonly id: string;
      /** Missing if the rule only moves. */
      readonly rule?: PendingFields;
      /** Missing if it stays in its place. Empty if it goes beside a rule that does not exist yet. */
      readonly places?: readonly Placing[];
    }
  | { readonly kind: "delete"; readonly ref: string; readonly id: string };

/** Whether a step moves an existing rule to a requested position among the rules of others. */
export function isMovedAmongOthers(step: Step): boolean {
  if (step.kind !== "change" || step.places === undefined) return false;
  return step.places.length === 0 || step.places.some((place) => "exact" in place || "id" in place.of);
}

/** A program's rules in a ruleset, and the rules that exist there. */
export interface Shares {
  /** Refs of the program in the order that it wants. */
  readonly order: readonly string[];
  /** What is sent to the service, by ref. */
  readonly rules: Readonly<Record<string, PendingFields>>;
  /** By ref, the IDs of the rules that exist. */
  readonly ids: ReadonlyMap<string, string>;
  /** By ID, the refs of existing rules that the program has to delete. */
  readonly dropped: ReadonlyMap<string, string>;
  readonly deployed: readonly Pick<DeployedRule, "id" | "ref">[];
  /** Refs of existing rules that differ from the program. */
  readonly changed: ReadonlySet<string>;
  /** Refs of rules whose requested position names a rule that does not exist yet. @default none */
  readonly unanchored?: ReadonlySet<string>;
  /** By ref, where rules may be among those of others. @default anywhere */
  readonly ranges?: ReadonlyMap<string, Range>;
  /** The rules when the stack last read them, to place a rule again that somebody deleted. */
  readonly last: { readonly order: readonly string[]; readonly ids: Readonly<Record<string, string>> };
}

/**
 * Plans the fewest writes of single rules that give a program's own rules the wanted content and order, while rules of
 * others stay unchanged. Additions come first, then changes and moves, and last deletions from the bottom up, so that a
 * rule that replaces another is in force before the other one is deleted. Each place is relative to one of the
 * program's own rules if there is one, so that it stays correct whatever others add or move meanwhile. Time and steps
 * grow linearly with the number of rules.
 */
export function planSteps(shares: Shares): Step[] {
  const refOf = new Map([...shares.ids].map(([ref, id]) => [id, ref]));
  const before = shares.deployed.flatMap(({ id }) => refOf.get(id) ?? []);
  const kept = shares.order.filter((ref) => shares.ids.has(ref));
  const among = new AmongOthers(shares);
  const misplaced = new Set(kept.filter((ref) => among.isMisplaced(ref) || shares.unanchored?.has(ref) === true));
  const isPlaced = (ref: string): boolean => !misplaced.has(ref);
  const moved = new Set([...misplaced, ...movedRefs(before.filter(isPlaced), kept.filter(isPlaced))]);
  const adds = planAdditions(shares, moved, among);
  return [...adds, ...planChanges(shares, moved, among), ...planDeletions(shares)];
}

/** Where the rules of the program are among those of others, before the steps and after them. */
class AmongOthers {
  private readonly others: readonly string[];
  /** By ID, the number of rules of others above a rule. */
  private readonly above = new Map<string, number>();
  private readonly ranges: ReadonlyMap<string, Range>;
  private readonly ids: ReadonlyMap<string, string>;
  /** By ref, the number of rules of others above a rule in its place after the steps. */
  private readonly placed = new Map<string, number>();

  constructor({ deployed, ids, ranges = new Map<string, Range>() }: Shares) {
    const own = new Set(ids.values());
    const others: string[] = [];
    for (const { id } of deployed) {
      this.above.set(id, others.length);
      if (!own.has(id)) others.push(id);
    }
    this.others = others;
    this.ranges = ranges;
    this.ids = ids;
  }

  isMisplaced(ref: string): boolean {
    const range = this.ranges.get(ref);
    const above = this.above.get(this.ids.get(ref) ?? "");
    return range !== undefined && above !== undefined && (above < range.from || above > range.to);
  }

  /** Records that a rule stays in its place. */
  stays(ref: string): void {
    this.placed.set(ref, this.above.get(this.ids.get(ref) ?? "") ?? 0);
  }

  /**
   * Where a rule goes that is added or moved, and records it.
   * @param last the rule of the program that it goes after
   * @param next the one that it goes before
   * @param anywhere its places if it may be anywhere among the rules of others
   */
  place(
    ref: string,
    { last, next }: { readonly last: string | undefined; readonly next: string | undefined },
    anywhere: () => readonly Placing[],
  ): readonly Placing[] {
    const range = this.ranges.get(ref);
    const places = range === undefined ? anywhere() : this.placesWithin(range, last, next);
    this.placed.set(ref, range?.exact === undefined ? this.placeAt(places[0]) : range.from);
    return places;
  }

  /** Whether the place of an existing rule is below a rule of the program. */
  isBelow(id: string, ref: string | undefined): boolean {
    return ref === undefined || (this.above.get(id) ?? 0) >= (this.placed.get(ref) ?? 0);
  }

  private placesWithin(
    { from, to, exact }: Range,
    last: string | undefined,
    next: string | undefined,
  ): readonly Placing[] {
    if (exact !== undefined) return [{ exact }];
    const above = this.others[from - 1];
    const start = last === undefined ? 0 : (this.placed.get(last) ?? 0);
    // Somebody may delete a rule of others before the write: the order of the program's own rules then says where.
    const besideOwn = between({ ref: last }, { ref: next });
    if (above !== undefined && from > start)
      return [
        { side: "after", of: { id: above } },
        ...besideOwn,
        ...beside("after", { id: this.others[from - 2] }),
        ...beside("before", { id: this.others[from] }),
      ];
    if (last !== undefined) return [{ side: "after", of: { ref: last } }];
    const isBefore = next !== undefined && (this.placed.get(next) ?? this.placeOf(next)) <= to;
    if (isBefore) return [{ side: "before", of: { ref: next } }];
    return [
      ...beside("before", { id: this.others[to] }),
      ...besideOwn,
      ...beside("before", { id: this.others[to + 1] }),
    ];
  }

  private placeAt(place: Placing | undefined): number {
    if (place === undefined || "exact" in place) return this.others.length;
    const { side, of } = place;
    if ("ref" in of) return this.placed.get(of.ref) ?? this.placeOf(of.ref);
    const above = this.above.get(of.id) ?? 0;
    return side === "after" && this.others[above] === of.id ? above + 1 : above;
  }

  private placeOf(ref: string): number {
    return this.above.get(this.ids.get(ref) ?? "") ?? 0;
  }
}

/**
 * A new rule goes in the place of a rule that it seems to replace, otherwise after the rule before it, otherwise before
 * the next one.
 */
function planAdditions(shares: Shares, moved: ReadonlySet<string>, among: AmongOthers): Step[] {
  const { order, ids } = shares;
  const stays = (ref: string): boolean => ids.has(ref) && !moved.has(ref);
  const staying = order.filter(stays);
  const vacant = vacantPlaces(shares, new Set(staying));
  const taken = vacant.map(() => 0);
  let gap = 0;
  let last: string | undefined;
  return order.flatMap((ref): Step[] => {
    if (stays(ref)) {
      gap += 1;
      last = ref;
      among.stays(ref);
    }
    if (ids.has(ref)) return [];
    const free = vacant[gap]?.[taken[gap] ?? 0];
    const replaced = free !== undefined && among.isBelow(free, last) ? free : undefined;
    taken[gap] = (taken[gap] ?? 0) + 1;
    const [above, next] = [last, staying[gap]];
    const places = among.place(ref, { last, next }, () => {
      const neighbours: Placing[] = [...beside("after", { id: replaced }), ...between({ ref: above }, { ref: next })];
      return neighbours.length === 0 ? formerPlaces(shares, ref) : neighbours;
    });
    last = ref;
    return [{ kind: "add", ref, rule: ruleOf(shares, ref), places }];
  });
}

/** The rules to delete, grouped by the gaps between the program's rules that stay in place. */
function vacantPlaces({ deployed, ids, dropped }: Shares, staying: ReadonlySet<string>): string[][] {
  const stayingIds = new Set([...staying].map((ref) => ids.get(ref)));
  const vacant: string[][] = [[]];
  for (const { id } of deployed) {
    if (stayingIds.has(id)) vacant.push([]);
    else if (dropped.has(id)) vacant.at(-1)?.push(id);
  }
  return vacant;
}

/**
 * The place of a rule if none of the program's own rules exists: between the neighbours that it had when it was last
 * read.
 */
function formerPlaces({ deployed, last }: Shares, ref: string): Placing[] {
  const id = last.ids[ref];
  const index = id === undefined ? -1 : last.order.indexOf(id);
  if (index < 0) return [];
  const existingIds = new Set(deployed.map((rule) => rule.id));
  const above = last.order.slice(0, index).findLast((other) => existingIds.has(other));
  const below = last.order.slice(index + 1).find((other) => existingIds.has(other));
  return between({ id: above }, { id: below });
}

/** The place after one rule, and the one before another, as far as there are such rules. */
function between(above: MaybeNeighbour, below: MaybeNeighbour): Placing[] {
  return [...beside("after", above), ...beside("before", below)];
}

type MaybeNeighbour = { readonly ref: string | undefined } | { readonly id: string | undefined };

function beside(side: "after" | "before", of: MaybeNeighbour): Placing[] {
  if ("ref" in of) return of.ref === undefined ? [] : [{ side, of: { ref: of.ref } }];
  return of.id === undefined ? [] : [{ side, of: { id: of.id } }];
}

/** A moved rule goes after the rule before it, which is in its final place by then. */
function planChanges(shares: Shares, moved: ReadonlySet<string>, among: AmongOthers): Step[] {
  const { order, ids, changed } = shares;
  const next = nextPlaced(order, moved);
  return order.flatMap((ref, index): Step[] => {
    const id = ids.get(ref);
    if (id === undefined || !(moved.has(ref) || changed.has(ref))) return [];
    const above = order[index - 1];
    const below = next[index];
    const besideOwn = (): readonly Placing[] => between({ ref: above }, { ref: below });
    const places = moved.has(ref) ? among.place(ref, { last: above, next: below }, besideOwn) : undefined;
    return [
      {
        kind: "change",
        ref,
        id,
        ...(changed.has(ref) ? { rule: ruleOf(shares, ref) } : {}),
        ...(places === undefined ? {} : { places }),
      },
    ];
  });
}

/** For each rule, the next one after it that does not move. */
function nextPlaced(order: readonly string[], moved: ReadonlySet<string>): (string | undefined)[] {
  const next: (string | undefined)[] = [];
  let placed: string | undefined;
  for (let index = order.length - 1; index >= 0; index -= 1) {
    next[index] = placed;
    const ref = order[index];
    if (ref !== undefined && !moved.has(ref)) placed = ref;
  }
  return next;
}

function planDeletions({ deployed, dropped }: Pick<Shares, "deployed" | "dropped">): Step[] {
  return deployed.toReversed().flatMap(({ id }): Step[] => {
    const ref = dropped.get(id);
    return ref === undefined ? [] : [{ kind: "delete", ref, id }];
  });
}

function ruleOf({ rules }: Shares, ref: string): PendingFields {
  const rule = rules[ref];
  if (rule === undefined) throw new Error(`the order names ${ref}, which is not a rule`);
  return rule;
}

/**
 * The steps of a change, in order. If the service rejects a step that a later deletion would make possible, such as
 * adding a rule when the plan's limit is reached, one deletion is moved before it. If there is none, the step is
 * postponed for as long as the other steps succeed.
 */
export class StepQueue {
  private readonly waiting: Step[];
  private readonly deletions: Step[];
  /** The number of completed steps when a step was last postponed without a deletion that helps. */
  private stuckAt: number | undefined;
  private done = 0;
  private readonly urgent: Step[] = [];

  constructor(steps: readonly Step[]) {
    this.waiting = steps.filter(({ kind }) => kind !== "delete").reverse();
    this.deletions = steps.filter(({ kind }) => kind === "delete").reverse();
  }

  /** The next step; undefined when all are done. */
  next(): Step | undefined {
    return this.urgent.pop() ?? this.waiting.pop() ?? this.deletions.pop();
  }

  finished(): void {
    this.done += 1;
  }

  /** Moves the next deletion that helps a step before it. Returns false if there is none. */
  letFirst(step: Step, helps: (deletion: Step) => boolean): boolean {
    const last = this.deletions.findLastIndex(helps);
    if (last < 0) return false;
    this.urgent.push(step, ...this.deletions.splice(last, 1));
    return true;
  }

  /** Postpones a step. Returns false if nothing is left that could help it. */
  postpone(step: Step, helps: (deletion: Step) => boolean): boolean {
    if (this.letFirst(step, helps)) return true;
    if (this.waiting.length === 0 || this.stuckAt === this.done) return false;
    this.stuckAt = this.done;
    this.waiting.unshift(step);
    return true;
  }
}
