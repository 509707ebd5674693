import type { DeployedRule } from "../model/ruleset.js";
import type { Conflict } from "./conflict.js";
import type { Display } from "./display.js";
import { conflictLines, foreignChangeLines } from "./ruleset-messages.js";
import { displayedRuleWords } from "./rule-text.js";

/** Where a program declares what was undone: in a list, or as the arguments of one resource. */
export type DeclaredIn = "list" | "arguments";

/** How to keep what somebody else wrote. */
export function keepWords(declaredIn: DeclaredIn): string {
  return declaredIn === "list" ? "keep it: write it into `rules`" : "keep it: copy its values into the arguments";
}

/** What this run left at the service. */
interface UndoneWrite {
  /** The ruleset or the rule, as messages name it. */
  readonly where: string;
  readonly declaredIn: DeclaredIn;
  /** The version in which it is undone. */
  readonly version: string;
  readonly display: Display;
  /** The resource that it belongs to, if this run has already finished that one. */
  readonly owner: string | undefined;
}

/** What somebody changed after this run had written it, and how to continue. */
export function undoneText({ where, declaredIn, version, display, owner }: UndoneWrite, conflict: Conflict): string {
  const removed =
    conflict.removed.length === 0 ? [] : ["  - keep what was deleted deleted: take it out of the program"];
  return [
    `${where}${owner === undefined ? "" : ` (${owner})`} was changed by somebody else (now version ${version}) while this run ` +
      "wrote to the ruleset, after this run had written or read it:",
    ...conflictLines(conflict, display),
    "No later write of this run undid that. To continue:",
    ...foreignChangeLines(keepWords(declaredIn), conflict, display),
    ...removed,
    "  - write what the program declares again: run `pulumi refresh`, review what it shows, then `pulumi up`",
    ...(owner === undefined
      ? ["  - write it again, for this one run: `RULESETS_ON_CONFLICT=overwrite pulumi up`"]
      : []),
  ].join("\n");
}

/** Rules that this run deleted and that somebody created again. */
export function reappearedText(
  where: string,
  version: string,
  rules: readonly DeployedRule[],
  display: Display,
): string {
  const one = rules.length === 1;
  return [
    `${where} (now version ${version}) contains ${one ? "a rule" : "rules"} again that this run had deleted. Somebody else wrote ` +
      `${one ? "it" : "them"} meanwhile, such as with an outdated copy of the whole ruleset:`,
    ...rules.map((rule) => `  + ${displayedRuleWords(rule, display)}`),
    `${one ? "It is" : "They are"} in force without an owner in this stack. To continue:`,
    `  - delete ${one ? "it" : "them"}: declare ${one ? "it" : "each"} with its ref and onExisting: "adopt", run \`pulumi up\`, then remove ${one ? "it" : "them"}`,
    "  - leave as it is: run `pulumi up` again, which sends nothing",
  ].join("\n");
}
