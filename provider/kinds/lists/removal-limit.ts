import type { Session } from "../../engine/session.js";
import { compareItems } from "../../../core/lists/change.js";
import type { Items } from "../../../core/lists/item.js";
import { changeLines } from "../../../core/lists/words.js";
import type { RulesetsError } from "../../../core/model/errors.js";
import { isWithinLimit, limitError, type RemovingOperation } from "../../ownership/removal.js";
import type { ListInputs } from "./description.js";

/** Items before and after a write, of those that the resource may change. */
interface ItemRemoval {
  readonly operation: RemovingOperation;
  readonly now: Items;
  readonly wanted: Items;
  /** Number of items at the service, including those of others. */
  readonly size: number;
}

const HOW_TO_KEEP: Readonly<Record<RemovingOperation, string>> = {
  change: "put them back into the items; a file that is read from elsewhere may be incomplete",
  takeover: 'add them to the items, or leave them to others with ownership: "shared"',
  replacement: 'leave account, name and kind as they are, or run `pulumi up` with onDelete: "keep" first',
  delete: 'leave the resource in the program, or run `pulumi up` with onDelete: "keep" first',
};

/** The error if more items would be removed than one run may remove; otherwise undefined. */
export function findLimitError(
  session: Session,
  { name, maxRemovedPercent }: Pick<ListInputs, "name" | "maxRemovedPercent">,
  { operation, now, wanted, size }: ItemRemoval,
): RulesetsError | undefined {
  const maxPercent = session.maxRemovedPercent(maxRemovedPercent);
  if (maxPercent === undefined) return undefined;
  const { removed } = compareItems(now, wanted);
  if (isWithinLimit({ removed, before: size }, maxPercent)) return undefined;
  return limitError({
    where: `list ${name}`,
    operation,
    maxPercent,
    noun: "item",
    removed: removed.length,
    before: size,
    lines: changeLines(now, wanted, { added: [], changed: [], removed }).map((line) => `  ${line}`),
    ways: [`  - keep them: ${HOW_TO_KEEP[operation]}`],
  });
}

/** Stops before more items are removed than one run may remove. */
export function requireWithinLimit(...args: Parameters<typeof findLimitError>): void {
  const error = findLimitError(...args);
  if (error !== undefined) throw error;
}
