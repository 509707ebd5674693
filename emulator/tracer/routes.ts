import { bodyOf, type ApiResult, type Call } from "../call.js";
import { simulateZone, withoutChallenges } from "../edge/simulate-zone.js";
import { refuse } from "../failure.js";
import type { GroupDefinition } from "../group-definition.js";
import { noSeed } from "../seed-part.js";
import type { Parts } from "../parts.js";
import { toBytes } from "../../core/language/bytes.js";
import { HttpRequest } from "../../core/language/index.js";
import { NO_LIMITS } from "../../core/simulator/index.js";
import { checkTrace, type TraceBody } from "./bodies.js";
import { tracedRequest } from "./request.js";
import { stepsOf } from "./steps.js";

/** What the deployed rules would do to a hypothetical request. */
export const tracer: GroupDefinition = {
  seed: noSeed,
  build: (parts) => {
    return {
      codes: { other: 1000 },
      routes: [["POST", "/accounts/:owner/request-tracer/trace", (call) => trace(call, parts)]],
    };
  },
};

/** The origin is not called: its response is an empty 200. Earlier requests do not count. */
function trace(call: Call, { clock, deployed: rules, hosts }: Parts): ApiResult {
  const body = checkTrace(bodyOf(call)) as unknown as TraceBody;
  const now = clock.now();
  const made = tracedRequest(body, now);
  const host = new URL(made.url).host;
  const zone = hosts.find(host);
  if (zone?.account.id !== call.owner.id)
    throw refuse(400, 1000, `no zone of the account serves the host ${host}`, "/url");
  const deployed = rules.program(zone);
  const simulation = simulateZone({
    zone,
    now,
    program: body.context?.skip_challenge === true ? withoutChallenges(deployed) : deployed,
    redirectLists: rules.redirectLists(zone, deployed),
    request: new HttpRequest(made.parts, rules.lists(zone)).withFields(
      new Map([["cf.hostname.metadata", toBytes(hosts.metadata(zone, host))]]),
    ),
    ...(body.skip_response === true ? {} : { response: { status: 200 } }),
    limits: NO_LIMITS,
  });
  return { status_code: simulation.response?.status ?? 200, trace: stepsOf(simulation, zone, rules) };
}
