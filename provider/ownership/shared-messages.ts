import type { DeployedRule } from "../model/ruleset.js";
import type { Conflict } from "./conflict.js";
import { conflictLines, foreignChangeLines, pasteText } from "./ruleset-messages.js";
import { displayedRuleWords, indented } from "./rule-text.js";
import type { Display } from "./display.js";
import type { ReleasedTo } from "./removal.js";

/** A ref of the program, and somebody else's rule that has it. */
export interface OccupiedRef {
  readonly ref: string;
  readonly rule: DeployedRule;
  /** The resource of this stack that owns the rule; somebody else has changed it since the stack last read it. */
  readonly owner?: string;
  /** The fields in which it must change, and `position` if it must move. */
  readonly differences: readonly string[];
}

/** Why rules cannot be added to a shared ruleset: their refs are already in use there. */
export function occupiedRefsText(where: string, occupied: readonly OccupiedRef[], display: Display): string {
  const [foreign, edited] = [
    occupied.filter(({ owner }) => owner === undefined),
    occupied.filter(({ owner }) => owner),
  ];
  const wordsOf = ({ rule, owner }: OccupiedRef): string =>
    `  - ${displayedRuleWords(rule, display)}${owner === undefined ? "" : `: moved here from ${owner}`}`;
  return [
    ...(foreign.length === 0
      ? []
      : [`${where} is shared and contains ${ruleOrRules(foreign)} of somebody else with a ref of this program:`]),
    ...foreign.map(wordsOf),
    ...(edited.length === 0
      ? []
      : [
          `${where} contains ${ruleOrRules(edited)} of this stack that somebody else has changed since it was last read:`,
        ]),
    ...edited.map(wordsOf),
    "A ref must be unique in its ruleset. No request was sent. To continue:",
    ...(foreign.length === 0 ? [] : ["  - keep both: give the program's rule another `ref`;"]),
    ...(edited.length === 0 ? [] : ["  - keep what was changed: write it into `rules`", pastedRules(edited, display)]),
    '  - take the existing rule over and change it: onExisting: "adopt".',
  ].join("\n");
}

function ruleOrRules(rules: readonly unknown[]): string {
  return rules.length === 1 ? "a rule" : "rules";
}

function pastedRules(occupied: readonly OccupiedRef[], display: Display): string {
  const rules = occupied.map(({ rule }) => rule);
  return indented(pasteText(rules, display), "  ");
}

/** Why two resources of one program that share a ruleset cannot both have a rule with the same ref. */
export function twoRefsText(where: string, ref: string, other: string): string {
  return `${JSON.stringify(ref)} is also the ref of a rule of ${other}, which shares ${where}. Give each rule its own ref.`;
}

/** Why it is ambiguous which ruleset a program means to share. */
export function ambiguousRulesetText(where: string, ids: readonly string[]): string {
  return [
    `${where} cannot be shared, because ${String(ids.length)} rulesets have that name and phase: ${ids.join(", ")}.`,
    "To continue, choose one of them, for example:",
    `  rulesetId: ${JSON.stringify(ids[0] ?? "")}`,
  ].join("\n");
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
export function joinText(joined: JoinSummary, display: Display): string {
  const { rulesetId, version, others, kept, changed, taken, equalRules } = joined;
  const stay =
    others === 1 ? "1 rule of others is left unchanged" : `${String(others)} rules of others are left unchanged`;
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
          ...taken.map((rule) => `  = ${displayedRuleWords(rule, display)}`),
        ]),
    ...(equalRules.length === 0
      ? []
      : [
          "  These are equal to a rule of this program under another ref. They stay, and the program's own is created alongside them; " +
            'to take one over, give the rule its ref; to take all of them over, set onExisting: "adopt".',
          ...equalRules.map((rule) => `  = ${displayedRuleWords(rule, display)}`),
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
    `${one ? "It" : "They"} may be somebody else's. To delete ${it}: declare ${it} with onExisting: "adopt", run \`pulumi up\`, then remove ${it}.`,
  ].join("\n");
}

/** Rules that stay because other resources of the stack own them too. */
export function keptForOthersText(kept: readonly ReleasedTo[], display: Display): string {
  return [
    kept.length === 1
      ? "1 rule belongs to another resource of this stack too, and is not deleted:"
      : `${String(kept.length)} rules belong to other resources of this stack too, and are not deleted:`,
    ...kept.map(({ rule, to }) => `  - ${displayedRuleWords(rule, display)}: ${to}`),
  ].join("\n");
}

/** Why nobody in a stack owns a rule that a resource released for another one. */
type WithoutOwner = "missing" | "edited";

/** Rules that a resource released for another one, and that may therefore belong to nobody. */
function noOwnerText(rules: readonly ReleasedTo[], why: WithoutOwner, display: Display): string {
  const one = rules.length === 1;
  const what = one ? "1 rule was" : `${String(rules.length)} rules were`;
  const reason: Readonly<Record<WithoutOwner, string>> = {
    missing: "which does not exist",
    edited: `and somebody else has changed ${one ? "it" : "them"} since`,
  };
  return [
    `${what} to move to another resource, ${reason[why]}: ${one ? "it stays" : "they stay"} in force without an owner in this stack.`,
    ...rules.map(({ rule, to }) => `  - ${displayedRuleWords(rule, display)}: ${to}`),
    why === "missing"
      ? "To continue: declare each with its ref; it keeps its ID. To delete one, declare it, run `pulumi up`, then remove it."
      : 'To continue: declare each with its ref and onExisting: "adopt"; it keeps its ID. To delete one, declare it so, run ' +
        "`pulumi up`, then remove it.",
  ].join("\n");
}

/** A rule that a resource released for another one. */
interface Released {
  readonly id: string;
  readonly to: string;
  /** Whether a run has reported that it has no owner. */
  readonly reported?: boolean;
}

/** Texts about existing rules that a resource had released and that nobody in the stack owns, unless an earlier run has reported them. */
export function noOwnerTexts(
  { unclear, edited }: { readonly unclear: readonly Released[]; readonly edited: readonly Released[] },
  existing: readonly DeployedRule[],
  display: Display,
): string[] {
  const textOf = (released: readonly Released[], why: WithoutOwner): string[] => {
    const found = withRules(
      released.filter(({ reported }) => reported !== true),
      existing,
    );
    return found.length === 0 ? [] : [noOwnerText(found, why, display)];
  };
  return [...textOf(unclear, "missing"), ...textOf(edited, "edited")];
}

function withRules(released: readonly Released[], existing: readonly DeployedRule[]): readonly ReleasedTo[] {
  const owners = new Map(released.map(({ id, to }) => [id, to]));
  return existing.flatMap((rule) => {
    const to = owners.get(rule.id);
    return to === undefined ? [] : [{ rule, to }];
  });
}

/** What happens to a rule that a resource released for another one, which does not have it. */
type OrphanOutcome = "deleted" | WithoutOwner;

/** What a change does with rules that a resource released for others, which do not have them. */
export function orphansText(
  rules: readonly { readonly rule: DeployedRule; readonly to: string; readonly outcome: OrphanOutcome }[],
  display: Display,
): string {
  const one = rules.length === 1;
  const texts: Readonly<Record<OrphanOutcome, (to: string) => string>> = {
    deleted: (to) => `${to} does not have it; it will be deleted`,
    missing: (to) => `${to} does not exist; it stays in force without an owner`,
    edited: () => "somebody else has changed it since; it stays in force without an owner",
  };
  return [
    one
      ? "1 rule was to move to another resource, in a run that did not finish:"
      : `${String(rules.length)} rules were to move to other resources, in a run that did not finish:`,
    ...rules.map(({ rule, to, outcome }) => `  - ${displayedRuleWords(rule, display)}: ${texts[outcome](to)}`),
    `A resource that is checked after this one may still declare ${one ? "it" : "them"}.`,
  ].join("\n");
}

/** Texts about existing rules that a resource had released and that other resources may have. */
export function releasedToOthersTexts(released: readonly Released[], existing: readonly DeployedRule[]): string[] {
  const found = withRules(released, existing);
  return found.length === 0 ? [] : [releasedToOthersText(found)];
}

/**
 * Rules that a deleted resource had released, and that another one may have. Only their refs are shown, because the resource
 * no longer knows whether they contain secrets.
 */
function releasedToOthersText(rules: readonly ReleasedTo[]): string {
  const one = rules.length === 1;
  return [
    one
      ? "1 rule was to move to another resource, which may have it, and is not deleted here:"
      : `${String(rules.length)} rules were to move to other resources, which may have them, and are not deleted here:`,
    ...rules.map(({ rule: { ref, id }, to }) => `  - ${JSON.stringify(ref)} (${id}): ${to}`),
    one
      ? 'It is deleted with that resource, unless it has onDelete: "keep".'
      : 'They are deleted with those resources, unless they have onDelete: "keep".',
    one
      ? "If that resource was never created, the rule stays in force without an owner."
      : "If one was never created, its rules stay in force without an owner.",
  ].join("\n");
}

/** Rules that a resource released for others when it was deleted before its replacement was created. */
export function releasedBeforeReplacementText(
  rules: readonly { readonly id: string; readonly ref: string; readonly to: string }[],
): string {
  const one = rules.length === 1;
  return [
    one
      ? "1 rule moves to another resource of this program, which has not taken it over yet:"
      : `${String(rules.length)} rules move to other resources of this program, which have not taken them over yet:`,
    ...rules.map(({ id, ref, to }) => `  - ${JSON.stringify(ref)} (${id}): ${to}`),
    `This resource was deleted before its replacement was created. If this run fails, run \`pulumi up\` again before you remove ` +
      `${one ? "the rule" : "the rules"} from the program; otherwise ${one ? "it stays" : "they stay"} in force without an owner.`,
  ].join("\n");
}

/** Why a resource cannot be deleted yet: rules of it move to other resources, which have not written them. */
export function notTakenOverText(
  where: string,
  rules: readonly { readonly ref: string; readonly to: string }[],
): string {
  return [
    `${where}: nothing was deleted, because rules move to resources of this program that have not taken them over yet:`,
    ...rules.map(({ ref, to }) => `  - ${JSON.stringify(ref)}: ${to}`),
    "To continue: run `pulumi up` again once those resources can be written.",
  ].join("\n");
}

/** What somebody changed in this program's rules between this run's read and its write. */
export function concurrentChangeText(
  { subject, keep }: { readonly subject: string; readonly keep: string },
  version: string,
  conflict: Conflict,
  { written, display }: { readonly written: number; readonly display: Display },
): string {
  const done = written === 1 ? "1 rule was" : `${String(written)} rules were`;
  return [
    `${subject} (now version ${version}) was changed by somebody else while this run wrote to it, and the next write would undo it:`,
    ...conflictLines(conflict, display),
    written === 0 ? "No rule was written. To continue:" : `${done} written, as recorded in the state. To continue:`,
    ...foreignChangeLines(keep, conflict, display),
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
    if (own.length === 0) return `${numbers} ${start === end ? "another's" : "others"}`;
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
