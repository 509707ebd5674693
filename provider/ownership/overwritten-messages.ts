import { rulesetResourceId, type Scope } from "../model/ids.js";
import type { OnConflict } from "../model/options.js";
import { conflictLines, foreignChangeLines, type Operation } from "./ruleset-messages.js";
import type { OverwrittenChange } from "./overwritten-change.js";
import type { Display } from "./display.js";

/** What the run was doing when it overwrote something. */
export type OverwritingOperation = Operation | "migrate" | "restore";

export interface OverwrittenWrite {
  /** The ruleset, as messages name it. */
  readonly where: string;
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
const PLACE: Readonly<Record<OverwritingOperation, string>> = {
  change: "add it to `rules`, at its position",
  delete: "declare the ruleset again, with this in `rules`",
  restore: "restore that version",
  migrate: "add it to `adjustments`, or after the finish to the `rules` of the PhaseEntrypoint",
};

/** What somebody changed after the ruleset had been read and the write undid, and how to get it back. */
export function overwrittenText(write: OverwrittenWrite, overwritten: OverwrittenChange): string {
  switch (overwritten.kind) {
    case "undone":
      return [
        `${write.where} was changed by somebody else (version ${overwritten.version}) since it was last read, and this ` +
          `run's write (version ${write.version}) undid that:`,
        ...conflictLines(overwritten.conflict, write.display),
        ...applied(write, [
          ...(write.operation === "restore"
            ? restoreSteps(write, overwritten.version)
            : foreignChangeLines(`restore it: ${PLACE[write.operation]}`, overwritten.conflict, write.display)),
          ...(fromProgram(write) ? deletedAgain(overwritten.conflict.removed) : []),
        ]),
        `Version ${overwritten.version} contains everything that was overwritten: ${address(write, overwritten.version)}`,
      ].join("\n");
    case "unread":
      return [
        `${write.where} was changed by somebody else (version ${overwritten.version}) since it was last read, and this ` +
          `run's write (version ${write.version}) may have undone that. Version ${overwritten.version} could not be read:`,
        `  ${overwritten.reason}`,
        ...applied(write, [
          `  - see what it contains (${address(write, overwritten.version)}); to restore what is missing, ${PLACE[write.operation]}`,
        ]),
      ].join("\n");
    case "remade":
      return [
        `${write.where} was deleted by somebody else since it was last read, and this run's write recreated it as ` +
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
function restoreSteps({ scope, rulesetId, version }: OverwrittenWrite, between: string): string[] {
  const at = `${scope.level === "zones" ? "--zone" : "--account"} ${scope.id} --ruleset ${rulesetId}`;
  return [
    `  - look at it: npx pulumi-rulesets versions diff ${between} ${version} ${at}`,
    `  - go back to it: npx pulumi-rulesets versions restore ${between} ${at}`,
  ];
}

function deletedAgain(refs: readonly string[]): string[] {
  return refs.length === 0 ? [] : [`  - delete again what was deleted: take it out of \`rules\` (${refs.join(", ")})`];
}

/** What the write left behind, and how to continue: the write itself cannot be undone. */
function applied({ operation, onConflict }: OverwrittenWrite, steps: readonly string[]): string[] {
  if (operation === "restore")
    return ["The write was applied.", ...(steps.length === 0 ? [] : ["To continue:", ...steps])];
  if (onConflict === "overwrite") return steps.length === 0 ? [] : ["To continue:", ...steps];
  return operation === "delete"
    ? [
        "The rules no longer exist at the service, but the resource is still in the state.",
        "To continue:",
        "  - keep the ruleset: run `pulumi refresh`, then `pulumi up`, which writes the declared rules again",
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

function address({ scope, rulesetId }: OverwrittenWrite, version: string): string {
  return `GET /${rulesetResourceId(scope, rulesetId)}/versions/${version}`;
}
