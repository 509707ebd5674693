import { HttpRequest, makeRequest } from "../../language/index.js";
import {
  NO_LIMITS,
  type Program,
  type RulePlace,
  type SentResponse,
  type SimulateInput,
  type Simulation,
} from "../../simulator/index.js";
import { ruleName } from "../../simulator/names.js";
import type { EmulatorClock } from "../clock.js";
import type { Zone } from "../zones/model.js";
import { readClient, type Client } from "./client.js";
import { simulateZone, withResponseCounts, withoutChallenges } from "./simulate-zone.js";
import { loggedFields } from "./custom-fields.js";
import type { HostZones } from "./host-zones.js";
import { eventsOf, Log, type ServedRequest, type RequestFacts, type SecurityEvent } from "./log.js";
import { headerOf, headerText, recordOf, withRecord, type Headers, type Incoming, type Outgoing } from "./message.js";
import type { Origin } from "./origin.js";
import { pageOf, refusal } from "./pages.js";
import type { EdgeRules } from "./rules.js";

/** What the edge answers requests with. */
interface EdgeContext {
  readonly zones: HostZones;
  readonly rules: EdgeRules;
  readonly clock: EmulatorClock;
  /** How many events and requests to keep. */
  readonly maxEntries: number;
}

/** A request in progress: its zone and client, and what the rules see. */
interface Visit {
  readonly zone: Zone;
  readonly client: Client;
  readonly request: HttpRequest;
  readonly body: Buffer;
  readonly program: Program;
  readonly redirectLists: SimulateInput["redirectLists"];
  readonly ray: string;
  readonly now: number;
}

/** The origin's response, and what the response rules changed. */
interface Answer {
  readonly simulation: Simulation;
  readonly outgoing: Outgoing;
  readonly originStatus: number;
}

const NO_RULES: Program = { rulesets: [] };

/** Answers requests as the zones would, with the currently deployed rules. */
export class Edge {
  readonly events: Log<SecurityEvent>;
  readonly requests: Log<ServedRequest>;
  private limits = NO_LIMITS;
  private count = 0;

  constructor(private readonly context: EdgeContext) {
    this.events = new Log(context.maxEntries);
    this.requests = new Log(context.maxEntries);
  }

  /** Clears logs and counters. */
  clear(): void {
    this.limits = NO_LIMITS;
    this.events.clear();
    this.requests.clear();
  }

  async respond(incoming: Incoming, origin: Origin): Promise<Outgoing> {
    const host = headerOf(incoming.headers, "host") ?? "";
    const zone = this.context.zones.find(host);
    if (zone === undefined) return noZone(host, this.context.zones.names());
    let visit: Visit;
    try {
      visit = this.visit(zone, host, incoming);
    } catch (error) {
      if (error instanceof TypeError) return refusal(400, error.message);
      throw error;
    }
    const { simulation, outgoing, originStatus } = await this.pass(visit, origin);
    this.note(visit, simulation, { status: outgoing.status, originStatus, response: outgoing.headers });
    return { ...outgoing, headers: [...outgoing.headers, ...verdictHeaders(visit, simulation, this.context.rules)] };
  }

  private visit(
    zone: Zone,
    host: string,
    { method, target, httpVersion, headers, remoteAddress, body }: Incoming,
  ): Visit {
    const { rules, clock } = this.context;
    const client = readClient(headers, remoteAddress);
    const now = clock.now();
    this.count += 1;
    const ray = (now * 4096 + (this.count % 4096)).toString(16).padStart(16, "0");
    const { parts } = makeRequest({
      ...client.facts,
      method,
      url: `${client.scheme}://${host}${target.startsWith("/") ? target : `/${target}`}`,
      httpVersion,
      headers: client.headers,
      body,
      timestamp: now / 1000,
      fields: { "cf.ray_id": ray, ...client.fields },
    });
    const request = new HttpRequest(parts, rules.lists(zone));
    const program = zone.paused === true ? NO_RULES : rules.program(zone);
    const redirectLists = rules.redirectLists(zone, program);
    const effective = client.solved ? withoutChallenges(program) : program;
    return { zone, client, request, body, program: effective, redirectLists, ray, now };
  }

  /** Runs the request phases, forwards to the origin unless a rule stops the request, and runs the response phases. */
  private async pass(visit: Visit, origin: Origin): Promise<Answer> {
    const before = this.limits;
    const simulated = simulateZone({ ...visit, limits: before });
    this.limits = simulated.limits;
    if (simulated.decision !== undefined)
      return { simulation: simulated, outgoing: stopped(visit, simulated), originStatus: 0 };
    const { method, headers, url } = simulated.request;
    const sent = {
      method,
      url,
      headers: [...headers, ...added(visit)],
      body: visit.body,
      settings: simulated.settings,
    };
    const answered = await origin(sent).catch((error: unknown) => unreachable(error));
    const { status } = answered;
    const response = { status, headers: recordOf(answered.headers) };
    const simulation = simulateZone({ ...visit, limits: before, response });
    this.limits = withResponseCounts(this.limits, simulated.limits, simulation.limits);
    const changed: SentResponse = simulation.response ?? response;
    const outgoing = {
      status: changed.status,
      headers: withRecord(answered.headers, changed.headers),
      body: changed.body ?? answered.body,
    };
    return { simulation, outgoing, originStatus: status };
  }

  private note(
    { zone, request, ray, now, client }: Visit,
    { trace, decision, settings }: Simulation,
    { status, originStatus, response }: { status: number; originStatus: number; response: Headers },
  ): void {
    const url = new URL(request.url);
    const facts: RequestFacts = {
      datetime: new Date(now).toISOString(),
      rayName: ray,
      zoneTag: zone.id,
      clientIP: client.facts.ip ?? "",
      clientCountryName: client.facts.country ?? "",
      clientRequestHTTPMethodName: request.method,
      clientRequestHTTPHost: url.host,
      clientRequestPath: url.pathname,
      clientRequestQuery: url.search,
      userAgent: headerOf(request.headers, "user-agent") ?? "",
    };
    const stoppedBy = decision?.rule.id;
    this.events.add(eventsOf(facts, trace, { status, stoppedBy }));
    this.requests.add([
      {
        ...facts,
        edgeResponseStatus: status,
        originResponseStatus: originStatus,
        securityAction: decision?.rule.action ?? "",
        securityRuleId: stoppedBy ?? "",
        ...loggedFields(settings, request.headers, response),
      },
    ]);
  }
}

/** The response of the rule that stopped a request, or the service's page. */
function stopped({ ray, program }: Visit, { decision, response }: Simulation): Outgoing {
  const outcome = decision?.outcome ?? "blocked";
  const headers = Object.entries(response?.headers ?? {});
  const own = response?.body !== undefined;
  const limit = outcome === "limited" && decision !== undefined ? limitOf(program, decision.rule) : undefined;
  return {
    status: response?.status ?? 429,
    headers: [
      ...headers,
      ...(own ? [] : [["content-type", "text/html; charset=utf-8"] as const]),
      ...(limit === undefined ? [] : [["retry-after", String(limit.timeoutSeconds || limit.periodSeconds)] as const]),
    ],
    body: response?.body ?? pageOf(outcome, ray),
  };
}

function limitOf({ rulesets }: Program, { ruleset, id }: RulePlace) {
  return rulesets.find((each) => each.id === ruleset)?.rules.find((rule) => rule.id === id)?.rateLimit;
}

/** Headers about the client that the service adds for the origin. */
function added({ client: { facts, scheme }, request, ray }: Visit): Headers {
  const forwarded = headerOf(request.headers, "x-forwarded-for");
  return [
    ...(forwarded === undefined ? [["X-Forwarded-For", facts.ip ?? ""] as const] : []),
    ["X-Forwarded-Proto", scheme],
    ["CF-Connecting-IP", facts.ip ?? ""],
    ["CF-IPCountry", facts.country ?? "XX"],
    ["CF-Ray", ray],
    ["CF-Visitor", JSON.stringify({ scheme })],
  ];
}

/** Headers that name the rule that decided, and what the edge could not determine. */
function verdictHeaders({ zone, ray }: Visit, simulation: Simulation, rules: EdgeRules): Headers {
  const { decision, undecided, managed } = simulation;
  const ran = managed.map(({ ruleset }) => rules.ruleset(zone, ruleset)?.name ?? ruleset);
  const unknown = undecided.map(({ rule }) => ruleName(rule) ?? rule.action);
  return [
    ["cf-ray", ray],
    ["x-edge-zone", zone.name],
    ["x-edge-outcome", decision?.outcome ?? "allowed"],
    ...(decision === undefined ? [] : ruleHeaders(decision.rule, rules.rulesetName(zone, decision.rule))),
    ...(unknown.length === 0 ? [] : [["x-edge-undecided", headerText(unknown.join(", "))] as const]),
    ...(ran.length === 0 ? [] : [["x-edge-managed", headerText(ran.join(", "))] as const]),
  ];
}

function ruleHeaders(rule: RulePlace, rulesetName: string): Headers {
  const { ref, id, action, phase, ruleset } = rule;
  return [
    ["x-edge-rule", headerText(ruleName(rule) ?? "")],
    ["x-edge-rule-ref", headerText(ref ?? "")],
    ["x-edge-rule-id", headerText(id ?? "")],
    ["x-edge-action", headerText(action)],
    ["x-edge-phase", phase],
    ["x-edge-ruleset", headerText(rulesetName)],
    ["x-edge-ruleset-id", headerText(ruleset ?? "")],
  ];
}

function noZone(host: string, zones: readonly string[]): Outgoing {
  return refusal(
    409,
    `error code: 1001\nNo zone of the emulator serves the host "${host}". Send a Host header below one of: ${zones.join(", ")}`,
  );
}

function unreachable(error: unknown): Outgoing {
  return refusal(521, `error code: 521\nThe origin does not respond: ${(error as Error).message}`);
}
