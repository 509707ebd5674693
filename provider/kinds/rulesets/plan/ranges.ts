import type { Position } from "../../../client/index.js";
import type { DeployedRule } from "../../../model/ruleset.js";
import { anchorOf, findAnchor } from "../position.js";

/** How many rules of others a rule of a list must have above it: at least, and at most. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The rules of others, in order. */
type Others = readonly Pick<DeployedRule, "id" | "ref">[];

/**
 * By ref, where rules of a list may be among those of others: as the positions say, and as the order of the list then requires
 * of the rules after and before them. A rule that may be anywhere is missing, and so is a position that names no existing rule.
 */
export function rangesOf(
  order: readonly string[],
  positions: ReadonlyMap<string, Position>,
  others: Others,
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
      const range = { from: first[index] ?? 0, to: last[index] ?? others.length };
      return range.from === 0 && range.to === others.length ? [] : [[ref, range] as const];
    }),
  );
}

function ownRange(position: Position | undefined, others: Others): Range {
  const anywhere = { from: 0, to: others.length };
  const anchor = position === undefined ? undefined : findAnchor(others, anchorOf(position) ?? "");
  if (position === undefined || anchor === undefined) return anywhere;
  const index = others.findIndex(({ id }) => id === anchor.id);
  return "before" in position ? { ...anywhere, to: index } : { ...anywhere, from: index + 1 };
}

/** A rule that cannot be anywhere, and the rules of others that it must be after and before. */
export interface Impossible {
  readonly ref: string;
  readonly after: string;
  readonly before: string;
}

export function findImpossible(ranges: ReadonlyMap<string, Range>, others: Others): Impossible | undefined {
  for (const [ref, { from, to }] of ranges)
    if (from > to) return { ref, after: others[from - 1]?.ref ?? "", before: others[to]?.ref ?? "" };
  return undefined;
}
