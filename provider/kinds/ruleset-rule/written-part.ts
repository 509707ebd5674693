import type { Session } from "../../engine/session.js";
import type { Ruleset } from "../../model/ruleset.js";
import type { Conflict } from "../../ownership/conflict.js";
import { ruleInWords } from "../../ownership/rule-messages.js";
import { wasPlaced, type WrittenPart } from "../ruleset/in-force.js";
import type { RuleState } from "./description.js";
import { rulesetTarget, type Desired } from "./desired.js";
import { anchorOf, findAnchor } from "./position.js";

/** What is compared with the last response of a run, for a rule that the run has written. */
export function writtenPart(
  session: Session,
  { target, ref, where, urn, policy, position, secretPaths }: Desired,
  conflictIn: (state: RuleState, current: Ruleset) => Conflict,
): Omit<WrittenPart<RuleState>, "again"> {
  return {
    target: rulesetTarget(target, undefined),
    where: ruleInWords(ref, where),
    urn,
    declaredIn: "arguments",
    onConflict: policy.onConflict,
    secretsOf: ({ ruleId }) => ({ ruleIds: { [ref]: ruleId }, __secretPaths: { [ref]: secretPaths } }),
    isUnchanged: ({ ruleId, version }, { rules }) => {
      const rule = position === undefined ? rules.find(({ id }) => id === ruleId) : undefined;
      return version !== "" && rule?.version === version;
    },
    conflictIn: (state, current) => {
      const conflict = conflictIn(state, current);
      return conflictOfOthers(session, conflict, position, current);
    },
  };
}

/** The part of a conflict that other writes of this run cannot have caused, given the position that the rule had. */
export function conflictOfOthers(
  session: Session,
  conflict: Conflict,
  position: Desired["position"],
  current: Pick<Ruleset, "id" | "rules"> | undefined,
): Conflict {
  return isMovedByOthers(session, position, current) ? conflict : { ...conflict, moved: [] };
}

/** Other writes of this run change indexes, and what is before or after a rule that they move. */
function isMovedByOthers(
  session: Session,
  position: Desired["position"],
  current: Pick<Ruleset, "id" | "rules"> | undefined,
): boolean {
  if (position === undefined || current === undefined) return false;
  const name = anchorOf(position);
  if (name === undefined) return !wasPlaced(session, current.id);
  const anchor = findAnchor(current.rules, name);
  return anchor !== undefined && !wasPlaced(session, current.id, anchor.id);
}
