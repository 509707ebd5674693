import { unavailableCheck } from "../../engine/request.js";
import type { Session } from "../../engine/session.js";
import { RulesetsError } from "../../../core/model/errors.js";
import type { ListState } from "./description.js";
import { reachOf } from "./reach.js";
import { findListUsers, userLines, type ListUsers } from "./users.js";

/** Whether a delete leaves the list. */
function isKept({ __takenOver, ...list }: ListState): boolean {
  const { onDelete = reachOf(list).onDelete } = list;
  return onDelete !== "delete" || __takenOver === true;
}

/**
 * Stops a change of the kind that would end after the delete, or be refused there: names are unique, so the list is deleted before
 * the new one is created.
 */
export async function requireKindChangeable(session: Session, list: ListState): Promise<void> {
  const { accountId, name, listId, __urn: urn = "" } = list;
  if (isKept(list))
    throw new RulesetsError(
      `the kind of the list ${name} cannot be changed: a delete leaves the list, and the new one would have the same name. ` +
        "To continue: give the new list another name.",
      { code: "OWNERSHIP_OCCUPIED" },
    );
  // In an `up` too: the plugin does not know here which of both it is.
  if (session.previewChecks === "off") return;
  const found = await usersNow(session, accountId, listId, urn);
  if (found === undefined) return;
  throw new RulesetsError(
    [
      `the kind of the list ${name} changes, so it is deleted before the new one is created, but rules use it:`,
      ...userLines(found),
      "Nothing was changed. To continue: give the new list another name, and let the rules use that one, or run `pulumi up` without " +
        "these rules first.",
    ].join("\n"),
    { code: "LIST_IN_USE" },
  );
}

/** The rules that use a list now; undefined without any, or if the preview may do without knowing. */
async function usersNow(
  session: Session,
  accountId: string,
  listId: string,
  urn: string,
): Promise<ListUsers | undefined> {
  try {
    const existing = await session.lists.byId(accountId, listId);
    if (existing === undefined || existing.references === 0) return undefined;
    return await findListUsers(session, accountId, existing);
  } catch (error) {
    const request = { session, urn, preview: true };
    if (unavailableCheck(request, error, "whether rules use the list").length > 0) throw error;
    return undefined;
  }
}
