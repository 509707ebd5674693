import type { RulesetInput } from "../simulator/ruleset-input.js";
import { proved, type AnalysisFinding, type Undecided } from "./checks/finding.js";
import { checkLateSkips } from "./checks/late-skip.js";
import { checkOrder } from "./checks/order.js";
import { analyseExpression, type ExpressionFindings } from "./checks/expression.js";
import { checkRedirectLoop } from "./checks/redirect-loop.js";
import { checkTexts } from "./checks/texts.js";
import { Translator } from "./formula/translate.js";
import { fieldsOf, mayBeRewritten, rewrittenBefore, withUnknownRewrites } from "./program/phase-fields.js";
import { readRulesets, type AnalysedRuleset } from "./program/rule.js";
import { stepsOf } from "./program/steps.js";
import { AnalysisContext } from "./analysis-context.js";
import { rulesetsOfZone, zoneIds } from "./zones.js";

export interface AnalyseInput {
  /** Entry points of an account and its zones, and custom rulesets, in a program's notation or the API's. */
  readonly rulesets: readonly RulesetInput[];
  /** Whether there may be rulesets that are not given, so that nothing is assumed about their rules. @default false */
  readonly isPart?: boolean;
  /**
   * Limit of the search, in single steps; what is not decided by then is reported as unknown. @default 50,000,000, some seconds
   */
  readonly steps?: number;
}

/** The findings, and the questions that could not be decided. */
export interface Analysis {
  readonly findings: readonly AnalysisFinding[];
  readonly undecided: readonly Undecided[];
}

/**
 * Analyses rules, each alone and all together: which never run, which are equal, and which of their parts have no effect.
 * Makes no requests, and reports only what is proved, or shown by a request that the evaluator has confirmed.
 *
 * @example
 * analyse({ rulesets: [{ kind: "zone", phase: "http_request_firewall_custom", rules }] });
 * // [{ code: "covered", severity: "warning", verdict: "proved", rule: { ref: "b", … }, by: [{ ref: "a", … }], message: "…" }]
 */
export function analyse(input: AnalyseInput): readonly AnalysisFinding[] {
  return analyseFully(input).findings;
}

/** Analyses rules, and also returns what could not be decided. */
export function analyseFully({ rulesets, isPart = false, steps = 50_000_000 }: AnalyseInput): Analysis {
  const read = readRulesets(rulesets);
  const context = new AnalysisContext(steps);
  const own = checkEach(read, context, isPart);
  const together = zoneIds(read).map((zone) => checkZone(rulesetsOfZone(read, zone), context, isPart));
  const findings = [...own.findings, ...together.flatMap((one) => one.findings)];
  const undecided = [...own.undecided, ...together.flatMap((one) => one.undecided)];
  return { findings: inOrder(unique(findings), read), undecided: unique(undecided) };
}

/** Checks each expression by itself; equal texts in the same phase are checked once. */
function checkEach(rulesets: readonly AnalysedRuleset[], context: AnalysisContext, isPart: boolean): Analysis {
  const findings: AnalysisFinding[] = [];
  const undecided: Undecided[] = [];
  const byPhase = new Map<string, Map<string | undefined, ExpressionFindings>>();
  for (const { phase, rules } of rulesets) {
    const seen = byPhase.get(phase) ?? new Map<string | undefined, ExpressionFindings>();
    byPhase.set(phase, seen);
    const rewritten = rewrittenBefore(phase, rulesets);
    const isOpen = isPart && mayBeRewritten(phase, rulesets);
    const known = isOpen ? withUnknownRewrites(rewritten) : rewritten;
    const translator = new Translator(context.terms, fieldsOf(phase, known));
    for (const rule of rules) {
      const { place, condition, fault, isOn } = rule;
      if (fault !== undefined) findings.push({ ...proved("invalid-expression", fault), rule: place });
      if (condition === undefined || !isOn) continue;
      const found = seen.get(place.expression) ?? analyseExpression(condition, context, translator);
      seen.set(place.expression, found);
      findings.push(...found.findings.map((finding) => ({ ...finding, rule: place })));
      undecided.push(...found.undecided.map((code) => ({ code, rule: place })));
      if (found.neverMatches) continue;
      const loops = checkRedirectLoop(rule, translator, { context, rules });
      findings.push(...checkTexts(condition, place), ...loops);
    }
  }
  return { findings, undecided };
}

function checkZone(rulesets: readonly AnalysedRuleset[], context: AnalysisContext, isPart: boolean): Analysis {
  const steps = stepsOf(rulesets, context, { isComplete: !isPart });
  const order = checkOrder(steps, context);
  return { findings: [...checkLateSkips(steps), ...order.findings], undecided: order.undecided };
}

function unique<T extends AnalysisFinding | Undecided>(findings: readonly T[]): readonly T[] {
  const seen = new Map<string, T>();
  for (const finding of findings) {
    const { phase, level, ruleset, index } = finding.rule;
    const more = "message" in finding ? finding.message : "";
    seen.set(JSON.stringify([finding.code, phase, level, ruleset, index, more]), finding);
  }
  return Array.from(seen.values());
}

/** In the order in which the rules were given. */
function inOrder(
  findings: readonly AnalysisFinding[],
  rulesets: readonly AnalysedRuleset[],
): readonly AnalysisFinding[] {
  if (findings.length < 2) return findings;
  const order = new Map(rulesets.flatMap(({ rules }) => rules).map(({ place }, index) => [place, index]));
  return findings.toSorted((a, b) => (order.get(a.rule) ?? 0) - (order.get(b.rule) ?? 0));
}
