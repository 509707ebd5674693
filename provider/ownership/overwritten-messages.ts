import type { Scope } from "../../core/model/ids.js";
import type { OnConflict } from "../../core/model/options.js";
import type { DeployedRule } from "../../core/model/ruleset.js";
import type { Conflict } from "./conflict.js";
import type { OverwrittenChange } from "./overwritten-change.js";
import { identityWords } from "./rule-text.js";
import { conflictLines, foreignChangeLines, type Operation } from "./ruleset-messages.js";
import type { Display, Words } from "./words.js";

/** What the run was doing when it overwrote something. */
export type OverwritingOperation = Operation | "migrate" | "restore";

export interface OverwrittenWrite {
  /** What was written, as messages name it, and how a program declares a rule of it. */
  readonly words: Pick<Words, "subject" | "toDeclare">;
  readonly scope: Scope;
  readonly rulesetId: string;
  /** The version that the write created. */
  readonly version: string;
  readonly operation: OverwritingOperation;
  /** If overwriting was requested, the run continues, and the message only says how to restore what was lost. */
  readonly onConflict: OnConflict;
  readonly display: Display;
}

/** How to restore a rule. */
function toRestore({ operation, words }: OverwrittenWrite): string {
  switch (operation) {
    case "change":
      return words.toDeclare;
    case "delete":
      return `declare the resource again, and ${words.toDeclare}`;
    case "restore":
      return "restore that version";
    case "migrate":
      return "add it to `adjustments`, or after the finish to the `rules` of the PhaseEntrypoint";
  }
}

/** What somebody changed after the ruleset had been read and the write undid, and how to get it back. */
export function overwrittenText(write: OverwrittenWrite, overwritten: OverwrittenChange): string {
  const { subject } = write.words;
  switch (overwritten.kind) {
    case "undone":
      return [
        `${subject} was changed by somebody else (version ${overwritten.version}) since it was last read, and this ` +
          `run's write (version ${write.version}) undid that:`,
        ...conflictLines(overwritten.conflict, write.display),
        ...applied(write, [
          ...(write.operation === "restore"
            ? restoreSteps(write, overwritten.version)
            : foreignChangeLines(`restore it: ${toRestore(write)}`, overwritten.conflict, write.display)),
          ...(fromProgram(write) ? deletedAgain(overwritten.conflict.removed) : []),
        ]),
        `Version ${overwritten.version} contains everything that was overwritten: ${versionsCommand(write, `show ${overwritten.version}`)}`,
      ].join("\n");
    case "unread":
      return [
        `${subject} was changed by somebody else (version ${overwritten.version}) since it was last read, and this ` +
          `run's write (version ${write.version}) may have undone that. Version ${overwritten.version} could not be read:`,
        `  ${overwritten.reason}`,
        ...applied(write, [
          `  - see what it contains (${versionsCommand(write, `show ${overwritten.version}`)}); to restore what is missing, ${toRestore(write)}`,
        ]),
      ].join("\n");
    case "remade":
      return [
        `${subject} was deleted by somebody else since it was last read, and this run's write recreated it as ` +
          `${overwritten.rulesetId}.`,
        ...applied(write, fromProgram(write) ? ["  - delete it as well: take this resource out of the program"] : []),
      ].join("\n");
  }
}

/** Whether what was written comes from the program. */
function fromProgram({ operation }: OverwrittenWrite): boolean {
  return operation !== "delete" && operation !== "restore";
}

/** How to continue after a write from the command line, which has no program to paste into. */
function restoreSteps(write: OverwrittenWrite, between: string): string[] {
  return [
    `  - look at it: ${versionsCommand(write, `diff ${between} ${write.version}`)}`,
    `  - go back to it: ${versionsCommand(write, `restore ${between}`)}`,
  ];
}

function versionsCommand({ scope, rulesetId }: OverwrittenWrite, what: string): string {
  return `npx pulumi-rulesets versions ${what} ${scope.level === "zones" ? "--zone" : "--account"} ${scope.id} --ruleset ${rulesetId}`;
}

function deletedAgain(refs: readonly string[]): string[] {
  return refs.length === 0
    ? []
    : [`  - delete again what was deleted: take it out of the program (${refs.join(", ")})`];
}

/** What the write left behind, and how to continue: the write itself cannot be undone. */
function applied({ operation, onConflict }: OverwrittenWrite, steps: readonly string[]): string[] {
  if (operation === "restore")
    return ["The write was applied.", ...(steps.length === 0 ? [] : ["To continue:", ...steps])];
  if (onConflict === "overwrite") return steps.length === 0 ? [] : ["To continue:", ...steps];
  return operation === "delete"
    ? [
        "What was deleted no longer exists at the service, but the resource is still in the state.",
        "To continue:",
        "  - keep it: run `pulumi refresh`, then `pulumi up`, which writes what is declared again",
        ...steps,
        "  - leave it as it is: run `pulumi destroy` (or `up`) again, which sends no write",
      ]
    : [
        "The write was applied and is in the state.",
        "To continue:",
        ...steps,
        `  - leave it as it is: run \`pulumi up\` again, which ${operation === "migrate" ? "continues from there" : "sends nothing"}`,
      ];
}

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
