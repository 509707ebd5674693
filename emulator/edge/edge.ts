import { showBytes, toBytes } from "../../core/language/bytes.js";
import { HttpRequest, makeRequest } from "../../core/language/index.js";
import { percentEncode } from "../../core/language/request/target.js";
import { drawOfRequest } from "../../core/language/shares.js";
import {
  headerPairs,
  NO_LIMITS,
  type Program,
  type RulePlace,
  type SentResponse,
  type SimulateInput,
  type Simulation,
} from "../../core/simulator/index.js";
import type { EmulatorClock } from "../clock.js";
import type { Zone } from "../zones/model.js";
import { readAddress, type Address } from "./address.js";
import { readClient, type Client } from "./client.js";
import { onlyPhase, simulateVisit, simulateZone, withResponseCounts, withoutChallenges } from "./simulate-zone.js";
import { loggedFields } from "./custom-fields.js";
import type { HostZones } from "./host-zones.js";
import { eventsOf, Log, type ServedRequest, type RequestFacts, type SecurityEvent } from "./log.js";
import { headerOf, textsOf, withTexts, type Headers, type Incoming, type Outgoing } from "./message.js";
import type { Origin } from "./origin.js";
import { noZone, originFailed, pageOf, refusal } from "./pages.js";
import type { EdgeRules } from "./rules.js";
import { verdictHeaders } from "./verdict.js";

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
  readonly undecided: Simulation["undecided"];
  readonly outgoing: Outgoing;
  readonly originStatus: number;
}

const NO_RULES: Program = { rulesets: [] };
const HEADERS_PHASE = "http_response_headers_transform";

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
    const read = readAddress(incoming);
    if ("refused" in read) return read.refused;
    const { address } = read;
    const zone = this.context.zones.find(address.host);
    if (zone === undefined) return noZone(address.host, this.context.zones.names());
    let visit: Visit;
    try {
      visit = this.visit(zone, address, incoming);
    } catch (error) {
      if (error instanceof TypeError) return refusal(400, error.message);
      throw error;
    }
    const { simulation, undecided, outgoing, originStatus } = await this.pass(visit, origin);
    this.note(visit, simulation, { status: outgoing.status, originStatus, response: outgoing.headers });
    const { decision } = simulation;
    const { rules } = this.context;
    const managed = simulation.managed.map(({ ruleset }) => rules.ruleset(zone, ruleset)?.name ?? ruleset);
    const rulesetName = decision === undefined ? "" : rules.rulesetName(zone, decision.rule);
    const verdict = verdictHeaders({ ray: visit.ray, zone: zone.name, decision, rulesetName, undecided, managed });
    return { ...outgoing, headers: [...outgoing.headers, ...verdict] };
  }

  private visit(
    zone: Zone,
    { host, path, headers }: Address,
    { method, httpVersion, remoteAddress, body }: Incoming,
  ): Visit {
    const { zones, rules, clock } = this.context;
    const client = readClient(headers, remoteAddress);
    const now = clock.now();
    this.count += 1;
    const ray = (now * 4096 + (this.count % 4096)).toString(16).padStart(16, "0");
    const { parts } = makeRequest({
      ...client.facts,
      method,
      url: `${client.scheme}://${host}${path}`,
      httpVersion,
      body,
      timestamp: now / 1000,
      draw: drawOfRequest(this.count),
      fields: { "cf.ray_id": ray, "cf.hostname.metadata": zones.metadata(zone, host), ...client.fields },
    });
    const sent = { headers: client.headers, original: { ...parts.original, headers: client.headers } };
    const request = new HttpRequest({ ...parts, ...sent }, rules.lists(zone));
    const program = zone.paused === true ? NO_RULES : rules.program(zone);
    const redirectLists = rules.redirectLists(zone, program);
    const effective = client.solved ? withoutChallenges(program) : program;
    return { zone, client, request, body, program: effective, redirectLists, ray, now };
  }

  /** Runs the request phases, forwards to the origin unless a rule stops the request, and runs the response phases. */
  private async pass(visit: Visit, origin: Origin): Promise<Answer> {
    const started = simulateVisit({ ...visit, limits: this.limits });
    const simulated = started.unanswered();
    this.limits = simulated.limits;
    if (simulated.decision !== undefined) return this.stop(visit, simulated);
    const { method, parts, url } = simulated.request;
    const sent = {
      method,
      url,
      headers: [...parts.headers, ...added(visit)],
      body: visit.body,
      settings: simulated.settings,
    };
    const answered = await origin(sent).catch((error: unknown) => originFailed(error));
    const { status } = answered;
    const response = { status, headers: textsOf(answered.headers) };
    const simulation = started.respond(response);
    this.limits = withResponseCounts(this.limits, simulated.limits, simulation.limits);
    const changed: SentResponse = simulation.response ?? response;
    const outgoing = {
      status: changed.status,
      headers: withTexts(answered.headers, changed.headers),
      body: changed.body ?? answered.body,
    };
    return { simulation, undecided: simulation.undecided, outgoing, originStatus: status };
  }

  /** The response of the rule that stopped a request, with the changes of response header rules, which apply to it too. */
  private stop(visit: Visit, simulation: Simulation): Answer {
    const page = stopped(visit, simulation);
    const program = onlyPhase(visit.program, HEADERS_PHASE);
    if (program.rulesets.length === 0)
      return { simulation, undecided: simulation.undecided, outgoing: page, originStatus: 0 };
    const response = { status: page.status, headers: textsOf(page.headers) };
    const changed = simulateZone({ ...visit, program, limits: NO_LIMITS, response });
    const headers = withTexts(page.headers, changed.response?.headers ?? response.headers);
    const undecided = [...simulation.undecided, ...changed.undecided];
    return { simulation, undecided, outgoing: { ...page, headers }, originStatus: 0 };
  }

  private note(
    { zone, request, ray, now, client }: Visit,
    { matched, decision, settings }: Simulation,
    { status, originStatus, response }: { status: number; originStatus: number; response: Headers },
  ): void {
    const { target, headers } = request.parts;
    const facts: RequestFacts = {
      datetime: new Date(now).toISOString(),
      rayName: ray,
      zoneTag: zone.id,
      clientIP: client.facts.ip ?? "",
      clientCountryName: client.facts.country ?? "",
      clientRequestHTTPMethodName: request.method,
      clientRequestHTTPHost: showBytes(target.authority),
      clientRequestPath: target.path,
      clientRequestQuery: target.query === undefined ? "" : `?${target.query}`,
      userAgent: headerOf(headers, "user-agent") ?? "",
    };
    const stoppedBy = decision?.rule.id;
    this.events.add(eventsOf(facts, matched, { status, stoppedBy }));
    this.requests.add([
      {
        ...facts,
        edgeResponseStatus: status,
        originResponseStatus: originStatus,
        securityAction: decision?.rule.action ?? "",
        securityRuleId: stoppedBy ?? "",
        ...loggedFields(settings, headers, response),
      },
    ]);
  }
}

/** The response of the rule that stopped a request, or the service's page. */
function stopped({ ray, program }: Visit, { decision, response }: Simulation): Outgoing {
  const outcome = decision?.outcome ?? "blocked";
  const headers = headerPairs(response?.headers ?? {}).map(
    ([name, value]) => [name, name === "location" ? percentEncode(value) : toBytes(value)] as const,
  );
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
  const forwarded = headerOf(request.parts.headers, "x-forwarded-for");
  return [
    ...(forwarded === undefined ? [["X-Forwarded-For", facts.ip ?? ""] as const] : []),
    ["X-Forwarded-Proto", scheme],
    ["CF-Connecting-IP", facts.ip ?? ""],
    ["CF-IPCountry", facts.country ?? "XX"],
    ["CF-Ray", ray],
    ["CF-Visitor", JSON.stringify({ scheme })],
  ];
}
