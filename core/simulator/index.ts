import { HttpRequest, makeRequest, Unknown } from "../language/index.js";
import { toBytes } from "../language/bytes.js";
import { PLAN_VALUES, type OriginResponse, type SimulateInput, type ZoneInput } from "./input.js";
import { NO_LIMITS } from "./limits.js";
import { NORMALISING_PHASES, REQUEST_PHASES, RESPONSE_PHASES } from "./phases.js";
import { CUSTOM_OVERRIDES } from "./custom-overrides.js";
import { compileProgram, type Program, type Ruleset } from "./program.js";
import { countResponse } from "./rate-limiting.js";
import { ofZone } from "./of-zone.js";
import { toList, readRedirectLists } from "./redirect-list.js";
import { originOf, withHostHeader } from "./origin.js";
import type { SimulatedOutcome, Simulation, TraceEntry } from "./result.js";
import { Run } from "./run.js";
import { State } from "./state.js";
import { levelOf } from "./place.js";
import { placeOf, TraceLog } from "./trace-log.js";
import { normaliseUrl, pathForOrigin } from "./url-normalization.js";

export { headerPairs, type SentResponse } from "./effect.js";
export type { OriginResponse, SimulateInput, ZoneInput } from "./input.js";
export { NO_LIMITS, RunningLimits, type Limits } from "./limits.js";
export type { ManagedRun } from "./managed.js";
export { REQUEST_PHASES, RESPONSE_PHASES } from "./phases.js";
export {
  compileProgram,
  compileVersions,
  compilingOnce,
  type CompileFilter,
  type Program,
  type ProgramVersions,
} from "./program.js";
export type { RuleInput, RulesetInput } from "./ruleset-input.js";
export type { Level, RulePlace } from "./place.js";
export type { SimulatedOutcome, Simulation, TraceEntry, TraceStatus, Undecided } from "./result.js";
export type { Origin } from "./origin.js";
export type { ListInput, ListsInput } from "./lists.js";
export type { RedirectInput } from "./redirect-list.js";
export type { UrlNormalization } from "./url-normalization.js";
export { rulesetName } from "./names.js";
export { withUnknown } from "./unknown-rules.js";

/**
 * Simulates what rulesets do to a request, phase by phase, as far as that can be determined without the service. Has no side
 * effects and makes no requests; the time is passed as `clock`, the counters of rate limits as `limits`.
 * @throws TypeError on an invalid expression, or if entry points belong to several zones and `zone` is missing
 *
 * @example
 * simulate({
 *   rulesets: [{ kind: "zone", phase: "http_request_firewall_custom", rules: [{ action: "block", expression: "ssl" }] }],
 *   request: makeRequest({ url: "https://example.com/" }),
 * }).outcome; // "blocked"
 */
export function simulate({ response, ...input }: SimulateInput): Simulation {
  const { respond, unanswered } = simulateRequest(input);
  return response === undefined ? unanswered() : respond(response);
}

/** A request that has passed the request phases. Only one of the functions can be called after the other, in this order. */
export interface StartedSimulation {
  /** What happens until the origin responds. */
  readonly unanswered: () => Simulation;
  /** Continues with the origin's response, if no rule has stopped the request. */
  readonly respond: (response: OriginResponse) => Simulation;
}

/** Runs the request phases; the response phases can follow once the response is known. */
export function simulateRequest(input: Omit<SimulateInput, "response">): StartedSimulation {
  const zone: ZoneInput = typeof input.zone === "string" ? { id: input.zone } : (input.zone ?? {});
  const program = ofZone(programOf(input), zone.id);
  const redirectLists = readRedirectLists(input.redirectLists ?? {});
  const given = input.request instanceof HttpRequest ? input.request : makeRequest(input.request);
  const request = withZone(withTime(given, input.clock), zone);
  const known =
    redirectLists.size === 0
      ? request
      : request.withLists((name) => {
          const items = redirectLists.get(name);
          return items === undefined ? undefined : toList(items);
        });
  const surroundings = { program, redirectLists, now: timeOf(input.clock, request), isTraced: input.trace ?? true };
  const run = new Run(new State(known, input.limits ?? NO_LIMITS, surroundings));
  const { state } = run;
  const toOrigin = runRequest(run, zone);
  const { limits } = state;
  const unanswered = (): Simulation => {
    countResponse(state);
    const simulation = simulationOf(run, toOrigin);
    state.limits = limits;
    return simulation;
  };
  return {
    unanswered,
    respond: (response) => {
      if (state.decision !== undefined) return unanswered();
      runResponsePhases(run, response);
      return simulationOf(run, toOrigin);
    },
  };
}

/** What has happened so far. */
function simulationOf(run: Run, toOrigin: HttpRequest): Simulation {
  const { state } = run;
  const { decision, response, log } = state;
  const settings = { ...state.settings };
  const { outcome, outcomeWithoutManaged, rule } = decideOutcome(state);
  const simulation: Simulation = {
    outcome,
    outcomeWithoutManaged,
    rule,
    decision: decision === undefined ? undefined : { outcome: decision.outcome, rule: decision.rule },
    request: toOrigin,
    origin: originOf(settings[ORIGIN_PHASE]),
    response: decision === undefined ? response : decision.response,
    trace: [],
    matched: [],
    managed: [...state.managed],
    undecided: [...state.undecided],
    settings,
    skippedProducts: Array.from(state.products),
    skips: state.skips.flatMap(({ by, phase, target, because }) =>
      because.length === 0 ? [{ rule: by, phase, target }] : [],
    ),
    score: state.score,
    limits: state.limits,
  };
  // An object with getters takes longer to make than most simulations.
  if (log.isSilent) return simulation;
  const [reached, notRun] = [log.size, run.notRun()];
  let trace: Simulation["trace"] | undefined;
  return {
    ...simulation,
    get trace() {
      const why = (ruleset: Ruleset): string =>
        overridesExecute(ruleset, state.program) ? OVERRIDDEN : reasonLeftOut(ruleset.phase, { decision, response });
      return (trace ??= [...log.entries(reached), ...notRun.flatMap((ruleset) => entriesOf(ruleset, why))]);
    },
    get matched() {
      return log.entries(reached, "matched");
    },
  };
}

/** The entries of a ruleset that does not run. */
function entriesOf(ruleset: Ruleset, why: (ruleset: Ruleset) => string): readonly TraceEntry[] {
  const log = new TraceLog();
  const level = levelOf(ruleset);
  ruleset.rules.forEach((rule, index) => {
    const at = placeOf(rule, ruleset, index, { phase: ruleset.phase, level, because: [] });
    log.note(at, "not reached", why(ruleset));
  });
  return log.entries();
}

const OVERRIDDEN = `a rule executes this ruleset with overrides, and ${CUSTOM_OVERRIDES}`;

function overridesExecute({ id }: Ruleset, { rulesets }: Program): boolean {
  return rulesets.some(({ rules }) =>
    rules.some(
      ({ effect }) => effect.kind === "unknown" && effect.overridden !== undefined && effect.overridden === id,
    ),
  );
}

const ORIGIN_PHASE = "http_request_origin";

/** Runs the request phases; returns the request that the origin gets. */
function runRequest(run: Run, { urlNormalization = {} }: ZoneInput): HttpRequest {
  const { state } = run;
  let [before, normalised] = [state.request, state.request];
  for (const phase of REQUEST_PHASES) {
    run.runPhase(phase);
    if (!NORMALISING_PHASES.has(phase)) continue;
    before = state.request;
    normalised = normaliseUrl(before, urlNormalization);
    state.request = normalised;
  }
  const sent = pathForOrigin(state.request, { before, normalised, setting: urlNormalization });
  return withHostHeader(sent, state.settings[ORIGIN_PHASE]);
}

function programOf({ program, rulesets }: SimulateInput): Program {
  if (program === undefined) return compileProgram(rulesets ?? []);
  return "program" in program ? program.program : program;
}

/** The request with what is known about its zone. Fields set on the request take precedence. */
function withZone(request: HttpRequest, { name, plan }: ZoneInput): HttpRequest {
  const known = [
    ["cf.zone.name", name === undefined ? undefined : toBytes(name)],
    ["cf.zone.plan", plan === undefined ? undefined : PLAN_VALUES[plan]],
  ] as const;
  const fields = known.filter(([field, value]) => value !== undefined && request.field(field) instanceof Unknown);
  return fields.length === 0 ? request : request.withFields(new Map(fields));
}

/** The request at the time of the clock, unless it says itself when it was received. */
function withTime(request: HttpRequest, clock: SimulateInput["clock"]): HttpRequest {
  const isTimed = request.parts.timestamp !== undefined;
  return isTimed || clock === undefined ? request : request.at(timeOf(clock, request) / 1000);
}

function timeOf(clock: SimulateInput["clock"], request: HttpRequest): number {
  if (clock === undefined) return (request.parts.timestamp ?? 0) * 1000;
  return typeof clock === "number" ? clock : clock();
}

/** Runs the response phases on the origin's response. */
function runResponsePhases(run: Run, { status, headers = {} }: OriginResponse): void {
  const { state } = run;
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  state.response = { status, headers: lower };
  state.request = state.request.withResponse({ status, headers: lower });
  countResponse(state);
  for (const phase of RESPONSE_PHASES) if (isFor(phase, status)) run.runPhase(phase);
}

/** Custom error rules see errors only: https://developers.cloudflare.com/rules/custom-errors/ */
function isFor(phase: string, status: number): boolean {
  return phase !== "http_custom_errors" || status >= 400;
}

function reasonLeftOut(phase: string, { decision, response }: Pick<State, "decision" | "response">): string {
  if (RESPONSE_PHASES.includes(phase)) {
    if (decision !== undefined) return "the request did not reach the origin";
    if (response === undefined) return "no response of the origin was given";
    return `the response is not an error (${String(response.status)})`;
  }
  return REQUEST_PHASES.includes(phase)
    ? "no rule executes this ruleset"
    : `the phase ${phase} does not handle HTTP requests`;
}

/**
 * The outcome, and the rule that decided. Anything that may have happened before makes the outcome unknown, unless it leads to
 * the same one.
 */
function decideOutcome({
  decision,
  undecided,
  managed,
}: State): Pick<Simulation, "outcome" | "outcomeWithoutManaged" | "rule"> {
  const certain: SimulatedOutcome = decision?.outcome ?? "allowed";
  const others = undecided.flatMap(({ outcome }) => outcome ?? []);
  const own = others.every((outcome) => outcome === certain) ? certain : "unknown";
  const stoppedBefore = managed.some(({ canStop }) => canStop);
  return {
    outcome: stoppedBefore ? "unknown" : own,
    outcomeWithoutManaged: own,
    rule: stoppedBefore || others.length > 0 ? undefined : decision?.rule,
  };
}
