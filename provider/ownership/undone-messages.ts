import type { DeployedRule } from "../../core/model/ruleset.js";
import type { Conflict } from "./conflict.js";
import type { Display } from "./display.js";
import { conflictLines, foreignChangeLines } from "./ruleset-messages.js";
import { identityWords } from "./rule-text.js";
import type { Words } from "./words.js";

/** What this run left at the service. */
interface UndoneWrite {
  readonly words: Pick<Words, "subject" | "toDeclare">;
  /** The version in which it is undone. */
  readonly version: string;
  readonly display: Display;
}

/** What somebody changed after this run had written it, and how to continue. */
export function undoneText({ words, version, display }: UndoneWrite, conflict: Conflict): string {
  const removed =
    conflict.removed.length === 0 ? [] : ["  - keep what was deleted deleted: take it out of the program"];
  return [
    `${words.subject} was changed by somebody else (now version ${version}) while this run ` +
      "wrote to the ruleset, after this run had written or read it:",
    ...conflictLines(conflict, display),
    "No later write of this run undid that. To continue:",
    ...foreignChangeLines(`keep it: ${words.toDeclare}`, conflict, display),
    ...removed,
    "  - write what the program declares again: run `pulumi refresh`, review what it shows, then `pulumi up`",
    "  - write it again, for this one run: `RULESETS_ON_CONFLICT=overwrite pulumi up`",
  ].join("\n");
}

/** Rules that this run deleted and that somebody created again. */
export function reappearedText(where: string, version: string, rules: readonly DeployedRule[]): string {
  const one = rules.length === 1;
  return [
    `${where} (now version ${version}) contains ${one ? "a rule" : "rules"} again that this run had deleted. Somebody else wrote ` +
      `${one ? "it" : "them"} meanwhile, such as with an outdated copy of the whole ruleset:`,
    ...rules.map((rule) => `  + ${identityWords(rule)}`),
    `${one ? "It is" : "They are"} in force without an owner in this stack. To continue:`,
    `  - delete ${one ? "it" : "them"}: declare ${one ? "it" : "each"} with its ref and onExisting: "adopt", run \`pulumi up\`, then remove ${one ? "it" : "them"}`,
    "  - leave as it is: run `pulumi up` again, which sends nothing",
  ].join("\n");
}
