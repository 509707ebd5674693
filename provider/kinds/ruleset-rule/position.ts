import type { Position } from "../../client/index.js";
import type { DeployedRule } from "../../model/ruleset.js";

/** Whether a rule stands where it is wished to be; `missing` where the rule that the wish names is not there. */
export type Standing = "holds" | "elsewhere" | "missing";

type Rules = readonly Pick<DeployedRule, "id" | "ref">[];

/**
 * A wish is about what runs before what: `before` and `after` hold wherever the rule stands on that side of the other one,
 * so that many rules can stand before the same rule and no stack moves another one's. An empty text means first or last;
 * an index past the end means last.
 */
export function standingOf(rules: Rules, id: string, wish: Position): Standing {
  const index = rules.findIndex((rule) => rule.id === id);
  if (index < 0) return "elsewhere";
  const place = exactIndex(wish, rules.length);
  if (place !== undefined) return index === place ? "holds" : "elsewhere";
  const anchor = rules.findIndex((rule) => rule === findAnchor(rules, anchorOf(wish) ?? ""));
  if (anchor < 0) return "missing";
  return ("before" in wish ? index < anchor : index > anchor) ? "holds" : "elsewhere";
}

/** Where a write puts a rule, by ids; undefined where the rule that the wish names is not there. */
export function placeFor(rules: Rules, wish: Position, moved?: string): Position | undefined {
  const others = rules.filter(({ id }) => id !== moved);
  if ("index" in wish) return { index: Math.min(wish.index, others.length + 1) };
  const name = anchorOf(wish);
  if (name === undefined) return wish;
  const anchor = findAnchor(others, name);
  if (anchor === undefined) return undefined;
  return "before" in wish ? { before: anchor.id } : { after: anchor.id };
}

/** What a wish that does not hold any more has become, in its own words: what a refresh shows. */
export function positionNow(rules: Rules, id: string, wish: Position): Position {
  if (standingOf(rules, id, wish) !== "elsewhere") return wish;
  const name = anchorOf(wish);
  if (name === undefined) return { index: rules.findIndex((rule) => rule.id === id) + 1 };
  return "before" in wish ? { after: name } : { before: name };
}

/** The rule that a wish names, by ref or id; undefined for first, last and an index. */
export function anchorOf(wish: Position): string | undefined {
  const name = "index" in wish ? "" : "before" in wish ? wish.before : wish.after;
  return name === "" ? undefined : name;
}

/** A rule by its ref, else by its id. */
export function findAnchor<R extends Pick<DeployedRule, "id" | "ref">>(
  rules: readonly R[],
  name: string,
): R | undefined {
  return rules.find(({ ref }) => ref === name) ?? rules.find(({ id }) => id === name);
}

function exactIndex(wish: Position, count: number): number | undefined {
  if ("index" in wish) return Math.min(wish.index, count) - 1;
  if (anchorOf(wish) !== undefined) return undefined;
  return "before" in wish ? 0 : count - 1;
}
