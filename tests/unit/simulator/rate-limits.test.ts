import type { RequestInput } from "../../../core/language/index";
import { simulate, type Limits, type RuleInput } from "../../../core/simulator/index";
import { get, RATELIMIT, rule, zone } from "./support";

const LIMIT = { characteristics: ["cf.colo.id", "ip.src"], period: 60, requestsPerPeriod: 2, mitigationTimeout: 600 };
const limit = (ratelimit: object = {}, more: Partial<RuleInput> = {}): RuleInput =>
  rule("limit", "block", { ratelimit: { ...LIMIT, ...ratelimit }, ...more });

interface Step {
  /** Seconds since the start. */
  readonly at: number;
  readonly request?: Partial<RequestInput>;
  readonly status?: number;
}

/** Outcomes of consecutive requests. */
function outcomes(one: RuleInput, steps: readonly Step[]): string[] {
  let limits: Limits | undefined;
  return steps.map(({ at, request = {}, status }) => {
    const seen = simulate({
      rulesets: [zone(RATELIMIT, one)],
      request: get(undefined, { ip: "203.0.113.9", ...request }),
      clock: at * 1000,
      limits,
      response: status === undefined ? undefined : { status },
    });
    limits = seen.limits;
    return seen.outcome;
  });
}
const at = (...seconds: number[]): Step[] => seconds.map((second) => ({ at: second }));

test.each<[string, RuleInput, Step[], string[]]>([
  ["the request that exceeds the limit is blocked", limit(), at(0, 1, 2), ["allowed", "allowed", "limited"]],
  ["a new period starts a new count", limit(), at(0, 59, 60, 61), ["allowed", "allowed", "allowed", "allowed"]],
  [
    "a period begins with the first request that counts",
    limit({}, { expression: 'http.request.uri.path eq "/login"' }),
    [
      { at: 0, request: { url: "https://example.com/" } },
      ...[50, 51, 65].map((second) => ({ at: second, request: { url: "https://example.com/login" } })),
    ],
    ["allowed", "allowed", "allowed", "limited"],
  ],
  [
    "a client is blocked until its timeout ends",
    limit(),
    at(0, 1, 2, 601, 602),
    ["allowed", "allowed", "limited", "limited", "allowed"],
  ],
  [
    "without a timeout it is blocked for the rest of the period",
    limit({ mitigationTimeout: 0 }),
    at(0, 1, 2, 59, 60),
    ["allowed", "allowed", "limited", "limited", "allowed"],
  ],
  [
    "clients are counted separately",
    limit(),
    [...at(0, 1), { at: 2, request: { ip: "203.0.113.10" } }, { at: 3 }],
    ["allowed", "allowed", "allowed", "limited"],
  ],
  [
    "clients are distinguished by a header",
    limit({ characteristics: ["cf.colo.id", 'http.request.headers["x-key"]'] }),
    [...at(0, 1), { at: 2, request: { headers: { "X-Key": "a" } } }, { at: 3 }],
    ["allowed", "allowed", "allowed", "limited"],
  ],
  [
    "what does not match is neither counted nor blocked",
    limit({}, { expression: 'http.request.method eq "POST"' }),
    [
      { at: 0, request: { method: "POST" } },
      { at: 0 },
      { at: 1, request: { method: "POST" } },
      { at: 2, request: { method: "POST" } },
      { at: 3 },
    ],
    ["allowed", "allowed", "allowed", "limited", "allowed"],
  ],
  [
    "responses of the origin count where the counting expression matches them",
    limit({ requestsPerPeriod: 1, countingExpression: "http.response.code eq 401" }),
    [
      { at: 0, status: 401 },
      { at: 1, status: 200 },
      { at: 2, status: 401 },
      { at: 3, status: 200 },
    ],
    ["allowed", "allowed", "allowed", "limited"],
  ],
  [
    "a rule that only logs blocks nothing",
    limit({}, { action: "log" }),
    at(0, 1, 2),
    ["allowed", "allowed", "allowed"],
  ],
])("%s", (_, one, steps, expected) => {
  expect(outcomes(one, steps)).toEqual(expected);
});

test("a limited client gets a 429, and the trace shows the count", () => {
  const first = simulate({ rulesets: [zone(RATELIMIT, limit({ requestsPerPeriod: 1 }))], request: get() });
  const second = simulate({
    rulesets: [zone(RATELIMIT, limit({ requestsPerPeriod: 1 }))],
    request: get(),
    limits: first.limits,
  });
  expect(second).toMatchObject({ outcome: "limited", rule: { ref: "limit" }, response: { status: 429 } });
  expect(second.trace[0]?.why).toBe("`true` is true; 2 of 1: over the limit");
});

test("the counters passed in are unchanged", () => {
  const rulesets = [zone(RATELIMIT, limit({ requestsPerPeriod: 1 }))];
  const { limits } = simulate({ rulesets, request: get() });
  const again = (): string => simulate({ rulesets, request: get(), limits }).outcome;
  expect([again(), again()]).toEqual(["limited", "limited"]);
  expect(simulate({ rulesets, request: get() }).outcome).toBe("allowed");
});

describe("a limit that counts responses only", () => {
  const failures = limit({ requestsPerPeriod: 1, countingExpression: "http.response.code eq 401" });

  it("is unknown when the response is not given", () => {
    expect(outcomes(failures, [{ at: 0 }, { at: 1 }, { at: 2 }])).toEqual(["allowed", "allowed", "unknown"]);
  });

  it("is known when the response is given, or the request cannot count", () => {
    const logins = limit({
      requestsPerPeriod: 1,
      countingExpression: 'http.request.method eq "POST" and http.response.code eq 401',
    });
    expect(outcomes(logins, at(0, 1, 2))).toEqual(["allowed", "allowed", "allowed"]);
    expect(
      outcomes(
        failures,
        [0, 1, 2].map((second) => ({ at: second, status: 200 })),
      ),
    ).toEqual(["allowed", "allowed", "allowed"]);
  });

  it("adds the value of a response header", () => {
    const scored = limit({ requestsPerPeriod: undefined, scorePerPeriod: 10, scoreResponseHeaderName: "X-Cost" });
    let limits: Limits | undefined;
    const seen = ["6", "6", "1"].map((cost) => {
      const one = simulate({
        rulesets: [zone(RATELIMIT, scored)],
        request: get(),
        clock: 0,
        limits,
        response: { status: 200, headers: { "X-Cost": cost } },
      });
      limits = one.limits;
      return one.outcome;
    });
    expect(seen).toEqual(["allowed", "allowed", "limited"]);
  });

  it("does not count the request that it blocks", () => {
    const once = limit({ requestsPerPeriod: 1, mitigationTimeout: 0, countingExpression: "http.response.code eq 401" });
    const steps = [0, 1, 2, 60].map((second) => ({ at: second, status: 401 }));
    expect(outcomes(once, steps)).toEqual(["allowed", "allowed", "limited", "allowed"]);
  });
});

test("requests that may have counted make the limit unknown", () => {
  const one = limit({ requestsPerPeriod: 1 }, { expression: "cf.bot_management.score lt 30" });
  expect(outcomes(one, [{ at: 0 }, { at: 1, request: { botScore: 1 } }])).toEqual(["allowed", "unknown"]);
});
