import { RulesetsError } from "../../core/model/errors.js";
import type { Scope } from "../../core/model/ids.js";
import type { OnExisting } from "../../core/model/options.js";
import type { DeployedRule, Ruleset } from "../../core/model/ruleset.js";
import { HIDDEN } from "../../core/model/secret.js";
import { plural } from "../../core/model/words.js";
import type { KeyedRules } from "../../core/rules/keyed.js";
import { NO_RULE, Rule } from "../../core/rules/rule.js";
import type { Conflict } from "./conflict.js";
import { displayedRuleWords, identityWords, indented, ruleToTypeScript, seeTextsLine } from "./rule-text.js";
import type { Takeover } from "./takeover.js";
import type { Display, Words } from "./words.js";

/** Rules to paste into a program, with a note if they contain secrets. A comment stands for one whose texts are not shown. */
function pasteText(rules: readonly DeployedRule[], display: Display): string {
  const text = rules
    .map((rule) =>
      display.shows(rule)
        ? ruleToTypeScript(display.rule(rule), display.nameOf)
        : `// ${identityWords(rule)}: \`npx pulumi-rulesets versions show\` prints it`,
    )
    .join("\n");
  return indented(text.includes(JSON.stringify(HIDDEN)) ? `${text}\n${SECRET_NOTE}` : text);
}

const SECRET_NOTE =
  `// ${JSON.stringify(HIDDEN)} replaces a value that is secret in this program and is not printed. Write the value\n` +
  "// itself in its place, as a secret: pulumi.secret(…) or config.requireSecret(…). A preview refuses the rule until then.";

/** What the options of a renamed resource say, so that it stays the same resource. */
export const RENAMED = '{ aliases: [{ name: "<previous name>" }] }';

/** Why an existing ruleset is not taken over: how it differs from the program, and what to do. */
export function occupiedText(
  where: string,
  scope: Scope,
  deployed: Ruleset,
  { dropped, changed, empties }: Takeover,
  mode: OnExisting,
): string {
  const dropping = `onExisting: "${empties ? "empty" : "replace"}"`;
  const [them, places] = dropped.length === 1 ? ["it", "its place"] : ["them", "their places"];
  const share = `  - leave these rules to others, and manage only the program's own: set ownership: "shared"`;
  const head = `${where} already exists: ruleset ${deployed.id}, version ${deployed.version}, with ${plural(deployed.rules.length, "rule")}.`;
  const lacking =
    dropped.length === 0 ? [] : ["Not in the program:", ...dropped.map((rule) => `  - ${identityWords(rule)}`)];
  if (mode !== "fail")
    return [
      head,
      ...lacking,
      seeTextsLine(scope, deployed),
      `onExisting: ${JSON.stringify(mode)} does not drop ${mode === "adopt" ? "rules" : "every rule"}. Nothing was changed. To continue:`,
      `  - keep ${them}: add ${them} to \`rules\`, at ${places}, as that command prints ${them}`,
      `  - drop ${them}: set ${dropping}`,
      share,
    ].join("\n");
  return [
    head,
    ...lacking,
    ...(changed.length === 0
      ? []
      : [
          "Different in the program:",
          ...changed.map(({ rule, fields }) => `  ~ ${fields.join(", ")} of: ${identityWords(rule)}`),
        ]),
    seeTextsLine(scope, deployed),
    "Nothing was changed. To continue:",
    `  - take it over: set onExisting: "adopt", which changes rules and drops none, or ${dropping}`,
    share,
    `  - if this resource was renamed: add ${RENAMED} to its options; if it is being replaced, apply its changes first, then replace it`,
  ].join("\n");
}

function editedLines(edited: Takeover["changed"], display: Display): string[] {
  return edited.map(({ rule, fields }) => `  ~ ${fields.join(", ")} of: ${displayedRuleWords(rule, display)}`);
}

/** What the run was about to do when it found somebody else's change. */
export type Operation = "change" | "delete";

/** Changes of somebody else that a run undoes. */
export interface UndoneChanges {
  readonly version: string;
  readonly conflict: Conflict;
  readonly operation: Operation | "replacement";
  readonly display: Display;
}

/** What to do with the rules that somebody else created or edited, and their TypeScript; nothing when there are none. */
export function foreignChangeLines(what: string, conflict: Conflict, display: Display): string[] {
  const rules = pasteable(conflict);
  return rules.length === 0 ? [] : [`  - ${what}`, indented(pasteText(rules, display), "  ")];
}

/** Everything that somebody else changed, and what to do about it. */
export function conflictText(
  { subject, toDeclare, toKeep }: Words,
  { version, conflict, operation, display }: UndoneChanges,
): string {
  const { edited, removed, moved, description } = conflict;
  const own = edited.length + removed.length + moved.length > 0 || description !== undefined;
  const again = removed.length === 0 ? "" : ": the next `pulumi up` creates again what was deleted";
  const command = operation === "delete" ? "pulumi destroy` (or `up`)" : "pulumi up`";
  return [
    `${changedWords(subject, version)}, and this ${operation} would undo it:`,
    ...conflictLines(conflict, display),
    "Nothing was written. To continue:",
    ...foreignChangeLines(`keep it: ${toDeclare}`, conflict, display),
    ...(own
      ? [
          `  - undo edits of this stack's own rules: run \`pulumi refresh\`, review what it shows, then continue${again}`,
        ]
      : []),
    ...(operation !== "change" ? [`  - leave it as it is: \`pulumi up\` with onDelete: "keep"${toKeep} first`] : []),
    `  - overwrite it, for this one run: \`RULESETS_ON_CONFLICT=overwrite ${command}`,
  ].join("\n");
}

/** Everything that somebody else changed and that is overwritten as requested. */
export function overwriteText(
  { subject, toDeclare }: Words,
  { version, conflict, operation, display }: UndoneChanges,
): string {
  const toPaste = pasteable(conflict);
  return [
    `${changedWords(subject, version)}. onConflict is "overwrite", so this ${operation} undoes it:`,
    ...conflictLines(conflict, display),
    ...(toPaste.length === 0 ? [] : [`To restore it, ${toDeclare}:`, pasteText(toPaste, display)]),
  ].join("\n");
}

function changedWords(where: string, version: string): string {
  return `${where} (now version ${version}) was changed by somebody else since this stack last read it`;
}

function pasteable({ foreign, edited }: Conflict): DeployedRule[] {
  return [...foreign, ...edited.map(({ rule }) => rule)];
}

export function conflictLines(conflict: Conflict, display: Display): string[] {
  return [
    ...conflict.foreign.map((rule) => `  + ${displayedRuleWords(rule, display)}`),
    ...editedLines(conflict.edited, display),
    ...conflict.removed.map((ref) => `  - rule ${ref} was deleted`),
    ...conflict.moved.map((ref) => `  > rule ${ref} was moved`),
    ...(conflict.description === undefined
      ? []
      : [`  ~ the description became ${JSON.stringify(display.description(conflict.description))}`]),
  ];
}

/** Rules of somebody else that are left alone. */
export function foreignText(where: string, rules: readonly DeployedRule[], display: Display): string {
  const them =
    rules.length === 1
      ? "1 rule that this stack did not write; it stays"
      : `${String(rules.length)} rules that this stack did not write; they stay`;
  const lines = rules.map((rule) => `  - ${displayedRuleWords(rule, display)}`);
  return [`${where} contains ${them} as long as this ruleset is neither changed here nor refreshed:`, ...lines].join(
    "\n",
  );
}

/** Rules of others that the program now also declares, and what it changes in them. */
export function recognisedText(found: readonly (readonly [string, DeployedRule])[], wanted: KeyedRules): string {
  const names = found.map(([ref, rule]) => {
    const { [ref]: current = NO_RULE } = wanted.rules;
    const before = Rule.of(rule);
    const fields = before.changedFields(current);
    if (fields.length === 0) return current.isWrittenAs(before) ? ref : `${ref} (formatting only)`;
    return `${ref} (${fields.join(", ")} ${fields.length === 1 ? "changes" : "change"})`;
  });
  return `recognised at the service: ${names.join(", ")}`;
}

/** Why a delete keeps what was only taken over, and how to delete it anyway. */
export function keptRulesetText(where: string): string {
  return [
    `${where} was not deleted: this stack took it over because it was equal, and its state records no change since. No request was sent.`,
    "To continue:",
    "  - leave it: there is nothing to do",
    '  - delete it: declare it with onExisting: "adopt", run `pulumi up`, and delete it then',
  ].join("\n");
}

/** Why a delete keeps an empty ruleset that replaced the one that this stack managed. */
export function recreatedText(where: string, rulesetId: string): string {
  return (
    `${where} was deleted by somebody else since this stack last read it. The ruleset there now (${rulesetId}) does ` +
    "not belong to this stack, contains no rules, and stays. No request was sent."
  );
}

/** Why two resources of one program cannot manage the same ruleset. */
export function twoOwnersText(where: string, one: string, other: string): string {
  if (isRuleUrn(one) !== isRuleUrn(other))
    return isRuleUrn(one) ? wholeAndPartText(where, other, one) : wholeAndPartText(where, one, other);
  return `${where} has two owners in this program: ${[one, other].sort().join(" and ")}. To continue: keep one of them, or set ownership: "shared" on both.`;
}

/** Whether a URN is that of a single rule. */
function isRuleUrn(urn: string): boolean {
  return /:RulesetRule::/.test(urn);
}

/** Why a ruleset cannot have an owner of the whole as well as owners of single rules. */
function wholeAndPartText(where: string, whole: string, part: string): string {
  const shares = /:(PhaseEntrypoint|Ruleset)::/.test(whole);
  return [
    `${where} is owned as a whole by ${whole}, which would delete the rule of ${part}.`,
    "To continue:",
    ...(shares ? [`  - share it: set ownership: "shared" on ${whole}`] : []),
    "  - keep one of them, with every rule in it",
  ].join("\n");
}

export function occupiedError(text: string): RulesetsError {
  return new RulesetsError(text, { code: "OWNERSHIP_OCCUPIED" });
}
export function conflictError(text: string): RulesetsError {
  return new RulesetsError(text, { code: "OWNERSHIP_CONFLICT" });
}
