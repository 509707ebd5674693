import type { Position } from "../../client/index.js";
import type { DeployedRule } from "../../model/ruleset.js";

/** Whether a rule stands where it is meant to be; `missing` where the rule that the position names is not there. */
export type PositionStatus = "holds" | "elsewhere" | "missing";

type Rules = readonly Pick<DeployedRule, "id" | "ref">[];

/**
 * A position is about what runs before what: `before` and `after` hold wherever the rule stands on that side of the other one,
 * so that many rules can stand before the same rule and no stack moves another one's. An empty text means first or last;
 * an index past the end means last.
 */
export function positionStatus(rules: Rules, id: string, position: Position): PositionStatus {
  const index = rules.findIndex((rule) => rule.id === id);
  if (index < 0) return "elsewhere";
  const place = exactIndex(position, rules.length);
  if (place !== undefined) return index === place ? "holds" : "elsewhere";
  const anchor = rules.findIndex((rule) => rule === findAnchor(rules, anchorOf(position) ?? ""));
  if (anchor < 0) return "missing";
  return ("before" in position ? index < anchor : index > anchor) ? "holds" : "elsewhere";
}

/** Where a write puts a rule, by ids; undefined where the rule that the position names is not there. */
export function placeFor(rules: Rules, position: Position, moved?: string): Position | undefined {
  const others = rules.filter(({ id }) => id !== moved);
  if ("index" in position) return { index: Math.min(position.index, others.length + 1) };
  const name = anchorOf(position);
  if (name === undefined) return position;
  const anchor = findAnchor(others, name);
  if (anchor === undefined) return undefined;
  return "before" in position ? { before: anchor.id } : { after: anchor.id };
}

/** What a position that no longer holds has become, in its own words: what a refresh shows. */
export function positionNow(rules: Rules, id: string, position: Position): Position {
  if (positionStatus(rules, id, position) !== "elsewhere") return position;
  const name = anchorOf(position);
  if (name === undefined) return { index: rules.findIndex((rule) => rule.id === id) + 1 };
  return "before" in position ? { after: name } : { before: name };
}

/** The rule that a position names, by ref or id; undefined for first, last and an index. */
export function anchorOf(position: Position): string | undefined {
  const name = "index" in position ? "" : "before" in position ? position.before : position.after;
  return name === "" ? undefined : name;
}

/** A rule by its ref, else by its id. */
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
