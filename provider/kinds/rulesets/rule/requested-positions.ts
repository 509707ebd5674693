import type { Position } from "../../../client/index.js";
import type { Session } from "../../../engine/session.js";
import { stableText } from "../../../model/json.js";
import { failure, NO_FINDINGS, type Findings } from "../../../validation/index.js";
import { anchorOf } from "../position.js";

/** A rule of this program, and the position that the program requests for it. */
export interface PositionRequest {
  readonly urn: string;
  readonly ref: string;
  readonly position: Position | undefined;
}

/** Values by name, and then by the URN of the resource that requests them. */
class Requests {
  private readonly byName = new Map<string, Map<string, string>>();

  add(name: string, urn: string, value: string): void {
    const values = this.byName.get(name) ?? new Map<string, string>();
    this.byName.set(name, values.set(urn, value));
  }
  remove(name: string, urn: string): void {
    this.byName.get(name)?.delete(urn);
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
class RequestedPositions {
  private readonly byUrn = new Map<string, PositionRequest>();
  private readonly places = new Requests();
  /** By ref, the refs of rules that must come later, and of those that must come earlier. */
  private readonly later = new Requests();
  private readonly earlier = new Requests();

  add(request: PositionRequest): void {
    const old = this.byUrn.get(request.urn);
    if (old !== undefined) this.remove(old);
    this.byUrn.set(request.urn, request);
    const order = orderOf(request);
    if (order !== undefined) {
      this.later.add(order.first, request.urn, order.second);
      this.earlier.add(order.second, request.urn, order.first);
    } else if (request.position !== undefined) this.places.add(stableText(request.position), request.urn, request.ref);
  }

  private remove(request: PositionRequest): void {
    this.places.remove(stableText(request.position), request.urn);
    const order = orderOf(request);
    if (order === undefined) return;
    this.later.remove(order.first, request.urn);
    this.earlier.remove(order.second, request.urn);
  }

  /** Another resource that requests the same place: only one rule can be first, last, or at an index. */
  findSamePlace({ urn, position }: PositionRequest): string | undefined {
    for (const other of this.places.of(stableText(position)).keys()) if (other !== urn) return other;
    return undefined;
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

/** By ruleset, the positions that this program requests. */
const requestedPositions = (): Map<string, RequestedPositions> => new Map();

/** Records the position that a rule requests, and finds positions of one program that contradict each other. */
export function checkRequestedPosition(session: Session, ruleset: string, request: PositionRequest): Findings {
  const all = session.part(requestedPositions).get(ruleset) ?? new RequestedPositions();
  session.part(requestedPositions).set(ruleset, all);
  all.add(request);
  const { position, ref } = request;
  if (position === undefined) return NO_FINDINGS;
  const order = orderOf(request);
  if (order === undefined) {
    const rival = all.findSamePlace(request);
    const text = `${JSON.stringify(position)} is also the position of ${rival ?? ""}; only one rule can be there`;
    return rival === undefined ? NO_FINDINGS : failure(["position"], text);
  }
  const path = ["position", "before" in position ? "before" : "after"];
  if (order.first === order.second) return failure(path, "must name another rule, not the rule itself");
  const cycle = all.findCycle(ref);
  return cycle === undefined
    ? NO_FINDINGS
    : failure(path, `cannot be satisfied: the positions in this program require ${cycle.join(" before ")}`);
}

/** Which of two rules comes first; undefined if the position names no other rule. */
function orderOf({ ref, position }: PositionRequest): { readonly first: string; readonly second: string } | undefined {
  const name = position === undefined ? undefined : anchorOf(position);
  if (position === undefined || name === undefined) return undefined;
  return "before" in position ? { first: ref, second: name } : { first: name, second: ref };
}
