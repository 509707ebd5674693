import { makeRequest } from "../../../core/language/index";
import { compileVersions, NO_LIMITS, simulate, type RuleInput, type RulesetInput } from "../../../core/simulator/index";
import { fc } from "../../support/properties";

const condition = fc.constantFrom(
  ...['http.host eq "a.example.com"', 'http.host in {"b.example.com" "a.example.com"}', "ssl", "not ssl"],
  ...['starts_with(http.request.uri.path, "/x")', 'http.request.uri.path eq "/x/y"', "cf.waf.score lt 20"],
  ...['http.request.uri.path contains "/z"', 'lower(http.request.uri.path) eq "/x/y"', "ip.src in {192.0.2.0/24}"],
  ...[
    'ip.src.country eq "DE"',
    "hash_in_range(0, 100, cf.random_seed) lt 50",
    "ip.src in $office",
    'http.user_agent eq ""',
  ],
);
const expression = fc.oneof(
  condition,
  fc.tuple(condition, condition, fc.constantFrom("and", "or", "xor")).map(([a, b, op]) => `(${a}) ${op} (${b})`),
  fc.tuple(condition, condition, condition).map(([a, b, c]) => `not (${a} and (${b} or ${c}))`),
);
const effect = fc.constantFrom<Omit<RuleInput, "expression">>(
  { action: "block" },
  { action: "managed_challenge" },
  { action: "log" },
  { action: "skip", actionParameters: { ruleset: "current" } },
  { action: "skip", actionParameters: { phases: ["http_request_firewall_custom", "http_request_firewall_managed"] } },
  { action: "execute", actionParameters: { id: "shared" } },
  { action: "execute", actionParameters: { id: "managed" } },
  { action: "rewrite", actionParameters: { uri: { path: { value: "/x/y" } } } },
  {
    action: "block",
    ratelimit: { characteristics: ["ip.src"], period: 10, requestsPerPeriod: 1, mitigationTimeout: 10 },
  },
);
const rule = fc.record({ effect, expression, enabled: fc.boolean() });
const rules = fc
  .array(rule, { maxLength: 6 })
  .map((list) =>
    list.map(({ effect: own, ...rest }, index): RuleInput => ({ ...own, ...rest, ref: `r${String(index)}` })),
  );
const lists = { office: { kind: "ip" as const, items: ["192.0.2.7"] } };
const program = fc
  .record({ early: rules, custom: rules, limits: rules, shared: rules, known: fc.boolean() })
  .map(({ early, custom, limits, shared, known }): RulesetInput[] => [
    { kind: "zone", phase: "http_request_transform", rules: early },
    { kind: "zone", phase: "http_request_firewall_custom", rules: custom, ...(known ? { lists } : {}) },
    { kind: "custom", id: "shared", phase: "http_request_firewall_custom", rules: shared },
    { kind: "zone", phase: "http_ratelimit", rules: limits },
  ]);
const request = fc.record({
  url: fc.constantFrom("https://a.example.com/x/y", "http://b.example.com//x/../z", "https://c.example.com/X/Y?z"),
  ip: fc.constantFrom(undefined, "192.0.2.7", "198.51.100.1"),
  country: fc.constantFrom(undefined, "DE", "FR"),
  draw: fc.constantFrom(undefined, 0.2, 0.7),
});

test("without a trace, everything else is the same, for one request after the other and for two versions", () => {
  fc.assert(
    fc.property(program, program, fc.array(request, { minLength: 1, maxLength: 4 }), (before, after, requests) => {
      const versions = compileVersions(before, after);
      // Both versions see the same requests, so that they share what they evaluate.
      const made = requests.map(makeRequest);
      for (const version of ["before", "after"] as const) {
        let [limits, silentLimits] = [NO_LIMITS, NO_LIMITS];
        for (const request of made) {
          const input = { program: versions[version], request, clock: 0 };
          const traced = simulate({ ...input, limits });
          const silent = simulate({ ...input, limits: silentLimits, trace: false });
          const { trace, matched, ...rest } = traced;
          expect(trace.length).toBeGreaterThanOrEqual(matched.length);
          expect(silent).toEqual({ ...rest, request: expect.anything() as unknown, trace: [], matched: [] });
          expect(silent.request.parts).toEqual(rest.request.parts);
          limits = traced.limits;
          silentLimits = silent.limits;
        }
      }
    }),
  );
});
