import { readEffect, type SkipTarget } from "../../core/simulator/effect.js";
import type { DeployedRule, Ruleset } from "../../client/index.js";
import type { Reach } from "../../core/analysis/index.js";
import { deadReferences } from "../../provider/validation/dead-references.js";
import { expiryOf } from "../../core/rules/written/expiry.js";
import { managedEffect, type ManagedEffect } from "./managed.js";
import type { Meanings } from "./meaning.js";
import { phaseWords } from "./phases.js";
import type { AuditFinding, Where } from "./report.js";
import { descriptionOf, findingKey, type Context } from "./scope.js";
import { joinNames, plural } from "../../core/model/words.js";

/** A finding, and what it weakens. */
export interface FindingWithImpact {
  readonly finding: AuditFinding;
  readonly phases: readonly string[];
  /** IDs of the affected zones; missing if all zones of the ruleset are affected. */
  readonly zones?: ReadonlySet<string>;
}

/** A rule in its ruleset. */
export interface RuleSubject {
  readonly rule: DeployedRule;
  readonly ruleset: Ruleset;
  readonly where: Where;
  /** Which requests it applies to, by zone. */
  readonly reaches: ReadonlyMap<string, Reach>;
  /** Names of the zones by their IDs. */
  readonly zoneNames: ReadonlyMap<string, string>;
  readonly meanings: Meanings;
  /** Whether it executes a custom ruleset. */
  readonly executesOwn: boolean;
}

/** All findings on one rule. */
export function findingsOf(subject: RuleSubject, context: Context): FindingWithImpact[] {
  const expiry = expiryOf(subject.rule, context.now, context.expiryWarningDays);
  // An expired rule does nothing else, and its end was intended.
  const ofExpiry =
    expiry === undefined
      ? []
      : [makeFinding(subject, context, { code: expiry.kind, severity: "info", message: expiry.text })];
  return expiry?.kind === "expired" ? ofExpiry : [...otherFindings(subject, context), ...ofExpiry];
}

function otherFindings(subject: RuleSubject, context: Context): FindingWithImpact[] {
  const { rule } = subject;
  const isOff = rule.enabled === false;
  const dead = isOff ? [] : deadFindings(subject, context);
  if (rule.action === "skip")
    return isOff ? [] : [...skipFindings(subject, context), ...dead, ...meaningFindings(subject, context)];
  if (rule.action === "execute" && !subject.executesOwn) {
    const effect = managedOf(subject, context);
    const own = isOff
      ? [
          makeFinding(subject, context, {
            code: "managed-ruleset-off",
            severity: "error",
            message: `${effect.run.name} does not run: the rule that executes it is disabled`,
          }),
        ]
      : managedFindings(subject, effect, context);
    return [...own, ...dead, ...(isOff ? [] : meaningFindings(subject, context))];
  }
  if (isOff)
    return [
      makeFinding(subject, context, {
        code: "disabled-rule",
        severity: "info",
        message: `it is disabled: ${rule.action}${whenText(subject, context)}`,
      }),
    ];
  return meaningFindings(subject, context);
}

/** Overrides and entries of skip lists that name nothing. */
function deadFindings(subject: RuleSubject, context: Context): FindingWithImpact[] {
  const dead = deadReferences(subject.rule, { now: context.named });
  if (dead.length === 0) return [];
  const message = dead.map((one) => one.message).join("; ");
  // Nothing is weakened that the effect of the other overrides does not show.
  const found: Found = { code: "dead-override", severity: "warning", message, amount: dead.length };
  return [{ ...makeFinding(subject, context, found), phases: [] }];
}

/** The managed ruleset that a rule executes, as it runs. */
export function managedOf({ rule, ruleset: { phase }, reaches }: RuleSubject, context: Context): ManagedEffect {
  const id = rule.actionParameters?.id ?? "";
  return managedEffect(rule, {
    phase,
    expression: context.hide(rule.expression ?? ""),
    reach: widestReach(reaches),
    ruleset: context.managed.get(id.slice(id.lastIndexOf("/") + 1)),
  });
}

/** The widest reach of a rule in any of its zones. */
function widestReach(reaches: ReadonlyMap<string, Reach>): Reach {
  const all = [...reaches.values()].filter((reach) => reach !== "none");
  if (all.length === 0) return reaches.size === 0 ? "some" : "none";
  return all.every((reach) => reach === "every") ? "every" : "some";
}

function managedFindings(subject: RuleSubject, effect: ManagedEffect, context: Context): FindingWithImpact[] {
  const { run, stopping, logging, off, logged, lowered } = effect;
  const of = run.rules === undefined ? "" : ` of ${String(run.rules.total)}`;
  const some = (names: readonly string[]): string => `${String(names.length)}${of} rules of ${run.name}`;
  const found = (one: Found): FindingWithImpact => makeFinding(subject, context, one);
  if (stopping + logging === 0)
    return [
      found({ code: "managed-ruleset-off", severity: "error", message: `every rule of ${run.name} is switched off` }),
    ];
  const why =
    run.paranoiaLevel === undefined
      ? "an override sets all its rules to log"
      : "nothing stops a request at the threshold";
  return [
    ...changed("managed-rules-off", off, `overrides switch off ${some(off)}`),
    ...(stopping === 0
      ? [
          found({
            code: "managed-rules-logged",
            severity: "warning",
            message: `${run.name} only logs: ${why}`,
            amount: run.rules?.total,
          }),
        ]
      : changed("managed-rules-logged", logged, `overrides set ${some(logged)} to only log`)),
    ...changed("sensitivity-lowered", lowered, `overrides lower the sensitivity of ${some(lowered)}`),
    ...(run.reach === "some"
      ? [
          found({
            code: "managed-for-some",
            severity: "info",
            message: `${run.name} runs only for some requests${whenText(subject, context)}`,
          }),
        ]
      : []),
  ];

  /** That overrides change some rules, which are named. */
  function changed(code: Found["code"], names: readonly string[], what: string): FindingWithImpact[] {
    if (names.length === 0) return [];
    return [found({ code, severity: "warning", message: `${what}: ${joinNames(names)}`, amount: names.length })];
  }
}

function skipFindings(subject: RuleSubject, context: Context): FindingWithImpact[] {
  const { rule, reaches, zoneNames, where } = subject;
  const target = targetOf(rule);
  const what = target === undefined ? "other rules" : targetWords(target, context);
  const everywhere = [...reaches].flatMap(([id, reach]) => (reach === "every" ? [id] : []));
  const phases = weakenedBy(target, subject.ruleset.phase);
  const undescribed = (rule.description ?? "").trim() === "";
  const found = (one: Found): FindingWithImpact => ({ ...makeFinding(subject, context, one), phases });
  const of = where.level === "zone" ? "" : ` of ${joinNames(everywhere.map((id) => zoneNames.get(id) ?? id))}`;
  const skip =
    everywhere.length > 0
      ? {
          ...found({
            code: "skip-for-everybody",
            severity: "error",
            message: `every request${of} skips ${what}`,
            amount: everywhere.length,
          }),
          zones: new Set(everywhere),
        }
      : found({ code: "skip", severity: "info", message: `skips ${what}${whenText(subject, context)}` });
  const unclear = `skips ${what} and does not say why: the rule has no description`;
  return [
    skip,
    ...(undescribed ? [found({ code: "skip-without-description", severity: "warning", message: unclear })] : []),
  ];
}

/** The phases in which a skip rule disables rules. */
function weakenedBy(target: SkipTarget | undefined, phase: string): string[] {
  if (target === undefined) return [phase];
  const { phases, products } = target;
  const isElsewhere = phases.length + products.length > 0 && !isHere(target);
  return [...new Set([...(isElsewhere ? [] : [phase]), ...phases])];
}

function isHere({ restOfRuleset, restOfPhase, rulesets, rules }: SkipTarget): boolean {
  return restOfRuleset || restOfPhase || rulesets.length + rules.size > 0;
}

function targetOf({ action, actionParameters = {} }: DeployedRule): SkipTarget | undefined {
  const effect = readEffect(action, actionParameters);
  return effect.kind === "skip" ? effect.target : undefined;
}

function targetWords(
  { restOfRuleset, restOfPhase, phases, rulesets, rules, products }: SkipTarget,
  { nameOf }: Context,
): string {
  const parts = [
    ...(restOfRuleset ? ["the rest of its ruleset"] : []),
    ...(restOfPhase ? ["the rest of the phase"] : []),
    ...phases.map((phase) => `the phase ${phaseWords(phase)}`),
    ...rulesets.map(nameOf),
    ...[...rules].map(([id, list]) => `${plural(list.length, "rule")} of ${nameOf(id)}`),
    ...(products.length === 0 ? [] : [`the products ${products.join(", ")}`]),
  ];
  return parts.length === 0 ? "nothing" : joinNames(parts, parts.length);
}

/** A rule that never runs is only worth knowing if another one does the same, or if it is not known what it does. */
function meaningFindings(subject: RuleSubject, context: Context): FindingWithImpact[] {
  const found = subject.meanings.get(subject.rule.id) ?? [];
  return found.map(({ code, message, sameAction }) => {
    const severity = sameAction === true || code === "invalid-expression" ? "info" : "warning";
    // A rule without effect weakens the protection only if it would have stopped something, which the cell takes into account.
    return { ...makeFinding(subject, context, { code, severity, message }), phases: [] };
  });
}

function whenText({ rule: { expression = "true" } }: RuleSubject, { hide }: Context): string {
  return expression === "true" ? "" : ` when ${hide(expression)}`;
}

type Found = Pick<AuditFinding, "code" | "severity" | "message" | "amount">;

function makeFinding({ rule, ruleset, where }: RuleSubject, { hide }: Context, found: Found): FindingWithImpact {
  const finding: AuditFinding = {
    ...found,
    key: findingKey(where, ruleset, found.code, rule.ref),
    where,
    phase: ruleset.phase,
    ruleset: { id: ruleset.id, name: ruleset.name },
    rule: {
      ref: rule.ref,
      action: rule.action,
      description: hide(descriptionOf(rule)),
      expression: hide(rule.expression ?? ""),
    },
    message: hide(found.message),
  };
  return { finding, phases: [ruleset.phase] };
}
