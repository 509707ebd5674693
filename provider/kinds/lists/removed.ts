import { declaredLists } from "../../engine/declared-lists.js";
import { stateOfKind } from "../../engine/kind.js";
import type { StackResource } from "../../engine/predecessors.js";
import type { Session } from "../../engine/session.js";
import { RulesetsError } from "../../model/errors.js";
import { RULES_LIST, type ListState } from "./description.js";
import { findListUsers, userLines } from "./users.js";

/**
 * Warns, when a preview has seen every resource of the program, about lists that this run deletes and rules still use: the engine
 * asks a provider nothing about a delete before it carries it out. Programs without lists are not looked at.
 */
export async function reportRemovedLists(session: Session): Promise<void> {
  const declared = session.part(declaredLists);
  if (session.previewChecks === "off" || !declared.isUsed) return;
  const stack = await session.predecessors.all();
  for (const { type, state } of stack ?? []) {
    const list = type === RULES_LIST.type ? stateOfKind(RULES_LIST, state) : undefined;
    if (list === undefined || session.checked.has(list.__urn ?? "") || isKept(list)) continue;
    // Another resource has taken it over.
    if (declared.named(list.name).some(({ accountId }) => accountId === list.accountId)) continue;
    await reportRemoved(session, list, stack ?? []);
  }
}

/** Whether a delete leaves the list. */
function isKept({ onDelete, ownership, __takenOver }: ListState): boolean {
  return ownership === "shared" || (onDelete ?? "delete") !== "delete" || __takenOver === true;
}

async function reportRemoved(session: Session, list: ListState, stack: readonly StackResource[]): Promise<void> {
  const { accountId, name, listId, __urn: urn } = list;
  try {
    const existing = (await session.lists.of(accountId)).find(({ id }) => id === listId);
    if (existing === undefined || existing.references === 0) return;
    const { rules, isComplete } = await findListUsers(session, accountId, existing);
    const staying = rules.filter(({ rulesetId }) => !isGivenUp(session, rulesetId, name, stack));
    if (staying.length === 0 && isComplete) return;
    session.reporter.warn(
      urn,
      [
        `the list ${name} is no longer in the program, but rules still use it, so its delete will be refused:`,
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

/** Whether this run removes the use of a list from a ruleset: its resource is gone, or uses the list no longer. */
function isGivenUp(session: Session, rulesetId: string, name: string, stack: readonly StackResource[]): boolean {
  const owners = stack.filter(({ state }) => state.rulesetId === rulesetId);
  if (owners.length === 0) return false;
  const declared = session.part(declaredLists);
  return owners.every(({ state }) => {
    const urn = typeof state.__urn === "string" ? state.__urn : "";
    return !session.checked.has(urn) || !declared.usesOf(urn).has(name);
  });
}
