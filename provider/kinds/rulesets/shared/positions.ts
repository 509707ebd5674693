import type { Position } from "../../../model/position.js";
import type { Session } from "../../../engine/session.js";
import type { Path } from "../../../model/path.js";
import type { DeployedRule } from "../../../model/ruleset.js";
import { anchorMissingText, positionImpossibleText } from "../../../ownership/rule-messages.js";
import { occupiedError } from "../../../ownership/ruleset-messages.js";
import type { Words } from "../../../ownership/words.js";
import { failure, joinFindings, NO_FINDINGS, type Findings } from "../../../validation/index.js";
import { anchorOf } from "../../../rules/placing/position.js";
import { orderOf, RequestedPositions, type PositionRequest } from "../../../rules/placing/requested.js";
import type { Desired } from "../desired.js";
import { programLedger } from "../ledgers.js";
import type { Unplaced } from "../plan/plan.js";

/* Rules that cannot be where the program wants them: positions contradict each other, or name a rule that does not exist. */

/** What is at the service. */
interface Existing {
  readonly id: string;
  readonly rules: readonly Pick<DeployedRule, "ref">[];
}

/** Stops a write. */
export function unplacedError(desired: Desired, unplaced: Unplaced, rules: Existing["rules"]): Error {
  const path = pathOf(desired.words.manages, unplaced.ref);
  return occupiedError(`${path.join(".")}: ${unplacedText(desired, unplaced, rules)}.`);
}

/** The same as a finding of `check`. */
export function checkPlaced(
  session: Session,
  desired: Desired,
  unplaced: Unplaced | undefined,
  existing: Existing,
): Findings {
  return unplaced === undefined || isExpected(session, desired, unplaced, existing)
    ? NO_FINDINGS
    : failure(
        [...pathOf(desired.words.manages, unplaced.ref), ...sideOf(desired, unplaced)],
        unplacedText(desired, unplaced, existing.rules),
      );
}

/** Stops a change, unless another resource of the program is to create what a position names. */
export function requirePlaced(
  session: Session,
  desired: Desired,
  unplaced: Unplaced | undefined,
  existing: Existing,
): void {
  if (unplaced !== undefined && !isExpected(session, desired, unplaced, existing))
    throw unplacedError(desired, unplaced, existing.rules);
}

function isExpected(session: Session, desired: Desired, unplaced: Unplaced, { id }: Existing): boolean {
  if (unplaced.kind === "impossible") return false;
  const name = anchorOf(unplaced.position) ?? "";
  return programLedger(session, desired, id).claimantOf({ id: name, ref: name }, desired) !== undefined;
}

/** The argument with the position of a rule. */
function pathOf(manages: Words["manages"], ref: string): readonly string[] {
  return manages === "rule" ? ["position"] : ["positions", ref];
}

function sideOf({ words }: Desired, unplaced: Unplaced): readonly string[] {
  return unplaced.kind === "unanchored" && words.manages === "rule" ? Object.keys(unplaced.position) : [];
}

function unplacedText({ where, words }: Desired, unplaced: Unplaced, rules: Existing["rules"]): string {
  return unplaced.kind === "impossible"
    ? positionImpossibleText(where, unplaced)
    : anchorMissingText(where, anchorOf(unplaced.position) ?? "", rules, words.manages !== "rule");
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
  readonly manages: Words["manages"];
}

/**
 * Records where the rules of a resource are to be in a ruleset, and finds positions of one program that contradict each other. The
 * order of a list counts where its rules have positions.
 */
export function checkPositions(
  session: Session,
  ruleset: string,
  { urn, order, positions, manages }: PositionedRules,
): Findings {
  const isList = manages !== "rule";
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
      const path = pathOf(manages, ref);
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
