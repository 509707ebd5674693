import { createRequire } from "node:module";
import { declaredLists } from "../../engine/declared-lists.js";
import type { AtEnd } from "../../engine/kind-parts.js";
import type { Session } from "../../engine/session.js";

const load = createRequire(__filename);
const loadRemoved = () => load("./removed.js") as typeof import("./removed.js");

/** Lists that are no longer in the program although rules still use them. */
export const atEnd: AtEnd = {
  isNeeded: (session) => session.part(declaredLists).isUsed,
  isNeededWhole: mayRemove,
  ofWholePreview: (session) => loadRemoved().reportRemovedLists(session),
  ofRun: (session) => loadRemoved().reportUnseenLists(session),
};

/** The most resources of a program without lists for which the state of the stack is read: with more, that takes too long. */
const FEW = 100;

/** Whether a stack may have lists that the program no longer has. */
async function mayRemove(session: Session): Promise<boolean> {
  if (session.part(declaredLists).isUsed) return true;
  if (session.previewChecks === "off" || session.checked.size > FEW) return false;
  return ((await session.predecessors.all()) ?? []).some(({ type }) => type === "RulesList");
}
