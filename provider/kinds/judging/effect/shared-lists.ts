import { listsOfRun } from "../../lists/run.js";
import { listItems } from "../../../engine/reads/list-items.js";
import { unavailableCheck } from "../../../engine/request.js";
import type { Session } from "../../../engine/session.js";
import { isListKind } from "../../../../core/lists/kind.js";
import { listInputOf } from "../../../../core/lists/list-input.js";
import { omit, sameJson } from "../../../../core/model/json.js";

/**
 * Reads the shared lists among those that changed rules use: without the items of others, an edit of the rules cannot be decided.
 * Other lists are in the program as a whole, and a shared one that changes too is read for its own preview.
 */
export async function readSharedLists(session: Session, urn: string, names: readonly string[]): Promise<void> {
  if (session.previewChecks === "off") return;
  const declared = listsOfRun(session);
  for (const name of names) {
    const [list, ...more] = declared.named(name);
    if (list?.part === undefined || list.after !== undefined || more.length > 0 || !isListKind(list.kind)) continue;
    const { kind, accountId, part } = list;
    try {
      const { lists, notRead } = await listItems(session).read(accountId, [name], part.isNew ? [name] : []);
      for (const reason of notRead)
        session.reporter.warn(urn, `the effect on requests was judged without all items: ${reason}`);
      // Its own check may have declared it meanwhile.
      if (notRead.length > 0 || !declared.named(name).includes(list)) continue;
      // One that does not exist yet is created without items of others.
      const items = lists.get(name)?.items ?? {};
      const now = { ...omit(items, part.remove), ...list.items };
      const before = listInputOf(kind, items);
      const after = listInputOf(kind, now);
      declared.declare({ ...list, part, before, after: sameJson(before, after) ? before : after });
    } catch (error) {
      const unread = unavailableCheck({ session, urn, preview: true }, error, `the items of others in $${name}`);
      if (unread.length > 0) throw error;
    }
  }
}
