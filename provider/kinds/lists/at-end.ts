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

/** Whether a stack may have lists that the program no longer has. */
async function mayRemove(session: Session): Promise<boolean> {
  if (session.part(declaredLists).isUsed) return true;
  if (session.previewChecks === "off") return false;
  // Where the state cannot be read, no list is known of.
  return (await session.predecessors.hasAny("RulesList")) === true;
}
