import type { Position } from "../../client/index.js";
import type { Session } from "../../engine/session.js";
import { stableText } from "../../model/json.js";
import { failure, NO_FINDINGS, type Findings } from "../../validation/index.js";
import { anchorOf } from "./position.js";

/** A rule of this program, and where it is wished to be. */
export interface Wish {
  readonly urn: string;
  readonly ref: string;
  readonly position: Position | undefined;
}

/** By a name, and then by the URN of who says it. */
class Sayings {
  private readonly byName = new Map<string, Map<string, string>>();

  add(name: string, urn: string, value: string): void {
    const said = this.byName.get(name) ?? new Map<string, string>();
    this.byName.set(name, said.set(urn, value));
  }
  remove(name: string, urn: string): void {
    this.byName.get(name)?.delete(urn);
  }
  of(name: string): ReadonlyMap<string, string> {
    return this.byName.get(name) ?? new Map();
  }
}

/** What the rules of one program in one ruleset wish, as far as this run has checked them. */
class Wishes {
  private readonly byUrn = new Map<string, Wish>();
  private readonly refs = new Sayings();
  private readonly places = new Sayings();
  /** By ref, the refs of rules that come later, and of those that come earlier. */
  private readonly later = new Sayings();
  private readonly earlier = new Sayings();

  note(wish: Wish): void {
    const old = this.byUrn.get(wish.urn);
    if (old !== undefined) this.forget(old);
    this.byUrn.set(wish.urn, wish);
    this.refs.add(wish.ref, wish.urn, wish.ref);
    const order = orderOf(wish);
    if (order !== undefined) {
      this.later.add(order.first, wish.urn, order.second);
      this.earlier.add(order.second, wish.urn, order.first);
    } else if (wish.position !== undefined) this.places.add(stableText(wish.position), wish.urn, wish.ref);
  }

  private forget(wish: Wish): void {
    this.refs.remove(wish.ref, wish.urn);
    this.places.remove(stableText(wish.position), wish.urn);
    const order = orderOf(wish);
    if (order === undefined) return;
    this.later.remove(order.first, wish.urn);
    this.earlier.remove(order.second, wish.urn);
  }

  has(ref: string): boolean {
    return this.refs.of(ref).size > 0;
  }

  /** Another resource that wishes the very same place: only one rule can be first, last, or at an index. */
  rivalOf({ urn, position }: Wish): string | undefined {
    return [...this.places.of(stableText(position)).keys()].find((other) => other !== urn);
  }

  /** Refs that would each have to stand before the next one, and the last of them before the first. */
  circleThrough(start: string): string[] | undefined {
    // A rule that no other one names is on no circle.
    if (this.earlier.of(start).size === 0) return undefined;
    const from = new Map<string, string>();
    const open = [start];
    for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
      for (const next of this.later.of(ref).values()) {
        if (from.has(next)) continue;
        from.set(next, ref);
        open.push(next);
      }
    }
    if (!from.has(start)) return undefined;
    const circle = [start];
    for (let ref = from.get(start); ref !== undefined && ref !== start; ref = from.get(ref)) circle.unshift(ref);
    return [start, ...circle];
  }
}

/** By ruleset, what the rules of this program wish. */
const wishes = (): Map<string, Wishes> => new Map();

/** Notes where a rule is wished to be, and finds wishes of one program that cannot all hold. */
export function checkWish(session: Session, ruleset: string, wish: Wish): Findings {
  const all = session.part(wishes).get(ruleset) ?? new Wishes();
  session.part(wishes).set(ruleset, all);
  all.note(wish);
  const { position, ref } = wish;
  if (position === undefined) return NO_FINDINGS;
  const order = orderOf(wish);
  if (order === undefined) {
    const rival = all.rivalOf(wish);
    const text = `${JSON.stringify(position)} is the place that ${rival ?? ""} has as well; only one rule can stand there`;
    return rival === undefined ? NO_FINDINGS : failure(["position"], text);
  }
  const path = ["position", "before" in position ? "before" : "after"];
  if (order.first === order.second) return failure(path, "names the rule itself");
  const circle = all.circleThrough(ref);
  return circle === undefined
    ? NO_FINDINGS
    : failure(path, `cannot hold: the positions of this program want ${circle.join(" before ")}`);
}

/** Whether a rule of that ref is one of this program, in the same ruleset, that this run has checked. */
export function isWished(session: Session, ruleset: string, ref: string): boolean {
  return session.part(wishes).get(ruleset)?.has(ref) === true;
}

/** Which of two rules comes first; undefined where a wish names no other rule. */
function orderOf({ ref, position }: Wish): { readonly first: string; readonly second: string } | undefined {
  const name = position === undefined ? undefined : anchorOf(position);
  if (position === undefined || name === undefined) return undefined;
  return "before" in position ? { first: ref, second: name } : { first: name, second: ref };
}
