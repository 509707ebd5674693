import { stableText } from "../../../core/model/json.js";
import type { Path } from "../../../core/model/path.js";
import type { Position } from "../../../core/model/position.js";
import type { DeployedRule } from "../../../core/model/ruleset.js";
import { anchorOf } from "../../../core/rules/placing/position.js";
import { claim } from "../../engine/claims.js";
import type { Session } from "../../engine/session.js";
import { anchorMissingText, positionImpossibleText } from "../../ownership/rule-messages.js";
import { occupiedError } from "../../ownership/ruleset-messages.js";
import type { Reach } from "../../ownership/reach.js";
import { failure, type Findings } from "../../validation/index.js";
import type { Desired } from "./desired.js";
import type { Change, Unplaced } from "./plan/change.js";
import type { There } from "./run.js";

/* Rules that cannot be where the program wants them: positions contradict each other, or name a rule that does not exist. */

/** Stops a write. */
export function unplacedError(
  desired: Desired,
  unplaced: Unplaced,
  rules: readonly Pick<DeployedRule, "ref">[],
): Error {
  const path = desired.reach.positionPath(unplaced.ref);
  return occupiedError(`${path.join(".")}: ${unplacedText(desired.where, unplaced, rules)}.`);
}

/** What is at the service, and who has the rules there. */
type Around = Pick<There, "deployed" | "owners">;

/** What a write would stop at, as a finding of `check`. */
export function checkPlaced(desired: Desired, unplaced: Unplaced | undefined, there: Around): Findings {
  if (unplaced === undefined || isExpected(unplaced, there)) return [];
  const path = desired.reach.positionPath(unplaced.ref, unplaced.kind === "unanchored" ? unplaced.position : {});
  return failure(path, unplacedText(desired.where, unplaced, there.deployed?.rules ?? []));
}

/** Stops a change that has no place for a rule, unless another resource of the program is to create what its position names. */
export function requirePlaced({ desired, there, notes: { unplaced } }: Change): void {
  if (unplaced !== undefined && !isExpected(unplaced, there))
    throw unplacedError(desired, unplaced, there.deployed?.rules ?? []);
}

function isExpected(unplaced: Unplaced, { owners }: Around): boolean {
  if (unplaced.kind === "impossible") return false;
  const name = anchorOf(unplaced.position) ?? "";
  return owners.claimantOf({ id: name, ref: name }) !== undefined;
}

function unplacedText(where: string, unplaced: Unplaced, rules: Parameters<typeof unplacedError>[2]): string {
  return unplaced.kind === "impossible"
    ? positionImpossibleText(where, unplaced)
    : anchorMissingText(where, anchorOf(unplaced.position) ?? "", rules);
}

/** The rules of a resource in their order, and the positions that they request. */
interface PositionedRules {
  readonly reach: Pick<Reach, "positionPath">;
  readonly urn: string;
  readonly order: readonly string[];
  readonly positions: ReadonlyMap<string, Position>;
}

/** Finds positions that name a rule of the resource itself, and two rules of the program at the same place of a ruleset. */
export function checkPositions(
  session: Session,
  ruleset: string,
  { urn, order, positions, reach }: PositionedRules,
): Findings {
  const own = new Set(order);
  return [...positions].flatMap(([ref, position]) => {
    const anchor = anchorOf(position);
    if (!own.has(ref)) return failure(reach.positionPath(ref), "is not the ref of a rule in `rules`");
    if (anchor === undefined) return checkPlace(session, urn, ruleset, position, reach.positionPath(ref));
    if (!own.has(anchor)) return [];
    return failure(
      reach.positionPath(ref, position),
      anchor === ref
        ? "must name another rule, not the rule itself"
        : "must name a rule of somebody else; the order of `rules` decides the rest",
    );
  });
}

/** Only one rule can be first, last, or at an index. */
function checkPlace(session: Session, urn: string, ruleset: string, position: Position, path: Path): Findings {
  const place = stableText(position);
  const other = claim(session, urn, [`${ruleset}/positions/${place}`]);
  return other === undefined
    ? []
    : failure(path, `${place} is also the position of ${other}; only one rule can be there`);
}
