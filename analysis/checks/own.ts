import type { Condition } from "../../language/ast.js";
import { printCondition } from "../../language/print/index.js";
import { not, type Formula } from "../formula/formula.js";
import type { Translator } from "../formula/translate.js";
import type { World } from "../world.js";
import { containedMembers } from "./contained.js";
import { removals } from "./edit.js";
import type { AnalysisCheck, OwnFinding } from "./finding.js";
import { explainNever } from "./reasons.js";

export interface OwnFindings {
  readonly findings: readonly OwnFinding[];
  readonly undecided: readonly AnalysisCheck[];
  readonly neverMatches: boolean;
}

/** Expressions with more parts are not searched for redundant parts. */
const MOST_PARTS = 40;

/** Checks an expression by itself. */
export function checkOwn(condition: Condition, world: World, translator: Translator): OwnFindings {
  const formula = translator.translate(condition);
  const answer = world.solve(formula);
  if (answer.kind === "unsat") {
    const message = `no request matches: ${explainNever(condition, world, translator)}`;
    return { findings: [{ check: "never-matches", verdict: "proved", message }], undecided: [], neverMatches: true };
  }
  const members = containedMembers(condition);
  if (isTrue(condition)) return { findings: members, undecided: [], neverMatches: false };
  const opposite = world.solve(not(formula));
  if (opposite.kind === "unsat") {
    const message = "every request matches; write `true` if that is intended";
    const always: OwnFinding = { check: "always-matches", verdict: "proved", message };
    return { findings: [always, ...members], undecided: [], neverMatches: false };
  }
  const undecided: AnalysisCheck[] = [
    ...(answer.kind === "unknown" ? (["never-matches"] as const) : []),
    ...(opposite.kind === "unknown" ? (["always-matches"] as const) : []),
  ];
  return {
    findings: [...redundantParts(condition, formula, world, translator), ...members],
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
  world: World,
  translator: Translator,
): readonly OwnFinding[] {
  const found: OwnFinding[] = [];
  let rest = condition;
  for (let again = removals(rest).length <= MOST_PARTS; again;) {
    again = false;
    for (const { part, op, without } of removals(rest)) {
      const shorter = translator.translate(without);
      if (!isSame(formula, shorter, world)) continue;
      const message = messageOf(part, op, world, translator);
      const instead = printCondition(without);
      found.push({ check: "redundant-condition", verdict: "proved", part: printCondition(part), instead, message });
      rest = without;
      again = true;
      break;
    }
  }
  return found;
}

function isSame(a: Formula, b: Formula, world: World): boolean {
  return world.isImpossible(a, not(b)) && world.isImpossible(b, not(a));
}

function messageOf(part: Condition, op: "and" | "or", world: World, translator: Translator): string {
  const text = `\`${printCondition(part)}\``;
  const formula = translator.translate(part);
  if (op === "or" && world.isImpossible(formula))
    return `${text} adds nothing: ${explainNever(part, world, translator)}`;
  if (op === "and" && world.isImpossible(not(formula))) return `${text} is always true; leave it out`;
  return op === "and"
    ? `${text} is true whenever the rest of the expression is; leave it out`
    : `${text} adds nothing: the rest of the expression matches all that it matches; leave it out`;
}
