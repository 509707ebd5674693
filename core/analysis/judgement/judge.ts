import { compare } from "../compare/compare.js";
import {
  openForGate,
  weakensOf,
  type Certainty,
  type Comparison,
  type CompareVerdict,
  type UndecidedChange,
  type Weakens,
} from "../compare/result.js";
import type { NameOf } from "../../simulator/managed-rulesets.js";
import { quotedRuleName } from "../../simulator/names.js";
import type { ListsInput } from "../../simulator/lists.js";
import type { RuleInput } from "../../simulator/ruleset-input.js";
import { turnOffExpired } from "../from-now.js";
import { firmnessOf } from "../order/actions.js";
import { movedRefs } from "../../simulator/moves.js";
import { changeReasons, orderOfReasons, type ChangeReason, type ListsEdit } from "./rule-change.js";

export interface JudgeInput {
  readonly phase: string;
  /** The kind of the ruleset. @default "zone" */
  readonly kind?: string;
  /** The rules before and after, in their order; a rule is recognised by its ref. */
  readonly before: readonly RuleInput[];
  readonly after: readonly RuleInput[];
  /** The lists of the account whose items are known, before and after. @default none */
  readonly lists?: ListsEdit;
  /** Whether the ruleset has other rules that are not known here, before, between or after these. @default false */
  readonly isPart?: boolean;
  /** Refs of rules that move among rules that are not known here. */
  readonly moved?: readonly string[];
  /** The host of example requests, where rules leave it open. @default "www.example.com" */
  readonly host?: string;
  /** In seconds since 1970: only requests from then on count. @default any time */
  readonly now?: number | undefined;
  /** Limit of the search, in single steps. @default that of `compare` */
  readonly steps?: number;
  /** @default the built-in names */
  readonly managedName?: NameOf;
}

/** What an edit does to one rule. */
export interface JudgedRule {
  readonly ref: string;
  readonly weakens: Weakens;
  /** Whether it moves, relative to the other rules. */
  readonly isMoved: boolean;
  /** What changes, in words; empty if nothing of it has an order. */
  readonly reasons: readonly ChangeReason[];
}

export interface Judgement {
  readonly weakens: Weakens;
  /** What happens to requests. */
  readonly comparison: Comparison;
  /** Rules that differ, in the order of the new list, then those that are gone. */
  readonly rules: readonly JudgedRule[];
  /** What could not be decided, in any direction, each with the reason. */
  readonly undecided: readonly UndecidedChange[];
  /** What of it may weaken the protection: if there is any, a gate must not pass. */
  readonly notJudged: readonly UndecidedChange[];
}

/**
 * Judges an edit of a ruleset: the one answer to whether it weakens the protection, for previews, comparisons and gates. What
 * happens to requests decides; what an edit of a single rule changes only explains it.
 *
 * @example
 * judge({ phase: "http_request_firewall_custom", before: [{ action: "block", expression: "ssl" }], after: [] }).weakens; // "yes"
 */
export function judge({
  phase,
  kind = "zone",
  before,
  after,
  lists = {},
  isPart = false,
  moved = [],
  host,
  now,
  steps,
  managedName,
}: JudgeInput): Judgement {
  const side = (rules: readonly RuleInput[], known: ListsInput | undefined) => [
    { kind: isPart ? "custom" : kind, phase, rules, ...(known === undefined ? {} : { lists: known }) },
  ];
  // What others do matters to a rule only while it acts.
  const inForce = (rules: readonly RuleInput[]): readonly RuleInput[] =>
    isPart ? turnOffExpired(rules, now, steps) : rules;
  const [was, is] = [inForce(before), inForce(after)];
  const compared = compare({
    before: side(was, lists.before),
    after: side(is, lists.after),
    isPart,
    now,
    ...(host === undefined ? {} : { host }),
    ...(steps === undefined ? {} : { steps }),
  });
  const own = new Set(movedAmong(before, after));
  const comparison = isPart
    ? withOthers(compared, [
        ...amongOthers({ from: was, to: is, moved: new Set([...own, ...moved]), phase, direction: "looser" }),
        ...amongOthers({ from: is, to: was, moved: new Set([...own, ...moved]), phase, direction: "stricter" }),
      ])
    : compared;
  const { undecided } = comparison;
  const weakens = weakensOf(comparison);
  const notJudged = openForGate(undecided);
  const open = new Set(notJudged.map(({ ref }) => ref));
  const rules = changedRules(before, after).map(({ ref, was, is }): JudgedRule => {
    const reasons = changeReasons({
      before: was,
      after: is,
      phase,
      lists,
      ...(managedName === undefined ? {} : { nameOf: managedName }),
    });
    const isHidden = was?.opaque !== is?.opaque && was !== undefined && is !== undefined;
    const isUndecided = open.has(ref) || isHidden;
    return { ref, reasons, isMoved: own.has(ref), weakens: weakensBy(reasons, weakens, { isUndecided, isHidden }) };
  });
  return { weakens, comparison, rules: blamed(rules, weakens), undecided, notJudged };
}

/** A comparison that also leaves open what other rules, which are not known here, would do. */
function withOthers(comparison: Comparison, more: readonly UndecidedChange[]): Comparison {
  if (more.length === 0) return comparison;
  const [looser, stricter] = (["looser", "stricter"] as const).map((one) =>
    comparison[one] !== "shown" && more.some(({ direction }) => direction === one) ? "undecided" : comparison[one],
  ) as [Certainty, Certainty];
  const verdict: CompareVerdict = looser === "undecided" || stricter === "undecided" ? "unknown" : comparison.verdict;
  const isShown = ({ direction }: UndecidedChange): boolean =>
    direction !== "other" && comparison[direction] === "shown";
  const undecided = [...comparison.undecided, ...more.filter((one) => !isShown(one))];
  return { ...comparison, looser, stricter, verdict, undecided };
}

/** Whether one rule is to blame, as far as that is known of one with a part that is hidden here. If the edit as a whole weakens nothing, no rule of it does. */
function weakensBy(
  reasons: readonly ChangeReason[],
  whole: Weakens,
  { isUndecided, isHidden }: { readonly isUndecided: boolean; readonly isHidden: boolean },
): Weakens {
  if (whole === "no") return "no";
  switch (orderOfReasons(reasons)) {
    case "looser":
      return whole;
    case "mixed":
      return whole === "yes" && !isHidden ? "yes" : "unknown";
    case "same":
    case "stricter":
      return isUndecided ? "unknown" : "no";
  }
}

/** If what no rule changes by itself weakens the whole, it is a move, otherwise a rule that comes before others. */
function blamed(rules: readonly JudgedRule[], whole: Weakens): readonly JudgedRule[] {
  if (whole === "no" || rules.some(({ weakens }) => weakens !== "no")) return rules;
  const isToBlame = rules.some(({ isMoved }) => isMoved)
    ? ({ isMoved }: JudgedRule) => isMoved
    : ({ reasons }: JudgedRule) => reasons.length > 0;
  return rules.map((rule) => (isToBlame(rule) ? { ...rule, weakens: whole } : rule));
}

interface ChangedRule {
  readonly ref: string;
  readonly was: RuleInput | undefined;
  readonly is: RuleInput | undefined;
}

function changedRules(before: readonly RuleInput[], after: readonly RuleInput[]): readonly ChangedRule[] {
  const [old, fresh] = [byRef(before), byRef(after)];
  return Array.from(new Set([...fresh.keys(), ...old.keys()]), (ref) => ({
    ref,
    was: old.get(ref),
    is: fresh.get(ref),
  }));
}

function byRef(rules: readonly RuleInput[]): ReadonlyMap<string, RuleInput> {
  return new Map(rules.map((rule, index) => [rule.ref ?? `#${String(index)}`, rule]));
}

const AMONG_OTHERS =
  "what it does to requests that other rules of the ruleset would stop, or exempt, is not known here";
const DECIDES_AMONG_OTHERS = "the rules around it, which are not in this resource";

interface AmongOthers {
  readonly from: readonly RuleInput[];
  readonly to: readonly RuleInput[];
  readonly moved: ReadonlySet<string>;
  readonly phase: string;
  /** What the rules of `to` may do to requests that others would treat otherwise. */
  readonly direction: "looser" | "stricter";
}

/**
 * Rules whose place among unknown rules matters: one that moves, and one whose action is weaker than that of a later rule, which
 * would stop the request without it.
 */
function amongOthers({ from, to, moved, phase, direction }: AmongOthers): readonly UndecidedChange[] {
  const old = byRef(from);
  return to.flatMap((rule, index): UndecidedChange[] => {
    const { ref, action, expression, enabled = true } = rule;
    const was = old.get(ref ?? "");
    const isMild = endsRequests(rule) && firmnessOf(action) < firmnessOf("block");
    const preempts = isMild && (was?.enabled === false || was?.action !== action || was.expression !== expression);
    if (!enabled || (!preempts && (action === "log" || !moved.has(ref ?? "")))) return [];
    const name = quotedRuleName(rule, `rule ${String(index + 1)} of ${phase}`);
    return [{ rule: name, ref, direction, why: AMONG_OTHERS, decidedBy: DECIDES_AMONG_OTHERS }];
  });
}

/** The rules that are no longer in the same order as their neighbours. */
function movedAmong(before: readonly RuleInput[], after: readonly RuleInput[]): readonly string[] {
  const [old, fresh] = [byRef(before), byRef(after)];
  return movedRefs(
    Array.from(old.keys()).filter((ref) => fresh.has(ref)),
    Array.from(fresh.keys()).filter((ref) => old.has(ref)),
  );
}

/** Whether a rule ends the processing of a request, so that later rules do not see it. */
function endsRequests({ action }: RuleInput): boolean {
  return firmnessOf(action) > firmnessOf("score") && action !== "execute" ? true : action === "redirect";
}
