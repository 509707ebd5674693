import { stableText } from "../../model/json.js";
import type { Position } from "../../model/position.js";
import { anchorOf } from "./position.js";

/** A rule of this program, and the position that the program requests for it. */
export interface PositionRequest {
  readonly urn: string;
  readonly ref: string;
  readonly position: Position | undefined;
}

/** Values by name, and then by the key of the request. */
class Requests {
  private readonly byName = new Map<string, Map<string, string>>();

  add(name: string, key: string, value: string): void {
    const values = this.byName.get(name) ?? new Map<string, string>();
    this.byName.set(name, values.set(key, value));
  }
  remove(name: string, key: string): void {
    this.byName.get(name)?.delete(key);
  }
  of(name: string): ReadonlyMap<string, string> {
    return this.byName.get(name) ?? new Map();
  }
}

/**
 * Follows refs from one to the next, one with each step.
 * @param from by ref that was reached, the one before it
 */
function* follow(
  start: string,
  nextOf: (ref: string) => Iterable<string>,
  from: Map<string, string>,
): Generator<undefined, undefined> {
  const open = [start];
  for (let ref = open.pop(); ref !== undefined; ref = open.pop())
    for (const next of nextOf(ref)) {
      if (!from.has(next)) {
        from.set(next, ref);
        open.push(next);
      }
      yield;
    }
}

/** The positions that one program requests in one ruleset, as far as this run has checked them. */
export class RequestedPositions {
  private readonly requests = new Map<string, PositionRequest>();
  private readonly places = new Requests();
  /** By ref, the refs of rules that must come later, and of those that must come earlier. */
  private readonly later = new Requests();
  private readonly earlier = new Requests();

  /** @param key what a later request replaces */
  add(request: PositionRequest, key: string): void {
    const old = this.requests.get(key);
    if (old !== undefined) this.remove(old, key);
    this.requests.set(key, request);
    const order = orderOf(request);
    if (order !== undefined) {
      this.later.add(order.first, key, order.second);
      this.earlier.add(order.second, key, order.first);
    } else if (request.position !== undefined) this.places.add(stableText(request.position), key, request.ref);
  }

  private remove(request: PositionRequest, key: string): void {
    this.places.remove(stableText(request.position), key);
    const order = orderOf(request);
    if (order === undefined) return;
    this.later.remove(order.first, key);
    this.earlier.remove(order.second, key);
  }

  /** Another resource that requests the same place: only one rule can be first, last, or at an index. */
  findSamePlace({ urn, position }: PositionRequest): string | undefined {
    const others = [...this.places.of(stableText(position)).keys()].map((key) => this.requests.get(key)?.urn);
    return others.find((other) => other !== urn);
  }

  /** A cycle of refs, each of which must be before the next; undefined if there is none. */
  findCycle(start: string): string[] | undefined {
    const from = new Map<string, string>();
    const before = new Map<string, string>();
    const later = follow(start, (ref) => this.later.of(ref).values(), from);
    const earlier = follow(start, (ref) => this.earlier.of(ref).values(), before);
    // Where one search ends, there is no cycle: few steps, however many rules are on the other side.
    while (!from.has(start))
      if (later.next().done === true || (!before.has(start) && earlier.next().done === true)) return undefined;
    const cycle = [start];
    for (let ref = from.get(start); ref !== undefined && ref !== start; ref = from.get(ref)) cycle.push(ref);
    return [...cycle, start].reverse();
  }
}

/** Which of two rules comes first; undefined if the position names no other rule. */
export function orderOf({
  ref,
  position,
}: PositionRequest): { readonly first: string; readonly second: string } | undefined {
  const name = position === undefined ? undefined : anchorOf(position);
  if (position === undefined || name === undefined) return undefined;
  return "before" in position ? { first: ref, second: name } : { first: name, second: ref };
}
