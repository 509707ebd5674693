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
      const rule = relativeTo(position) === undefined ? rules.find(({ id }) => id === ruleId) : undefined;
      return version !== "" && rule?.version === version;
    },
    conflictIn: (state, current) => {
      const conflict = conflictIn(state, current);
      return isMovedByOthers(session, position, current) ? conflict : { ...conflict, moved: [] };
    },
  };
}

/** Whether only somebody else can have moved a rule: other writes of this run may have changed its index. */
function isMovedByOthers(session: Session, position: Desired["position"], current: Ruleset): boolean {
  const name = relativeTo(position);
  const anchor = name === undefined ? undefined : findAnchor(current.rules, name);
  return anchor !== undefined && !wasPlaced(session, current.id, anchor.id);
}

function relativeTo(position: Desired["position"]): string | undefined {
  return position === undefined ? undefined : anchorOf(position);
}
