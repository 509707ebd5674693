import { sameMeaning, type RequestInput } from "../../../core/language/index.js";
import type { RequestTrace, TraceStep } from "../../../client/index.js";
import { type Simulation, type TraceEntry } from "../../../core/simulator/index.js";
import { findUntraceable } from "./trace-request.js";

/** Compares how the local evaluator and the service treat one request. */
export interface TraceComparison {
  /** Rules on which both agree. */
  readonly agreed: number;
  readonly disagreements: readonly Disagreement[];
  /** Rules that cannot be compared, and why. */
  readonly notCompared: readonly { readonly rule: string; readonly why: string }[];
}

interface Disagreement {
  /** A rule, or `the answer`. */
  readonly rule: string;
  readonly expression?: string;
  /** What the simulation on this machine found. */
  readonly local: string;
  readonly service: string;
}

/** Compares a simulation of the deployed rules with the service's own trace of the same request. */
export function compareTrace(
  seen: Simulation,
  { steps, statusCode }: RequestTrace,
  sent: RequestInput,
): TraceComparison {
  const found = new RuleSteps(steps);
  const agreed: TraceEntry[] = [];
  const disagreements: Disagreement[] = [];
  const notCompared: TraceComparison["notCompared"][number][] = [];
  for (const entry of seen.trace) {
    const missing = findUntraceable(entry.expression, sent);
    const step = found.take(entry);
    if (entry.matched === "unknown") notCompared.push({ rule: entry.name, why: `not known here: ${entry.why}` });
    else if (missing.length > 0)
      notCompared.push({ rule: entry.name, why: `the tracer does not take ${missing.join(", ")}` });
    else {
      const difference = differenceOf(entry, step);
      if (difference === undefined) agreed.push(entry);
      else disagreements.push({ rule: entry.name, expression: entry.expression, ...difference });
    }
  }
  const status = statusDifference(seen, statusCode);
  return {
    agreed: agreed.length,
    disagreements: status === undefined || notCompared.length > 0 ? disagreements : [...disagreements, status],
    notCompared,
  };
}

/** A rule that is not in the trace did not match. */
function differenceOf(
  entry: TraceEntry,
  step: TraceStep | undefined,
): { readonly local: string; readonly service: string } | undefined {
  const matched = entry.status === "matched";
  const service = step?.matched === true;
  if (matched === service) return undefined;
  const traced = step === undefined ? "not in the trace" : service ? "matched" : "not matched";
  return { local: `${entry.status}: ${entry.why}`, service: traced };
}

/** For a request that a rule stops, the status code is compared too. */
function statusDifference(seen: Simulation, statusCode: number | undefined): Disagreement | undefined {
  const { outcome, response } = seen;
  const isStopped = outcome === "blocked" || outcome === "redirected";
  if (!isStopped || response === undefined || statusCode === undefined || statusCode === response.status)
    return undefined;
  return { rule: "the answer", local: `${String(response.status)} (${outcome})`, service: String(statusCode) };
}

/** The steps of a trace that are rules; each is used once. */
class RuleSteps {
  private readonly left: TraceStep[];

  constructor(steps: readonly TraceStep[]) {
    this.left = flatten(steps).filter(({ type, expression }) => type === "rule" || expression !== undefined);
  }

  /** The step of a rule: by its ID or ref, otherwise by its content. */
  take(entry: TraceEntry): TraceStep | undefined {
    const named = this.left.findIndex(({ stepName }) => stepName !== "" && [entry.id, entry.ref].includes(stepName));
    const at = named >= 0 ? named : this.left.findIndex((step) => isSameRule(step, entry));
    return at < 0 ? undefined : this.left.splice(at, 1)[0];
  }
}

function isSameRule(step: TraceStep, { action, expression, description }: TraceEntry): boolean {
  if (step.expression === undefined || expression === undefined) return false;
  if (step.action !== undefined && step.action !== action) return false;
  if ((step.description ?? "") !== (description ?? "")) return false;
  return step.expression === expression || sameMeaning(step.expression, expression);
}

function flatten(steps: readonly TraceStep[]): readonly TraceStep[] {
  return steps.flatMap((step) => [step, ...flatten(step.steps)]);
}
