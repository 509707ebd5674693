import { changeLines } from "../../../core/lists/words.js";
import type { ItemChange } from "../../../core/lists/change.js";
import type { Items } from "../../../core/lists/item.js";
import type { RulesList } from "../../../client/index.js";
import { RulesetsError } from "../../../core/model/errors.js";
import { isSameText } from "../../../core/rules/spelling.js";
import type { ListInputs } from "./description.js";
import { plural } from "../../../core/model/words.js";

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

/** Whether the program gives a list another description than it has. */
export function redescribes({ description }: Pick<ListInputs, "description">, list: RulesList): boolean {
  return description !== undefined && !isSameText(description, list.description);
}

/** Why an existing list is not taken over. */
export function occupiedError(
  list: RulesList,
  now: Items,
  wanted: Items,
  lost: ItemChange,
  mode: string,
): RulesetsError {
  const text = [
    `there is already a list ${list.name} with ${plural(list.size, "item")}. Taking it over would lose or change ` +
      `${plural(lost.removed.length + lost.changed.length, "item")} of it:`,
    ...indented(changeLines(now, wanted, { ...lost, added: [] })),
    "Nothing was changed. To continue:",
    ...(lost.removed.length === 0
      ? ['  - to give these items the details of the program, set onExisting: "adopt"']
      : [
          `  - to keep them, add them to \`items\`${mode === "adopt" ? "" : ' and set onExisting: "adopt"'}`,
          '  - to remove them, set onExisting: "replace"',
          '  - to leave them to others, set ownership: "shared"',
        ]),
  ].join("\n");
  return new RulesetsError(text, { code: "OWNERSHIP_OCCUPIED" });
}

/** What somebody else changed and this run would undo. */
export function conflictText(name: string, last: Items, now: Items, foreign: ItemChange): string {
  return [
    `the items of the list ${name} were changed by somebody else:`,
    ...indented(changeLines(last, now, foreign)),
  ].join("\n");
}

export function conflictError(name: string, last: Items, now: Items, foreign: ItemChange): RulesetsError {
  const text = [
    conflictText(name, last, now, foreign),
    "Nothing was written. To continue:",
    ...(foreign.added.length === 0
      ? []
      : ['  - to keep added items, add them to `items`, or leave them to others with ownership: "shared"']),
    ...(foreign.removed.length + foreign.changed.length === 0
      ? []
      : ["  - to keep what was removed or edited, change `items` to match"]),
    "  - to overwrite it, for this one run: `RULESETS_ON_CONFLICT=overwrite pulumi up`",
  ].join("\n");
  return new RulesetsError(text, { code: "OWNERSHIP_CONFLICT" });
}

/** What a refresh says of items of which the state of the stack no longer tells whose they are. */
export function unreadText(name: string, items: Items): string {
  return (
    `the state of the list ${name} cannot be read, so any of its ${plural(Object.keys(items).length, "item")} may be somebody else's: ` +
    "the next `pulumi up` stops if it would remove or edit any of them, and so does a delete before it"
  );
}

/** How many items a run changes, for the plan of its preview. */
export function countsText(after: Items, { added, changed, removed }: ItemChange): string {
  const same = Object.keys(after).length - added.length - changed.length;
  return `+${String(added.length)} ~${String(changed.length)} -${String(removed.length)}, ${String(same)} unchanged`;
}

/** What a run that takes over a list changes in it. */
export function takeoverLines(before: Items, after: Items, change: ItemChange): readonly string[] {
  return indented(changeLines(before, after, change));
}
