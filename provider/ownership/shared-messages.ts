import type { Scope } from "../../core/model/ids.js";
import type { DeployedRule, Ruleset } from "../../core/model/ruleset.js";
import type { Conflict } from "./conflict.js";
import { displayedRuleWords, identityWords, seeTextsLine } from "./rule-text.js";
import { conflictLines, foreignChangeLines, RENAMED } from "./ruleset-messages.js";
import type { Display, Words } from "./words.js";

/** A ref of the program, and somebody else's rule that has it. */
export interface OccupiedRef {
  readonly ref: string;
  readonly rule: DeployedRule;
  /** The resource of this stack that owns the rule; somebody else has changed it since the stack last read it. */
  readonly owner?: string;
  /** The fields in which it must change, and `position` if it must move. */
  readonly differences: readonly string[];
}

/** Where refs are in use, and who wants them. */
interface OccupiedIn {
  readonly scope: Scope;
  readonly ruleset: Pick<Ruleset, "id" | "version">;
  /** Whether the resource is new, so that it may be a renamed one. */
  readonly isNew: boolean;
}

/**
 * Why rules cannot be added to a shared ruleset: their refs are already in use there.
 * @param where the ruleset
 */
export function occupiedRefsText(
  where: string,
  { toDeclare }: Pick<Words, "toDeclare">,
  occupied: readonly OccupiedRef[],
  { scope, ruleset, isNew }: OccupiedIn,
): string {
  const [foreign, edited] = [
    occupied.filter(({ owner }) => owner === undefined),
    occupied.filter(({ owner }) => owner),
  ];
  const wordsOf = ({ rule, owner, differences }: OccupiedRef): string =>
    `  - ${identityWords(rule)}: differs in ${differences.join(", ")}${owner === undefined ? "" : `; moved here from ${owner}`}`;
  return [
    ...(foreign.length === 0
      ? []
      : [`${where} already has ${ruleOrRules(foreign)} of somebody else with a ref of this program:`]),
    ...foreign.map(wordsOf),
    ...(edited.length === 0
      ? []
      : [
          `${where} contains ${ruleOrRules(edited)} of this stack that somebody else has changed since it was last read:`,
        ]),
    ...edited.map(wordsOf),
    seeTextsLine(scope, ruleset),
    "A ref must be unique in its ruleset. Nothing was written. To continue:",
    ...(foreign.length === 0 ? [] : ["  - keep both: give the program's rule another `ref`"]),
    `  - keep what is there: ${toDeclare}, as that command prints it`,
    `  - take the existing rule over and change it: onExisting: "adopt"`,
    ...(isNew ? [`  - if this resource was renamed: add ${RENAMED} to its options`] : []),
  ].join("\n");
}

function ruleOrRules(rules: readonly unknown[]): string {
  return rules.length === 1 ? "a rule" : "rules";
}

/** Why it is ambiguous which ruleset a program means to share. */
export function ambiguousRulesetText(where: string, ids: readonly string[]): string {
  return (
    `${where} cannot be shared, because ${String(ids.length)} rulesets have that name and phase: ${ids.join(", ")}. ` +
    `To continue: choose one of them by its ID, such as rulesetId: ${JSON.stringify(ids[0] ?? "")}.`
  );
}

/** What a resource finds when it is created in a ruleset that others share. */
export interface JoinSummary {
  readonly rulesetId: string;
  readonly version: string;
  readonly others: number;
  /** Existing rules that belong to the program from now on. */
  readonly kept: readonly DeployedRule[];
  /** Those of them that the program changes. */
  readonly changed: readonly { readonly rule: DeployedRule; readonly fields: readonly string[] }[];
  /** Those of them that may belong to somebody else: a delete keeps them. */
  readonly taken: readonly DeployedRule[];
  /** Rules of others that equal a rule of the program, which is created alongside them. */
  readonly equalRules: readonly DeployedRule[];
}

/** What happens when a resource is created in a shared ruleset. */
export function joinText(joined: JoinSummary): string {
  const { rulesetId, version, others, kept, changed, taken, equalRules } = joined;
  const stay = others === 1 ? "1 other rule is left unchanged" : `${String(others)} other rules are left unchanged`;
  const keeps = kept.length === 0 ? "" : `, ${String(kept.length - changed.length)} kept`;
  const changes = changed.length === 0 ? "" : `, ${String(changed.length)} changed`;
  return [
    `shares ${rulesetId}, version ${version}: ${stay}${keeps}${changes}`,
    ...changed.map(({ rule, fields }) => `  ~ ${rule.ref}: ${fields.join(", ")}`),
    ...(taken.length === 0
      ? []
      : [
          "  These already exist with a ref of this program and the same content. They may be somebody else's: a delete " +
            'removes them only after this stack has changed them, or with onExisting: "adopt".',
          ...taken.map((rule) => `  = ${identityWords(rule)}`),
        ]),
    ...(equalRules.length === 0
      ? []
      : [
          "  These are equal to a rule of this program under another ref. They stay, and the program's own is created alongside them; " +
            'to take one over, give the rule its ref; to take all of them over, set onExisting: "adopt".',
          ...equalRules.map((rule) => `  = ${identityWords(rule)}`),
        ]),
  ].join("\n");
}

/** Rules that a program no longer declares and that are kept, because they were only taken over. */
export function keptRulesText(where: string, rules: readonly DeployedRule[], display: Display): string {
  const one = rules.length === 1;
  const what = one ? "a rule is kept, because it was" : "rules are kept, because they were";
  const it = one ? "it" : "them";
  return [
    `${where}: ${what} only taken over for equal content and not changed since:`,
    ...rules.map((rule) => `  - ${displayedRuleWords(rule, display)}`),
    `${one ? "It" : "They"} may be somebody else's. To continue: leave ${it}; or declare ${it} with onExisting: "adopt", run \`pulumi up\`, and remove ${it} then.`,
  ].join("\n");
}

/** Why a delete is not sent: what replaces the resource may be one that this run failed to create. */
export function notReplacedText(subject: string, created: string): string {
  return (
    `${subject}: nothing was deleted, because this run could not create ${created} in the same ruleset, which may replace it. ` +
    "To continue: fix that error and run `pulumi up` again."
  );
}

/** What somebody changed in this program's rules between this run's read and its write. */
export function concurrentChangeText(
  { subject, toDeclare }: Pick<Words, "subject" | "toDeclare">,
  version: string,
  conflict: Conflict,
  { written, display }: { readonly written: number; readonly display: Display },
): string {
  const done = written === 1 ? "1 rule was" : `${String(written)} rules were`;
  return [
    `${subject} (now version ${version}) was changed by somebody else while this run wrote to it, and the next write would undo it:`,
    ...conflictLines(conflict, display),
    written === 0 ? "No rule was written. To continue:" : `${done} written, as recorded in the state. To continue:`,
    ...foreignChangeLines(`keep it: ${toDeclare}`, conflict, display),
    "  - undo it: run `pulumi refresh`, review what it shows, then `pulumi up`",
    "  - overwrite it, for this one run: `RULESETS_ON_CONFLICT=overwrite pulumi up`",
  ].join("\n");
}

/** A rule of a shared ruleset, in order, as a preview names it. */
interface Interleaved {
  /** The program's name for the rule; undefined for a rule of somebody else. */
  readonly own: string | undefined;
}

const LONGEST = 9;

/** Where a program's rules are among those of others: `1–2 others, 3 "block admin" (yours), 4–9 others`. */
export function interleavingText(rules: readonly Interleaved[]): string {
  const runs = runsOf(rules).map(({ start, end, own }) => {
    const numbers = start === end ? String(start) : `${String(start)}–${String(end)}`;
    if (own.length === 0) return `${numbers} ${start === end ? "other" : "others"}`;
    return own.length === 1 ? `${numbers} ${own[0] ?? ""} (yours)` : `${numbers} yours`;
  });
  if (runs.length === 0) return "no rules";
  if (runs.length <= LONGEST) return runs.join(", ");
  return [...runs.slice(0, LONGEST - 1), `… ${runs.at(-1) ?? ""}`].join(", ");
}

interface Run {
  readonly start: number;
  end: number;
  readonly own: string[];
}

function runsOf(rules: readonly Interleaved[]): Run[] {
  const runs: Run[] = [];
  rules.forEach(({ own }, index) => {
    const run = runs.at(-1);
    const joins = run !== undefined && run.own.length > 0 === (own !== undefined);
    if (joins) run.end = index + 1;
    const current = joins ? run : { start: index + 1, end: index + 1, own: [] };
    if (!joins) runs.push(current);
    if (own !== undefined) current.own.push(own);
  });
  return runs;
}
