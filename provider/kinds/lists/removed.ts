import { declaredLists } from "../../engine/declared-lists.js";
import type { StackResource } from "../../engine/predecessors.js";
import { reportUnavailableCheck } from "../../engine/request.js";
import type { Session } from "../../engine/session.js";
import { RulesetsError } from "../../model/errors.js";
import { textOf } from "../../model/json.js";
import { joinNames } from "../../model/words.js";
import { RULES_LIST, type ListState } from "./description.js";
import { stateOfList } from "./takeover.js";
import { findListUsers, userLines, type ListUsers } from "./users.js";

/**
 * Warns, when a preview has seen every resource of the program, about lists that this run deletes and rules still use: the engine
 * asks a provider nothing about a delete before it carries it out.
 */
export async function reportRemovedLists(session: Session): Promise<void> {
  if (session.previewChecks === "off") return;
  const stack = (await session.predecessors.all()) ?? [];
  for (const list of removedLists(session, stack)) await reportRemoved(session, list, stack, IS_GONE);
}

/**
 * The same at the end of a run of which nobody has said how many resources the program declares: it may also have ended early, or be
 * limited to some of them. Looks only for lists that rules of this run use and that it has not seen, so that no other run takes longer.
 */
export async function reportUnseenLists(session: Session): Promise<void> {
  const unseen = session.part(declaredLists).unseen();
  if (session.previewChecks === "off" || unseen.size === 0) return;
  const stack = await session.predecessors.all();
  if (stack === undefined) {
    session.reporter.warn(
      undefined,
      `could not read the state of the stack, so it is not known whether this run deletes ${joinNames([...unseen].map((name) => `$${name}`))}, which rules use`,
    );
    return;
  }
  for (const list of removedLists(session, stack))
    if (unseen.has(list.name)) await reportRemoved(session, list, stack, IS_UNSEEN);
}

const IS_GONE = "is no longer in the program, but rules still use it, so its delete will be refused:";
const IS_UNSEEN =
  "is in the stack, and this run has not seen it in the program, but rules still use it. If it is no longer in the program, its " +
  "delete will be refused:";

/** The lists of the stack that no resource of this run manages, and that a delete does not leave. */
function removedLists(session: Session, stack: readonly StackResource[]): ListState[] {
  const declared = session.part(declaredLists);
  return stack.flatMap((resource) => {
    const list = resource.type === RULES_LIST.type ? stateOfList(resource.state) : undefined;
    if (list === undefined || session.checked.has(list.__urn ?? "") || isKept(list)) return [];
    if (session.predecessors.isOthers(resource)) return [];
    // Another resource has taken it over.
    return declared.named(list.name).some(({ accountId }) => accountId === list.accountId) ? [] : [list];
  });
}

/** Whether a delete leaves the list. */
function isKept({ onDelete, ownership, __takenOver }: ListState): boolean {
  return ownership === "shared" || (onDelete ?? "delete") !== "delete" || __takenOver === true;
}

async function reportRemoved(
  session: Session,
  list: ListState,
  stack: readonly StackResource[],
  what: string,
): Promise<void> {
  const { accountId, name, listId, __urn: urn } = list;
  try {
    const existing = await session.lists.byId(accountId, listId);
    if (existing === undefined || existing.references === 0) return;
    const { rules, isComplete } = await findListUsers(session, accountId, existing);
    const staying = rules.filter(({ rulesetId }) => !stopsUsing(session, rulesetId, name, stack, true));
    if (staying.length === 0 && isComplete) return;
    session.reporter.warn(
      urn,
      [
        `the list ${name} ${what}`,
        ...userLines({ rules: staying, isComplete }),
        `To continue: remove $${name} from these rules, or keep the list: leave the resource in the program, or run \`pulumi up\` with ` +
          'onDelete: "keep" first.',
      ].join("\n"),
    );
  } catch (error) {
    if (!(error instanceof RulesetsError)) throw error;
    session.reporter.warn(
      urn,
      `could not check whether rules use the list ${name}, which is no longer in the program: ${error.message}`,
    );
  }
}

/**
 * Whether this run removes the use of a list from a ruleset: its resource uses the list no longer, or is gone.
 * @param isWhole whether a resource that has not been checked is gone, and not only later
 */
function stopsUsing(
  session: Session,
  rulesetId: string,
  name: string,
  stack: readonly StackResource[],
  isWhole: boolean,
): boolean {
  const owners = stack.filter(({ state }) => state.rulesetId === rulesetId);
  if (owners.length === 0) return false;
  const declared = session.part(declaredLists);
  return owners.every(({ state }) => {
    const urn = textOf(state.__urn);
    return session.checked.has(urn) ? !declared.usesOf(urn).has(name) : isWhole;
  });
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
  const stack = found.rules.length === 0 ? [] : ((await session.predecessors.all()) ?? []);
  const staying = found.rules.filter(({ rulesetId }) => !stopsUsing(session, rulesetId, name, stack, false));
  if (staying.length === 0 && found.isComplete) return;
  throw new RulesetsError(
    [
      `the kind of the list ${name} changes, so it is deleted before the new one is created, but rules use it:`,
      ...userLines({ rules: staying, isComplete: found.isComplete }),
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
    if (reportUnavailableCheck(request, error, "whether rules use the list") !== undefined) throw error;
    return undefined;
  }
}
