import { rulesetResourceId, type Scope } from "../model/ids.js";
import type { DeployedRule } from "../model/ruleset.js";
import type { Conflict } from "./conflict.js";
import { conflictLines, pasteText, RENAMED, undoingWords, type Operation } from "./ruleset-messages.js";
import type { OccupiedPlace, OccupiedRef } from "./shared-messages.js";
import type { OverwrittenChange } from "./overwritten-change.js";
import { identityWords, indented, seeTextsLine, timeText } from "./rule-text.js";
import type { Display } from "./display.js";

/** A rule as messages name it: `rule "block-admin" in http_ratelimit of zone 0123…`. */
export function ruleInWords(ref: string, where: string): string {
  return `rule ${JSON.stringify(ref)} in ${where}`;
}

const COPY_TO_ARGUMENTS = "copy its values into the arguments of this resource";

/** The existing rules as arguments of this resource. */
function asArguments(rules: readonly DeployedRule[], display: Display, by = "    "): string {
  return indented(pasteText(rules, display), by.slice(2));
}

/** Why an existing rule is not taken over, what it is, and what to do. The owner is a resource of this stack. */
export function ruleOccupiedText(
  where: string,
  { rule, differences, owner }: OccupiedRef,
  { scope, ruleset, isNew }: OccupiedPlace,
): string {
  return [
    `${where} already has a rule with the ref ${JSON.stringify(rule.ref)}:`,
    `  - ${identityWords(rule)}`,
    ...(owner === undefined
      ? []
      : [`${owner} of this stack has it, and somebody else has changed it since this stack last read it.`]),
    `It differs from the declared one in: ${differences.join(", ")}. No request was sent.`,
    seeTextsLine(scope, ruleset),
    "To continue:",
    '  - onExisting: "adopt" takes it over under its ID, and changes it to the declared values;',
    `  - to keep it as it is, ${COPY_TO_ARGUMENTS}, as that command prints them;`,
    `  - to create another rule, give this one a different \`ref\`${isNew ? ";" : "."}`,
    ...(isNew ? [`  - if this resource was renamed: add ${RENAMED} to its options.`] : []),
  ].join("\n");
}

/** Why a rule may be taken over: the program asks for it, it belonged to this stack before, or it is equal. */
export type RuleTakeoverGrounds =
  | { readonly kind: "requested" | "equal" | "leftover" | "own" }
  | { readonly kind: "inherited"; readonly urn: string };

/** What taking over a rule does; undefined when there is nothing to report. */
export function ruleTakeoverText(
  rule: DeployedRule,
  differences: readonly string[],
  grounds: RuleTakeoverGrounds,
): string | undefined {
  const head = `takes over the rule ${JSON.stringify(rule.ref)} (${rule.id})`;
  switch (grounds.kind) {
    case "own":
      return undefined;
    case "requested":
      return `${head}: ${differences.length === 0 ? "it stays as it is" : `${differences.join(", ")} will change`}`;
    case "leftover":
      return `${head}, which an interrupted run of this stack left behind`;
    case "inherited":
      return (
        `${head}: ${grounds.urn} of this stack managed it before` +
        (differences.length === 0 ? "" : `; ${differences.join(", ")} will change`)
      );
    case "equal": {
      const changed = rule.lastUpdated === undefined ? "" : `, last changed ${timeText(rule.lastUpdated)}`;
      return (
        `${head}, which equals the declared one. It seems to belong to somebody else${changed}. A delete removes it only ` +
        'after this stack has changed it, or with onExisting: "adopt".'
      );
    }
  }
}

/** A warning that another resource of the program was checked first and may delete a rule that moves here. */
export function mayBeDeletedText(
  { ref, id }: Pick<DeployedRule, "ref" | "id">,
  deleter: string,
  isWritten: boolean,
): string {
  const then = isWritten ? "it is created again" : "this resource is checked, which then stops the run until a refresh";
  return (
    `the rule ${JSON.stringify(ref)} (${id}) moves here from ${deleter}, which was checked first and may delete it before ` +
    `${then}. To continue without a gap: add this resource to \`dependsOn\` of that one.`
  );
}

/** Why a resource that does not change stops: another one has deleted rules that both had. */
export function deletedBeforeText(
  where: string,
  rules: readonly { readonly ref: string; readonly id: string; readonly by: string }[],
): string {
  return [
    `${where}: rules of this resource were deleted earlier in this run by another one, whose state had them too:`,
    ...rules.map(({ ref, id, by }) => `  - ${JSON.stringify(ref)} (${id}), by ${by}`),
    "To continue: run `pulumi refresh`, then `pulumi up`, which creates them again.",
  ].join("\n");
}

/** Everything that somebody else changed in a rule, and what to do about it. */
export function ruleConflictText(where: string, conflict: Conflict, operation: Operation, display: Display): string {
  const edited = conflict.edited.map(({ rule }) => rule);
  const gone = conflict.removed.length > 0;
  const command = operation === "delete" ? "pulumi destroy` (or `up`)" : "pulumi up`";
  return [
    `${where}: the rule was changed by somebody else since this stack last read it, and this ${operation} would undo that:`,
    ...conflictLines(conflict, display),
    "No request was sent. To continue:",
    ...(edited.length === 0 ? [] : [`  - keep it: ${COPY_TO_ARGUMENTS}:`, asArguments(edited, display)]),
    ...(operation === "delete" ? ['  - leave it as it is: `pulumi up` with onDelete: "keep" first'] : []),
    `  - undo it: run \`pulumi refresh\`, review what it shows, then continue${gone ? ": the next `pulumi up` creates the rule again" : ""}`,
    `  - overwrite it, for this one run: \`RULESETS_ON_CONFLICT=overwrite ${command}`,
  ].join("\n");
}

/** The same when overwriting was requested. */
export function ruleOverwriteText(where: string, conflict: Conflict, operation: Operation, display: Display): string {
  const edited = conflict.edited.map(({ rule }) => rule);
  return [
    `${where}: the rule was changed by somebody else since this stack last read it. ${undoingWords(operation)}:`,
    ...conflictLines(conflict, display),
    ...(edited.length === 0 ? [] : [`To restore it, ${COPY_TO_ARGUMENTS}:`, asArguments(edited, display, "  ")]),
  ].join("\n");
}

/** A write of one rule that undid somebody's change, made after the run had read the rule. */
interface OverwrittenRule {
  readonly where: string;
  readonly scope: Scope;
  readonly rulesetId: string;
  readonly operation: Operation;
  readonly display: Display;
}

/** What a write of one rule undid, and how to get it back. */
export function ruleOverwrittenText(write: OverwrittenRule, overwritten: OverwrittenChange): string {
  const { where, operation, display } = write;
  if (overwritten.kind === "remade") return `${where} was deleted and recreated by somebody else.`;
  const address = `GET /${rulesetResourceId(write.scope, write.rulesetId)}/versions/${overwritten.version}`;
  const head = `${where}: the rule was changed by somebody else (version ${overwritten.version}) since it was last read, and this ${operation}`;
  const applied =
    operation === "delete" ? "The rule no longer exists at the service." : "The write was applied and is in the state.";
  if (overwritten.kind === "unread")
    return [
      `${head} may have undone that. Version ${overwritten.version} could not be read:`,
      `  ${overwritten.reason}`,
      applied,
      "To continue:",
      `  - see what it contains: ${address}`,
    ].join("\n");
  const edited = overwritten.conflict.edited.map(({ rule }) => rule);
  return [
    `${head} undid that:`,
    ...conflictLines(overwritten.conflict, display),
    applied,
    "To continue:",
    `  - restore it: ${operation === "delete" ? "declare the rule again, with these arguments" : COPY_TO_ARGUMENTS}:`,
    asArguments(edited, display),
    `  - leave it as it is: run \`pulumi ${operation === "delete" ? "destroy` (or `up`)" : "up`"} again, which sends no write`,
    `Version ${overwritten.version} contains what was overwritten: ${address}`,
  ].join("\n");
}

/** Why a rule, or one of a list, cannot be placed at its position. */
export function anchorMissingText(
  where: string,
  name: string,
  rules: readonly Pick<DeployedRule, "ref">[],
  isListed = false,
): string {
  const refs = rules.map(({ ref }) => ref);
  const existing = refs.length === 0 ? "It contains no rules" : `Its rules: ${refs.join(", ")}`;
  const missing = `there is no rule ${JSON.stringify(name)} in ${where}. ${existing}.`;
  return isListed
    ? `${missing} To name a rule that this program creates, add its resource to \`dependsOn\` of this one`
    : `${missing} To name a rule that this program creates, use the ` +
        "resource instead of its ref: position: { before: otherRule }. To name a rule of a list in this program, write the list " +
        "first: add it to `dependsOn` of this resource";
}

/** Why no place in a ruleset is both after one rule of somebody else and before another. */
export function positionImpossibleText(
  where: string,
  { after, before }: { readonly after: string; readonly before: string },
): string {
  if (after === before)
    return `the positions and the order of \`rules\` require it both before and after ${JSON.stringify(after)}`;
  return (
    `the positions and the order of \`rules\` require it after ${JSON.stringify(after)} and before ${JSON.stringify(before)}, ` +
    `which runs first in ${where}. These are rules of others, which are never moved`
  );
}

/** Why two resources of one program cannot both manage a rule. */
export function twoRuleOwnersText(where: string, one: string, other: string): string {
  return `${where} has two owners in this program: ${[one, other].sort().join(" and ")}. Keep one of them, or give them different refs.`;
}
