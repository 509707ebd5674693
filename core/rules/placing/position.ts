import type { Position } from "../../model/position.js";
import type { DeployedRule } from "../../model/ruleset.js";

/** Whether a rule is at its position; `missing` if the rule that the position names does not exist. */
type PositionStatus = "satisfied" | "elsewhere" | "missing";

/** Rules, in order. */
type Rules = readonly Pick<DeployedRule, "id" | "ref">[];

/**
 * Checks a position, which is about what runs before what: `before` and `after` are satisfied anywhere on that side of
 * the other rule, so that many rules can be before the same rule, and no stack moves the rules of another. An empty
 * string means first or last; an index past the end means last.
 */
export function positionStatus(rules: Rules, id: string, position: Position): PositionStatus {
  const index = rules.findIndex((rule) => rule.id === id);
  if (index < 0) return "elsewhere";
  const place = exactIndex(position, rules.length);
  if (place !== undefined) return index === place ? "satisfied" : "elsewhere";
  const anchor = findAnchor(rules, anchorOf(position) ?? "");
  if (anchor === undefined) return "missing";
  const at = rules.indexOf(anchor);
  return ("before" in position ? index < at : index > at) ? "satisfied" : "elsewhere";
}

/** The position to write, with IDs; undefined if the rule that it names does not exist. */
export function placeFor(rules: Rules, position: Position, moved?: string): Position | undefined {
  const others = rules.filter(({ id }) => id !== moved);
  if ("index" in position) return { index: Math.min(position.index, others.length + 1) };
  const name = anchorOf(position);
  if (name === undefined) return position;
  const anchor = findAnchor(others, name);
  if (anchor === undefined) return undefined;
  return "before" in position ? { before: anchor.id } : { after: anchor.id };
}

/** The position to show after a refresh: an equivalent of the actual place if the position is no longer satisfied. */
export function currentPosition(rules: Rules, id: string, position: Position): Position {
  if (positionStatus(rules, id, position) !== "elsewhere") return position;
  const name = anchorOf(position);
  if (name === undefined) return { index: rules.findIndex((rule) => rule.id === id) + 1 };
  return "before" in position ? { after: name } : { before: name };
}

/** The rule that a position names, by ref or ID; undefined for first, last and an index. */
export function anchorOf(position: Position): string | undefined {
  const name = "index" in position ? "" : "before" in position ? position.before : position.after;
  return name === "" ? undefined : name;
}

/** Finds a rule by its ref, otherwise by its ID. */
export function findAnchor<R extends Pick<DeployedRule, "id" | "ref">>(
  rules: readonly R[],
  name: string,
): R | undefined {
  return rules.find(({ ref }) => ref === name) ?? rules.find(({ id }) => id === name);
}

function exactIndex(position: Position, count: number): number | undefined {
  if ("index" in position) return Math.min(position.index, count) - 1;
  if (anchorOf(position) !== undefined) return undefined;
  return "before" in position ? 0 : count - 1;
}

/** How many rules of others a rule must have above it: at least, and at most. */
export interface Range {
  readonly from: number;
  readonly to: number;
  /** Set if it is to be first, last, or at an index: as it is written. */
  readonly exact?: Position;
}

/**
 * By ref, where rules of a resource may be among those of others: as the positions say, and as the order of its rules then
 * requires of the rules after and before them. A rule that may be anywhere is missing, and so is a position that names no existing rule.
 */
export function rangesOf(
  order: readonly string[],
  positions: ReadonlyMap<string, Position>,
  others: Rules,
): ReadonlyMap<string, Range> {
  if (positions.size === 0) return new Map();
  const own = order.map((ref) => ownRange(positions.get(ref), others));
  let from = 0;
  const first = own.map((range) => (from = Math.max(from, range.from)));
  let to = others.length;
  const last = own.toReversed().map((range) => (to = Math.min(to, range.to)));
  last.reverse();
  return new Map(
    order.flatMap((ref, index) => {
      const { exact } = own[index] ?? {};
      const range = { from: first[index] ?? 0, to: last[index] ?? others.length };
      if (exact !== undefined) return [[ref, { ...range, exact }] as const];
      return range.from === 0 && range.to === others.length ? [] : [[ref, range] as const];
    }),
  );
}

function ownRange(position: Position | undefined, others: Rules): Range {
  const anywhere = { from: 0, to: others.length };
  if (position === undefined) return anywhere;
  const place = exactIndex(position, others.length + 1);
  if (place !== undefined) return { from: place, to: place, exact: position };
  const anchor = findAnchor(others, anchorOf(position) ?? "");
  if (anchor === undefined) return anywhere;
  const index = others.findIndex(({ id }) => id === anchor.id);
  return "before" in position ? { ...anywhere, to: index } : { ...anywhere, from: index + 1 };
}

/** A rule whose position names one that does not exist. */
export interface Unanchored {
  readonly kind: "unanchored";
  readonly ref: string;
  readonly position: Position;
}

/** The first rule whose position names none of these rules. */
export function findUnanchored(positions: ReadonlyMap<string, Position>, rules: Rules): Unanchored | undefined {
  for (const [ref, position] of positions)
    if (placeFor(rules, position) === undefined) return { kind: "unanchored", ref, position };
  return undefined;
}

/** A rule that cannot be anywhere, and the rules of others that it must be after and before. */
export interface Impossible {
  readonly ref: string;
  readonly after: string;
  readonly before: string;
}

export function findImpossible(ranges: ReadonlyMap<string, Range>, others: Rules): Impossible | undefined {
  for (const [ref, { from, to }] of ranges)
    if (from > to) return { ref, after: others[from - 1]?.ref ?? "", before: others[to]?.ref ?? "" };
  return undefined;
}
