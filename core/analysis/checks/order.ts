import { not, type Formula } from "../formula/formula.js";
import { StepIndex } from "../program/step-index.js";
import type { Step } from "../program/steps.js";
import { REQUEST_PHASES } from "../../simulator/phases.js";
import type { AnalysisContext } from "../analysis-context.js";
import { proved, type AnalysisFinding, type Undecided } from "./finding.js";
import type { Model } from "../solve/model.js";

const REQUEST: ReadonlySet<string> = new Set(REQUEST_PHASES);

/** Checks what rules do, given the rules before them. */
export function checkOrder(
  steps: readonly Step[],
  context: AnalysisContext,
): { readonly findings: readonly AnalysisFinding[]; readonly undecided: readonly Undecided[] } {
  const findings: AnalysisFinding[] = [];
  const undecided: Undecided[] = [];
  const twins = new Twins(context);
  const before = new StepIndex();
  const places = new Map(steps.map((step, index) => [step, index]));
  const inOrder = (a: Step, b: Step): number => (places.get(a) ?? 0) - (places.get(b) ?? 0);
  for (const step of steps) {
    const first = context.solve(step.condition);
    if (first.kind === "sat") {
      const twin = twins.find(step, first.model);
      if (twin !== undefined) findings.push(twinFinding(step, twin));
    }
    if (first.kind !== "unsat") {
      const answer = findCover(step, before, context);
      if (answer === "unknown") undecided.push({ code: "covered", rule: step.rule.place });
      else if (answer !== undefined) findings.push(coveredFinding(step, answer.toSorted(inOrder)));
    }
    if (step.effect.kind === "stop" || step.effect.kind === "skip") before.add(step);
  }
  return { findings, undecided };
}

/** Whether every request that reaches one rule has passed the other one before. */
function seesSameRequests(other: Step, step: Step): boolean {
  if (other.isApart || step.isApart) return other.ruleset === step.ruleset;
  // Rules of the account also see the requests of other zones.
  if (step.level === "account" && other.level === "zone") return false;
  return other.phase === step.phase || (REQUEST.has(other.phase) && REQUEST.has(step.phase));
}

function twinFinding(step: Step, twin: Step): AnalysisFinding {
  const sameAction = step.effect.key === twin.effect.key;
  const action = sameAction ? "and does the same to them" : `whose action is \`${twin.rule.place.action}\``;
  const message = `it matches exactly the requests of ${twin.rule.place.name}, ${action}`;
  return { ...proved("twin", message), rule: step.rule.place, by: [twin.rule.place], sameAction };
}

const MOST_ROUNDS = 60;

/** A minimal set of earlier rules that handle every request of a rule; undefined if a request gets through. */
function findCover(step: Step, before: StepIndex, context: AnalysisContext): readonly Step[] | "unknown" | undefined {
  const takes = (other: Step): boolean =>
    (other.effect.kind === "stop" && seesSameRequests(other, step)) || step.skippedBy.has(other);
  const used: Step[] = [];
  const without = (cover: readonly Step[]): readonly Formula[] => [step.entry, ...cover.map(({ guard }) => not(guard))];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const answer = context.solve(...without(used));
    if (answer.kind === "unknown") return "unknown";
    if (answer.kind === "unsat")
      return used.length === 0 ? undefined : minimalCover(used, (cover) => context.isImpossible(...without(cover)));
    const { model } = answer;
    const isNext = (other: Step): boolean => takes(other) && !used.includes(other) && model.satisfies(other.guard);
    const next = before.find(model, isNext, context.budget);
    if (next === undefined) return context.budget.isSpent ? "unknown" : undefined;
    used.push(next);
  }
  return "unknown";
}

/** A single rule if one is enough, preferably with another action; otherwise a set from which none can be omitted. */
function minimalCover(cover: readonly Step[], isCover: (steps: readonly Step[]) => boolean): readonly Step[] {
  const alone = cover.find((step) => isCover([step]));
  if (alone !== undefined) return [alone];
  let left = cover;
  for (const step of cover) {
    const rest = left.filter((one) => one !== step);
    if (isCover(rest)) left = rest;
  }
  return left;
}

function coveredFinding(step: Step, cover: readonly Step[]): AnalysisFinding {
  const names = cover.map(({ rule: { place } }) => `${place.name} (${place.action})`);
  const sameAction = cover.every(({ effect }) => effect.key === step.effect.key);
  const [last = "", ...others] = names.toReversed();
  const who =
    others.length === 0
      ? `the earlier rule ${last} matches`
      : `the earlier rules ${others.toReversed().join(", ")} and ${last} together match`;
  const has = others.length === 0 ? "has" : "have";
  const end = sameAction ? `and ${has} the same effect` : `so \`${step.rule.place.action}\` never runs`;
  const message = `it is never reached: ${who} all of its requests, ${end}`;
  return { ...proved("covered", message), rule: step.rule.place, by: cover.map(({ rule }) => rule.place), sameAction };
}

/** The latest requests that are kept for a rule. */
const MOST_PROBES = 4;

/** Values for which it is known whether a rule matches. */
interface Probe {
  readonly model: Model;
  readonly matches: boolean;
}

/**
 * Finds rules that match the same requests. Most pairs are told apart by a request that already told one of them from another
 * rule, so the number of searches does not grow with the number of pairs.
 */
class Twins {
  private readonly before = new StepIndex();
  private readonly probes = new Map<Step, readonly Probe[]>();

  constructor(private readonly context: AnalysisContext) {}

  /** The first of the rules given so far that matches the same requests, one of which is given. */
  find(step: Step, model: Model): Step | undefined {
    const isTwin = (other: Step): boolean => haveSamePlace(other, step) && this.areTwins(other, step);
    const twin = this.before.find(model, isTwin, this.context.budget);
    this.before.add(step);
    this.probes.set(step, [{ model, matches: true }]);
    return twin;
  }

  private areTwins(other: Step, step: Step): boolean {
    const probes = this.probes.get(other) ?? [];
    if (probes.some(({ model, matches }) => model.satisfies(step.condition) !== matches)) return false;
    // Two rules that match every request are equal, but that is not a mistake.
    if (this.context.decideAlways(other.condition) === "always") return false;
    const only = this.context.solve(step.condition, not(other.condition));
    // Most later rules match this request too.
    if (only.kind === "sat")
      this.probes.set(other, [{ model: only.model, matches: false }, ...probes].slice(0, MOST_PROBES));
    return only.kind === "unsat" && this.context.isImpossible(other.condition, not(step.condition));
  }
}

/** Whether rules belong to the same list of the same requests. */
function haveSamePlace(other: Step, step: Step): boolean {
  if (other.phase !== step.phase || other.level !== step.level) return false;
  return (!other.isApart && !step.isApart) || other.ruleset === step.ruleset;
}
