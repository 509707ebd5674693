import type { Position } from "../../../model/position.js";
import type { Session } from "../../../engine/session.js";
import { stableText } from "../../../model/json.js";
import type { Words } from "../../../ownership/words.js";
import type { Path } from "../../../model/path.js";
import { failure, joinFindings, NO_FINDINGS, type Findings } from "../../../validation/index.js";
import { anchorOf } from "../../../rules/placing/position.js";

/** A rule of this program, and the position that the program requests for it. */
interface PositionRequest {
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
class RequestedPositions {
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

/** By ruleset, the positions that this program requests. */
const requestedPositions = (): Map<string, RequestedPositions> => new Map();

function requestedIn(session: Session, ruleset: string): RequestedPositions {
  const all = session.part(requestedPositions).get(ruleset) ?? new RequestedPositions();
  session.part(requestedPositions).set(ruleset, all);
  return all;
}

/** The rules of a resource in their order, and the positions that they request. */
interface PositionedRules {
  readonly urn: string;
  readonly order: readonly string[];
  readonly positions: ReadonlyMap<string, Position>;
  readonly declaredIn: Words["declaredIn"];
}

/**
 * Records where the rules of a resource are to be in a ruleset, and finds positions of one program that contradict each other. The
 * order of a list counts where its rules have positions.
 */
export function checkPositions(
  session: Session,
  ruleset: string,
  { urn, order, positions, declaredIn }: PositionedRules,
): Findings {
  const isList = declaredIn === "list";
  if (isList && positions.size === 0) return NO_FINDINGS;
  const all = requestedIn(session, ruleset);
  order.forEach((ref, index) => {
    const next = order[index + 1];
    if (isList)
      all.add(
        { urn, ref, position: next === undefined ? undefined : { before: next } },
        `${urn} ${String(index)} order`,
      );
    all.add({ urn, ref, position: positions.get(ref) }, `${urn} ${String(index)}`);
  });
  const own = new Set(order);
  return joinFindings(
    [...positions].map(([ref, position]) => {
      const path = isList ? ["positions", ref] : ["position"];
      if (!own.has(ref)) return failure(path, "is not the ref of a rule in `rules`");
      if (isList && own.has(anchorOf(position) ?? ""))
        return failure(path, "must name a rule of somebody else; the order of `rules` says the rest");
      return checkPosition(all, { urn, ref, position }, path);
    }),
  );
}

function checkPosition(all: RequestedPositions, request: PositionRequest, path: Path): Findings {
  if (orderOf(request) !== undefined) return checkOrder(all, request, path);
  const rival = all.findSamePlace(request);
  const text = `${JSON.stringify(request.position)} is also the position of ${rival ?? ""}; only one rule can be there`;
  return rival === undefined ? NO_FINDINGS : failure(path, text);
}

function checkOrder(all: RequestedPositions, request: PositionRequest, path: Path): Findings {
  const { ref, position = { before: "" } } = request;
  const order = orderOf(request);
  const side = [...path, "before" in position ? "before" : "after"];
  if (order?.first === order?.second) return failure(side, "must name another rule, not the rule itself");
  const cycle = all.findCycle(ref);
  return cycle === undefined
    ? NO_FINDINGS
    : failure(side, `cannot be satisfied: the positions in this program require ${cycle.join(" before ")}`);
}

/** Which of two rules comes first; undefined if the position names no other rule. */
function orderOf({ ref, position }: PositionRequest): { readonly first: string; readonly second: string } | undefined {
  const name = position === undefined ? undefined : anchorOf(position);
  if (position === undefined || name === undefined) return undefined;
  return "before" in position ? { first: ref, second: name } : { first: name, second: ref };
}
