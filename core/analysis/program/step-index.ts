import type { Bytes } from "../../language/value.js";
import type { Formula, Literal, NumberLiteral } from "../formula/formula.js";
import type { Term } from "../formula/term.js";
import type { Budget } from "../solve/budget.js";
import { ORDINARY, type Model } from "../solve/model.js";
import type { TextBase } from "../text/automaton.js";
import type { Step } from "./steps.js";

/** Positions of steps, in their order. */
type Positions = number[];

/** The steps that require a value of one term which ordinary requests do not have. */
interface Shelf {
  /** Those that require one of a few strings. */
  readonly byText: Map<Bytes, Positions>;
  /** Those that require a string with a certain start, by its length. */
  readonly byStart: Map<number, Map<Bytes, Positions>>;
  /** Those that require a number in a block whose size is a power of two, by that power. */
  readonly byBlock: Map<bigint, Map<bigint, Positions>>;
  readonly others: Positions;
}

/**
 * Indexes steps by a value that they require, such as a host name, so that only few steps must be tested for a request. Values
 * of an ordinary request are no help: every request has them.
 */
export class StepIndex {
  private readonly shelves = new Map<Term, Shelf>();
  private readonly others: Positions = [];
  private readonly steps: Step[] = [];

  constructor(steps: readonly Step[] = []) {
    for (const step of steps) this.add(step);
  }

  add(step: Step): void {
    const at = this.steps.push(step) - 1;
    for (const positions of this.placesFor(step.condition) ?? [this.others]) positions.push(at);
  }

  /**
   * The first step whose condition a request satisfies and that is wanted.
   * @param budget for steps that are tested; when it is spent, nothing is found
   */
  find(model: Model, isWanted: (step: Step) => boolean, budget?: Budget): Step | undefined {
    for (const at of inOrder(this.candidates(model))) {
      budget?.spend();
      if (budget?.isSpent === true) return undefined;
      const step = this.steps[at];
      if (step !== undefined && model.satisfies(step.condition) && isWanted(step)) return step;
    }
    return undefined;
  }

  /** The steps that may match. */
  private candidates(model: Model): readonly Positions[] {
    const found: Positions[] = [this.others];
    const add = (positions: Positions | undefined): void => {
      if (positions !== undefined && positions.length > 0) found.push(positions);
    };
    for (const [term, value] of model.entries()) {
      const shelf = this.shelves.get(term);
      if (shelf === undefined) continue;
      add(shelf.others);
      if (typeof value === "string") {
        add(shelf.byText.get(value));
        for (const [length, starts] of shelf.byStart) add(starts.get(value.slice(0, length)));
      }
      if (typeof value === "bigint") for (const [power, blocks] of shelf.byBlock) add(blocks.get(value >> power));
    }
    return found;
  }

  /** Where a step with a condition is kept: at one of the places it is found for every request that satisfies it. */
  private placesFor(formula: Formula): readonly Positions[] | undefined {
    if (formula.kind === "constant") return formula.value ? undefined : [];
    if (formula.kind === "and") return fewest(formula.items.map((item) => this.placesFor(item)));
    if (formula.kind !== "or") return ORDINARY.satisfies(formula) ? undefined : this.placesForLiteral(formula);
    const places = formula.items.map((item) => this.placesFor(item));
    const known = places.filter((one) => one !== undefined).flat();
    return places.includes(undefined) || known.length > MOST_PLACES ? undefined : Array.from(new Set(known));
  }

  private placesForLiteral(literal: Literal): readonly Positions[] {
    const shelf = this.shelfOf(literal.term);
    const values = valuesOf(literal);
    if (values !== undefined) return Array.from(values, (value) => entryOf(shelf.byText, value, noPositions));
    const start = startOf(literal);
    if (start !== undefined) return [entryOf(entryOf(shelf.byStart, start.length, noEntries), start, noPositions)];
    const blocks = literal.kind === "number" ? blocksOf(literal) : undefined;
    if (blocks === undefined) return [shelf.others];
    return blocks.map(({ power, block }) => entryOf(entryOf(shelf.byBlock, power, noEntries), block, noPositions));
  }

  private shelfOf(term: Term): Shelf {
    return entryOf(this.shelves, term, () => ({
      byText: new Map(),
      byStart: new Map(),
      byBlock: new Map(),
      others: [],
    }));
  }
}

const MOST_PLACES = 64;

/** The strings of a short list, one of which a literal requires. */
function valuesOf(literal: Literal): ReadonlySet<Bytes> | undefined {
  const values = onlyBaseOf(literal)?.values;
  return values === undefined || values.size > MOST_PLACES ? undefined : values;
}

/** What a literal requires a string to begin with. */
function startOf(literal: Literal): Bytes | undefined {
  return onlyBaseOf(literal)?.start;
}

function onlyBaseOf(literal: Literal): TextBase | undefined {
  if (literal.kind !== "text" || literal.nil) return undefined;
  const [choice, ...others] = literal.clause;
  return choice?.positive === true && others.length === 0 ? choice.base : undefined;
}

/** For each interval the smallest block that contains it: that of the leading bits which its ends have in common. */
function blocksOf({
  set,
  nil,
}: NumberLiteral): readonly { readonly power: bigint; readonly block: bigint }[] | undefined {
  if (nil || set.length > MOST_PLACES || set.some(([first]) => first < 0n)) return undefined;
  return set.map(([first, last]) => {
    const power = first === last ? 0n : BigInt((first ^ last).toString(2).length);
    return { power, block: first >> power };
  });
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

const noPositions = (): Positions => [];
const noEntries = <K>(): Map<K, Positions> => new Map();

/** The places with the fewest steps so far: a host that many rules require tells them apart worse than their paths. */
function fewest(choices: readonly (readonly Positions[] | undefined)[]): readonly Positions[] | undefined {
  const size = (places: readonly Positions[]): number => places.reduce((sum, { length }) => sum + length, 0);
  return choices
    .filter((one) => one !== undefined)
    .reduce<readonly Positions[] | undefined>(
      (best, one) => (best === undefined || size(one) < size(best) ? one : best),
      undefined,
    );
}

/** What is in several lists, from the lowest on, each once. */
function* inOrder(lists: readonly Positions[]): Generator<number> {
  const at = lists.map(() => 0);
  for (;;) {
    const next = Math.min(...lists.map((list, index) => list[at[index] ?? 0] ?? Number.POSITIVE_INFINITY));
    if (next === Number.POSITIVE_INFINITY) return;
    yield next;
    lists.forEach((list, index) => {
      if (list[at[index] ?? 0] === next) at[index] = (at[index] ?? 0) + 1;
    });
  }
}
