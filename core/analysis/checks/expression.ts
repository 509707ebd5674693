import type { Condition, Combination } from "../../language/ast.js";
import { printCondition } from "../../language/print/index.js";
import { not, type Formula } from "../formula/formula.js";
import type { Translator } from "../formula/translate.js";
import type { AnalysisContext } from "../analysis-context.js";
import { containedMembers } from "./contained.js";
import type { FindingCode } from "../../language/index.js";
import { proved, type ExpressionFinding } from "./finding.js";
import { explainNever } from "./reasons.js";

export interface ExpressionFindings {
  readonly findings: readonly ExpressionFinding[];
  readonly undecided: readonly FindingCode[];
  readonly neverMatches: boolean;
}

/** Expressions with more parts are not searched for redundant parts. */
const MOST_PARTS = 40;

/** Checks an expression by itself. */
export function analyseExpression(
  condition: Condition,
  context: AnalysisContext,
  translator: Translator,
): ExpressionFindings {
  const formula = translator.translate(condition);
  const answer = context.solve(formula);
  if (answer.kind === "unsat") {
    const message = `no request matches: ${explainNever(condition, context, translator)}`;
    return { findings: [proved("never-matches", message)], undecided: [], neverMatches: true };
  }
  const members = containedMembers(condition);
  if (isTrue(condition)) return { findings: members, undecided: [], neverMatches: false };
  const always = context.decideAlways(formula);
  if (always === "always") {
    const message = "every request matches; write `true` if that is intended";
    return { findings: [proved("always-matches", message), ...members], undecided: [], neverMatches: false };
  }
  const undecided: FindingCode[] = [
    ...(answer.kind === "unknown" ? (["never-matches"] as const) : []),
    ...(always === "unknown" ? (["always-matches"] as const) : []),
  ];
  return {
    findings: [...redundantParts(condition, formula, context, translator), ...members],
    undecided,
    neverMatches: false,
  };
}

function isTrue(condition: Condition): boolean {
  if (condition.kind === "group") return isTrue(condition.of);
  return condition.kind === "truth" && condition.operand.kind === "field" && condition.operand.name === "true";
}

/** Parts without which the expression has the same meaning. Each part found is removed before the search continues. */
function redundantParts(
  condition: Condition,
  formula: Formula,
  context: AnalysisContext,
  translator: Translator,
): readonly ExpressionFinding[] {
  const found: ExpressionFinding[] = [];
  let rest = condition;
  for (let again = listRemovals(rest).length <= MOST_PARTS; again;) {
    again = false;
    for (const { part, op, without } of listRemovals(rest)) {
      const shorter = translator.translate(without);
      if (!isSame(formula, shorter, context)) continue;
      const message = messageOf(part, op, context, translator);
      const [own, instead] = [printCondition(part), printCondition(without)];
      found.push({ ...proved("redundant-condition", message), part: own, instead });
      rest = without;
      again = true;
      break;
    }
  }
  return found;
}

function isSame(a: Formula, b: Formula, context: AnalysisContext): boolean {
  return context.isImpossible(a, not(b)) && context.isImpossible(b, not(a));
}

function messageOf(part: Condition, op: "and" | "or", context: AnalysisContext, translator: Translator): string {
  const text = `\`${printCondition(part)}\``;
  const formula = translator.translate(part);
  if (op === "or" && context.isImpossible(formula))
    return `${text} adds nothing: ${explainNever(part, context, translator)}`;
  if (op === "and" && context.isImpossible(not(formula))) return `${text} is always true; leave it out`;
  return op === "and"
    ? `${text} is true whenever the rest of the expression is; leave it out`
    : `${text} adds nothing: the rest of the expression matches all that it matches; leave it out`;
}

/** A removable part of a condition, and the condition without it. */
interface Removal {
  readonly part: Condition;
  readonly op: "and" | "or";
  readonly without: Condition;
}

/** Every way to leave out one part of an `and` or an `or`, starting with the last part. */
function listRemovals(condition: Condition): readonly Removal[] {
  switch (condition.kind) {
    case "group":
    case "not":
      return listRemovals(condition.of).map((removal) => ({
        ...removal,
        without: { ...condition, of: removal.without },
      }));
    case "combination":
      return ofCombination(condition);
    default:
      return [];
  }
}

function ofCombination(combination: Combination): readonly Removal[] {
  const { op, items } = combination;
  const found: Removal[] = [];
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const part = items[index] as Condition;
    const others = items.filter((_, at) => at !== index);
    const rest = others.length === 1 && others[0] !== undefined ? others[0] : { ...combination, items: others };
    if (op !== "xor") found.push({ part, op, without: rest });
    for (const inner of listRemovals(part)) {
      const changed = items.map((item, at) => (at === index ? inner.without : item));
      found.push({ ...inner, without: { ...combination, items: changed } });
    }
  }
  return found;
}
