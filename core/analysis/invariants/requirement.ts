import { isChallenge } from "../../simulator/challenges.js";
import { canStop } from "../../simulator/managed.js";
import { hasManagedStops } from "../../simulator/phases.js";
import type { RulePlace } from "../../simulator/place.js";
import type { SimulatedOutcome, Simulation } from "../../simulator/result.js";

/**
 * What must happen to requests.
 * - `be-stopped`: blocked, challenged, or over a rate limit
 * - `block`, `challenge`: by exactly that
 * - `be-allowed`: nothing stops or redirects them
 * - `reach-managed-rules`: what reaches the origin was seen by a managed ruleset, by the given one if there is one
 * - `be-limited`: what reaches the origin is subject to a rate limit that stops clients, whichever requests it counts
 * - `be-logged`: they leave an event, because a rule logs or stops them
 * - `not-be-skipped`: no skip rule matches them
 * - `redirect`: to a URL or with a status, if these are given
 */
export type Requirement =
  | { readonly kind: SimpleRequirement }
  | { readonly kind: "reach-managed-rules"; readonly ruleset?: string }
  | { readonly kind: "redirect"; readonly to?: string; readonly status?: number };

type SimpleRequirement =
  | "be-stopped"
  | "block"
  | "challenge"
  | "be-allowed"
  | "be-limited"
  | "be-logged"
  | "not-be-skipped";

/** Whether an outcome of the simulator is what is required. */
export type Met = "met" | "violated" | "unknown";

const STOPPED: ReadonlySet<SimulatedOutcome> = new Set<SimulatedOutcome>(["blocked", "challenged", "limited"]);

/** Whether a request that was run through the rules got what is required. What may have happened to it counts as well. */
export function isMet(requirement: Requirement, simulation: Simulation): Met {
  const met = metAsKnown(requirement, simulation);
  return met === "met" && mayBeOther(simulation) ? "unknown" : met;
}

function metAsKnown(requirement: Requirement, simulation: Simulation): Met {
  switch (requirement.kind) {
    case "be-stopped":
      return ofOutcomes(simulation, ({ outcome }) => STOPPED.has(outcome));
    case "block":
      return ofOutcomes(simulation, isBlocked);
    case "challenge":
      return ofOutcomes(simulation, isChallenged);
    case "be-allowed":
      return isAllowed(simulation);
    case "redirect":
      return isRedirected(requirement, simulation);
    case "reach-managed-rules":
      return ifAtOrigin(simulation, () => sawManaged(simulation, requirement.ruleset));
    case "be-limited":
      return ifAtOrigin(simulation, () =>
        matchedBy(simulation, ({ action, limit }) => limit !== undefined && action !== "log"),
      );
    case "be-logged":
      return isLogged(simulation);
    case "not-be-skipped":
      return isNotSkipped(simulation);
  }
}

/** An outcome that a request may have, and the action and name of the rule that causes it. */
export interface Ending {
  readonly outcome: SimulatedOutcome;
  readonly action?: string;
  readonly name?: string;
}

export function isBlocked({ outcome, action }: Ending): boolean {
  return outcome === "blocked" || (outcome === "limited" && action === "block");
}

export function isChallenged({ outcome, action }: Ending): boolean {
  return outcome === "challenged" || (outcome === "limited" && isChallenge(action));
}

/** The phases in which rules execute managed rulesets. In any other, what they execute is a custom ruleset. */
const MANAGED_PHASES = /^(?:ddos_|http_request_firewall_managed$|http_response_firewall_managed$)/;

/** Whether a ruleset that a rule of a phase executes, and that is not given, is one whose rules anybody may have written. */
export function isMissing(phase: string): boolean {
  return hasManagedStops(phase) && !MANAGED_PHASES.test(phase);
}

/** Every outcome that the request may have; undefined if a rule or a ruleset that is not known may end it in any way. */
export function endingsOf(simulation: Simulation): readonly Ending[] | undefined {
  const { decision, undecided } = simulation;
  if (hasMissing(simulation) || mayBeOther(simulation)) return undefined;
  const others = undecided.flatMap(({ outcome, rule }) =>
    outcome === undefined || outcome === "any" ? [] : [endingBy(outcome, rule)],
  );
  return [decision === undefined ? { outcome: "allowed" } : endingBy(decision.outcome, decision.rule), ...others];
}

function endingBy(outcome: SimulatedOutcome, { action, name }: RulePlace): Ending {
  return { outcome, action, name };
}

/** Whether a rule matched whose action is not known: it may also skip what would end the request later. */
function mayBeOther({ undecided }: Simulation): boolean {
  return undecided.some(({ outcome }) => outcome === "any");
}

/** Whether a custom ruleset runs that is not given. */
function hasMissing({ managed }: Simulation): boolean {
  return managed.some(({ rule }) => isMissing(rule.phase));
}

function ofOutcomes(simulation: Simulation, isRight: (ending: Ending) => boolean): Met {
  const endings = endingsOf(simulation);
  if (endings === undefined) return "unknown";
  return together(endings.map((ending) => isRight(ending)));
}

function together(answers: readonly boolean[]): Met {
  if (answers.every((yes) => yes)) return "met";
  return answers.some((yes) => yes) ? "unknown" : "violated";
}

function isAllowed(simulation: Simulation): Met {
  const own = ofOutcomes(simulation, ({ outcome }) => outcome === "allowed");
  return own === "met" && simulation.managed.some(({ canStop }) => canStop) ? "unknown" : own;
}

function isRedirected({ to, status }: { readonly to?: string; readonly status?: number }, simulation: Simulation): Met {
  const own = ofOutcomes(simulation, ({ outcome }) => outcome === "redirected");
  const { response, undecided } = simulation;
  if (own !== "met" || response === undefined) return own;
  const { location } = response.headers;
  const isThere = to === undefined || location === to;
  if (isThere && (status === undefined || response.status === status)) return "met";
  // What is not known may redirect it first.
  return undecided.length > 0 ? "unknown" : "violated";
}

/** Only what reaches the origin needs it. */
function ifAtOrigin(simulation: Simulation, judge: () => Met): Met {
  const endings = endingsOf(simulation);
  if (endings?.every(({ outcome }) => outcome !== "allowed")) return "met";
  const isCertain = endings?.every(({ outcome }) => outcome === "allowed") ?? false;
  const met = judge();
  return isCertain || met === "met" ? met : "unknown";
}

function sawManaged({ managed, undecided }: Simulation, ruleset: string | undefined): Met {
  // One that is named counts wherever it runs.
  const seen = managed.filter((run) => (ruleset === undefined ? run.canStop : run.ruleset === ruleset && canStop(run)));
  if (seen.some(({ because }) => because.length === 0)) return "met";
  return seen.length + undecided.length > 0 ? "unknown" : "violated";
}

function matchedBy({ trace }: Simulation, isIt: (entry: Simulation["trace"][number]) => boolean): Met {
  const found = trace.filter(isIt);
  if (found.some(({ status }) => status === "matched")) return "met";
  return found.some(({ status }) => status === "unknown") ? "unknown" : "violated";
}

function isLogged(simulation: Simulation): Met {
  const stopped = ofOutcomes(simulation, ({ outcome }) => STOPPED.has(outcome));
  if (stopped === "met") return "met";
  const logged = matchedBy(simulation, ({ action, limit }) => action === "log" && limit !== "within");
  return logged === "violated" ? stopped : logged;
}

function isNotSkipped({ trace, undecided, managed }: Simulation): Met {
  const first = trace.findIndex(({ action, status }) => action === "skip" && status === "matched");
  // What is not known before it may end the request, or skip the rule.
  const notKnown = [
    ...undecided.filter(({ outcome }) => outcome !== undefined),
    ...managed.filter(({ rule }) => isMissing(rule.phase)),
  ];
  const isOpenIn = (given: Simulation["trace"]): boolean =>
    given.some(
      (entry) =>
        (entry.status === "unknown" && entry.action !== "log") || notKnown.some(({ rule }) => isSame(rule, entry)),
    );
  if (first >= 0) return isOpenIn(trace.slice(0, first)) ? "unknown" : "violated";
  return trace.some(({ action, status }) => action === "skip" && status === "unknown") ? "unknown" : "met";
}

function isSame(a: RulePlace, b: RulePlace): boolean {
  return a.phase === b.phase && a.level === b.level && a.ruleset === b.ruleset && a.index === b.index;
}
