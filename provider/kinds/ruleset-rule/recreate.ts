import type { Session } from "../../engine/session.js";
import type { Ruleset } from "../../model/ruleset.js";
import { isConflict } from "../../ownership/conflict.js";
import { findConflict } from "./comparison.js";
import type { Desired } from "./desired.js";
import { findOwnState } from "./predecessor.js";
import { parseState } from "./state.js";
import { conflictMessage } from "./write.js";

/** What creating a rule again over itself, as with `--replace` or a taint, would undo of somebody else's changes. */
export interface RecreateConflict {
  readonly text: string;
  /** Whether the program asks to undo it. */
  readonly overwrites: boolean;
}

/** Compares as for an update; undefined for a new rule, and where nobody has changed the rule since the stack read it. */
export async function findRecreateConflict(
  session: Session,
  desired: Desired,
  ruleset: Ruleset,
): Promise<RecreateConflict | undefined> {
  const last = await findOwnState(session, ruleset.id, desired);
  if (last === undefined) return undefined;
  const conflict = findConflict(parseState(last), desired, ruleset);
  if (!isConflict(conflict)) return undefined;
  return conflictMessage(session, desired, conflict, { operation: "change", ruleId: last.ruleId });
}
