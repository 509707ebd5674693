import { isWithin } from "../../../analysis/index.js";
import { coreWords } from "../../../provider/kinds/waf-migration/readiness/words.js";
import { quotedRuleName } from "../../../provider/model/names.js";
import { explainWeakening } from "../../summarize/weakened.js";
import { isProtective } from "./phases.js";
import type { ManagedRun, Report, RuleLine, RulesetLine, UnreadPart, Where, Regression } from "./report.js";
import { ruleKey, whereOfAccount, whereOfZone } from "./scope.js";

interface Scope {
  readonly where: Where;
  readonly rulesets: readonly RulesetLine[];
  readonly unread: readonly UnreadPart[];
}

/** Rules and managed rulesets that are gone or do less, unless a finding on the rule is already reported. */
export function ruleRegressions(now: Report, before: Report, findings: readonly Regression[]): Regression[] {
  const reported = new Set(
    findings.flatMap(({ key }) => (key === undefined ? [] : [key.slice(0, key.lastIndexOf("/"))])),
  );
  const old = new Map(scopesOf(before).map((scope) => [scope.where.id, scope]));
  return scopesOf(now).flatMap(({ where, rulesets, unread }) => {
    const open = new Set(unread.map(({ phase }) => phase));
    // A part without a phase stands for all phases.
    if (open.has(undefined)) return [];
    const earlier = (old.get(where.id)?.rulesets ?? []).filter(({ phase }) => isProtective(phase) && !open.has(phase));
    return earlier.flatMap((was) => compareRulesets(where, was, rulesets, reported));
  });
}

function scopesOf({ zones, accounts }: Report): Scope[] {
  return [
    ...zones.flatMap((zone) => (zone.failure === undefined ? [{ ...zone, where: whereOfZone(zone) }] : [])),
    ...accounts.map((account) => ({ ...account, where: whereOfAccount(account) })),
  ];
}

function compareRulesets(
  where: Where,
  was: RulesetLine,
  rulesets: readonly RulesetLine[],
  reported: ReadonlySet<string>,
): Regression[] {
  const is = rulesets.find((one) => isSame(one, was));
  const { phase } = was;
  const managed = new Set(was.managed.map(({ rule }) => rule.ref));
  const rules = was.rules.filter(({ ref }) => !managed.has(ref) && !reported.has(ruleKey(where, was, ref)));
  return [
    ...lostRuns(was, is?.managed ?? []).map((message): Regression => ({ where, phase, level: "high", message })),
    ...lostRules(rules, is?.rules ?? [], phase).map((lost): Regression => ({ where, phase, level: "medium", ...lost })),
  ];
}

/** A recreated entry point is the same ruleset. */
function isSame(a: RulesetLine, b: RulesetLine): boolean {
  return a.kind === "custom" || b.kind === "custom" ? a.id === b.id : a.phase === b.phase;
}

function lostRuns({ managed, phase }: RulesetLine, now: readonly ManagedRun[]): string[] {
  return managed.flatMap((was) => {
    if (!was.rule.enabled) return [];
    const runs = now.filter(({ id }) => id === was.id);
    const is = runs.find(({ rule }) => rule.ref === was.rule.ref) ?? runs[0];
    if (is === undefined) return [`no rule executes ${was.name} anymore`];
    // A disabled rule is reported as a finding.
    if (!is.rule.enabled) return [];
    return [
      ...(isLessStrict(is, was)
        ? [`${was.name} was set to ${levelWords(was)}, and is now set to ${levelWords(is)}`]
        : []),
      ...narrowedWords(was, is, phase).map((words) => `${was.name} ${words}`),
    ];
  });
}

function isLessStrict(is: ManagedRun, was: ManagedRun): boolean {
  if (was.paranoiaLevel === undefined) return false;
  const action = (run: ManagedRun) => ({ action: run.action ?? "block" });
  return (
    (is.paranoiaLevel ?? 0) < was.paranoiaLevel ||
    (was.scoreThreshold !== undefined && (is.scoreThreshold ?? 0) > was.scoreThreshold) ||
    explainWeakening(action(was), action(is)) !== undefined
  );
}

function levelWords({ paranoiaLevel = 0, scoreThreshold, action }: ManagedRun): string {
  return coreWords({ paranoiaLevel, scoreThreshold, action });
}

function lostRules(
  before: readonly RuleLine[],
  now: readonly RuleLine[],
  phase: string,
): Pick<Regression, "rule" | "message">[] {
  const byRef = new Map(now.map((rule) => [rule.ref, rule]));
  const refs = new Set(before.map(({ ref }) => ref));
  const renamed = groupByContent(now.filter(({ ref }) => !refs.has(ref)));
  return before.flatMap((was) => {
    const is = byRef.get(was.ref) ?? renamed.get(contentKey(was))?.shift();
    // A removed skip rule weakens nothing, and what a skip rule now lets pass is reported as a finding.
    if (was.action === "skip" || explainWeakening(plain(was), undefined) === undefined) return [];
    const name = `the rule ${quotedRuleName(was)} (${was.action})`;
    return lossOf(was, is, phase).map((words) => ({ rule: ruleOf(was), message: `${name} ${words}` }));
  });
}

function lossOf(was: RuleLine, is: RuleLine | undefined, phase: string): string[] {
  if (is === undefined) return ["was removed"];
  const why = explainWeakening(plain(was), plain(is));
  return why === undefined ? narrowedWords(was, is, phase) : [`is weaker: ${why}`];
}

function ruleOf({ ref, action, description, expression }: RuleLine): NonNullable<Regression["rule"]> {
  return { ref, action, description, expression };
}

type Conditional = Pick<RuleLine, "expression">;

/** A rule that no longer matches all requests it matched before. */
function narrowedWords({ expression: was }: Conditional, { expression: is }: Conditional, phase: string): string[] {
  return was === is || isWithin(was, is, phase)
    ? []
    : [`no longer applies to all requests it used to: it now applies to ${is}, and applied to ${was} before`];
}

function plain({ action, enabled }: RuleLine): { readonly action: string; readonly enabled: boolean } {
  return { action, enabled };
}

/** Recognises a rule that was recreated under another ref. */
function contentKey({ action, description, expression }: RuleLine): string {
  return JSON.stringify([action, description, expression]);
}

function groupByContent(rules: readonly RuleLine[]): Map<string, RuleLine[]> {
  const found = new Map<string, RuleLine[]>();
  for (const rule of rules) found.set(contentKey(rule), [...(found.get(contentKey(rule)) ?? []), rule]);
  return found;
}
