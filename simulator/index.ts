import { HttpRequest, makeRequest, Unknown } from "../language/index.js";
import { toBytes } from "../language/bytes.js";
import type { OriginResponse, SimulateInput, ZoneInput } from "./input.js";
import { NO_LIMITS } from "./limits.js";
import { REQUEST_PHASES, RESPONSE_PHASES } from "./phases.js";
import { compileProgram, type Program } from "./program.js";
import type { SimulatedOutcome, Simulation } from "./result.js";
import { Run } from "./run.js";

export type { SentResponse } from "./effect.js";
export type { OriginResponse, SimulateInput, ZoneInput } from "./input.js";
export { NO_LIMITS, type Limits } from "./limits.js";
export type { ManagedRun } from "./managed.js";
export { REQUEST_PHASES, RESPONSE_PHASES } from "./phases.js";
export { compileProgram, type Program } from "./program.js";
export type { RuleInput, RulesetInput } from "./ruleset-input.js";
export type { Level, RulePlace } from "./place.js";
export type { SimulatedOutcome, Simulation, TraceEntry, TraceStatus, Undecided } from "./result.js";
export { nameOf } from "./run.js";

/**
 * What rulesets do to a request, phase by phase, as far as that can be known without the service. It changes nothing and
 * asks nobody; the time comes in as `clock`, the counters of rate limits as `limits`.
 * @throws TypeError on an expression that is wrong, or entry points of several zones without `zone`
 *
 * @example
 * simulate({
 *   rulesets: [{ kind: "zone", phase: "http_request_firewall_custom", rules: [{ action: "block", expression: "ssl" }] }],
 *   request: makeRequest({ url: "https://example.com/" }),
 * }).outcome; // "blocked"
 */
export function simulate(input: SimulateInput): Simulation {
  const zone: ZoneInput = typeof input.zone === "string" ? { id: input.zone } : (input.zone ?? {});
  const program = ofZone(programOf(input), zone.id);
  const request = withZone(input.request instanceof HttpRequest ? input.request : makeRequest(input.request), zone);
  const run = new Run(program, request, input.limits ?? NO_LIMITS, timeOf(input.clock, request));
  for (const phase of REQUEST_PHASES) run.runPhase(phase);
  const toOrigin = run.request;
  if (run.decision === undefined && input.response !== undefined) answer(run, input.response);
  for (const ruleset of program.rulesets) run.leaveOut(ruleset, reasonLeftOut(ruleset.phase, run));
  return {
    ...judge(run),
    decision: run.decision === undefined ? undefined : { outcome: run.decision.outcome, rule: run.decision.rule },
    request: toOrigin,
    response: run.decision === undefined ? run.response : run.decision.response,
    trace: run.trace,
    managed: run.managed,
    undecided: run.undecided,
    settings: run.settings,
    skippedProducts: Array.from(run.products),
    score: run.score,
    limits: run.limits,
  };
}

function programOf({ program, rulesets }: SimulateInput): Program {
  if (program === undefined) return compileProgram(rulesets ?? []);
  return "program" in program ? program.program : program;
}

/** The rulesets that see requests of one zone. */
function ofZone(program: Program, zone: string | undefined): Program {
  const zones = new Set(program.rulesets.flatMap(({ zoneId }) => zoneId ?? []));
  if (zone === undefined && zones.size > 1) {
    throw new TypeError(`zone is required: the rulesets belong to several zones (${Array.from(zones).join(", ")})`);
  }
  if (zone === undefined) return program;
  return { rulesets: program.rulesets.filter(({ zoneId }) => zoneId === undefined || zoneId === zone) };
}

const PLANS = { free: "FREE", pro: "PRO", business: "BIZ", enterprise: "ENT" } as const;

/** The request with what is known of its zone. What the request tells itself wins. */
function withZone(request: HttpRequest, { name, plan }: ZoneInput): HttpRequest {
  const known = [
    ["cf.zone.name", name === undefined ? undefined : toBytes(name)],
    ["cf.zone.plan", plan === undefined ? undefined : PLANS[plan]],
  ] as const;
  const fields = known.filter(([field, value]) => value !== undefined && request.field(field) instanceof Unknown);
  return fields.length === 0 ? request : request.withFields(new Map(fields));
}

function timeOf(clock: SimulateInput["clock"], request: HttpRequest): number {
  if (clock === undefined) return (request.parts.timestamp ?? 0) * 1000;
  return typeof clock === "number" ? clock : clock();
}

/** The way of the origin's answer back to the client. */
function answer(run: Run, { status, headers = {} }: OriginResponse): void {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  run.response = { status, headers: lower };
  run.request = run.request.withResponse({ status, headers: lower });
  run.countResponse();
  for (const phase of RESPONSE_PHASES) run.runPhase(phase);
}

function reasonLeftOut(phase: string, run: Run): string {
  if (RESPONSE_PHASES.includes(phase)) {
    return run.decision === undefined ? "no response of the origin was given" : "the request did not reach the origin";
  }
  return REQUEST_PHASES.includes(phase) ? "nothing executes this ruleset" : `the phase ${phase} sees no HTTP requests`;
}

/** The outcome, and who decided. What may have happened before a decision makes it unknown, unless it comes to the same. */
function judge({ decision, undecided, managed }: Run): Pick<Simulation, "outcome" | "outcomeWithoutManaged" | "rule"> {
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
