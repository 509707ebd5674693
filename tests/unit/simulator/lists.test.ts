import { makeRequest } from "../../../core/language/index.js";
import { compileProgram, simulate, type ListsInput, type RuleInput } from "../../../core/simulator/index.js";

const simulated = (
  rule: RuleInput,
  lists: ListsInput,
  request: Parameters<typeof makeRequest>[0],
  phase = "http_request_firewall_custom",
) => simulate({ rulesets: [{ kind: "zone", phase, rules: [rule], lists }], request });

const url = "https://shop.example.com/old?a=1";
const lists: ListsInput = {
  office: { kind: "ip", items: ["192.0.2.0/24", "2001:db8::7"] },
  hosts: { kind: "hostname", items: ["*.example.com"] },
  networks: { kind: "asn", items: [64500] },
  moves: { kind: "redirect", items: [{ sourceUrl: "shop.example.com/old", targetUrl: "https://example.com/new" }] },
};

test.each([
  ["ip.src in $office", { url, ip: "192.0.2.9" }, "blocked"],
  ["ip.src in $office", { url, ip: "198.51.100.9" }, "allowed"],
  ["http.host in $hosts", { url }, "blocked"],
  ["ip.src.asnum in $networks", { url, asn: 64500 }, "blocked"],
  ["http.request.full_uri in $moves", { url: "https://shop.example.com/old" }, "blocked"],
  ["ip.src in $elsewhere", { url, ip: "192.0.2.9" }, "unknown"],
  ["ip.src in $constructor", { url, ip: "192.0.2.9" }, "unknown"],
])("%s for %j: %s", (expression, request, outcome) => {
  expect(simulated({ action: "block", expression }, lists, request).outcome).toBe(outcome);
});

test("a request is tried with other items if it says so", () => {
  const request = { url, ip: "203.0.113.7", lists: { office: ["203.0.113.7"] } };
  expect(simulated({ action: "block", expression: "ip.src in $office" }, lists, request).outcome).toBe("blocked");
});

test("a rule redirects by the redirects of its list", () => {
  const rule = {
    action: "redirect",
    expression: "true",
    actionParameters: { fromList: { name: "moves", key: "http.request.full_uri" } },
  };
  const { response } = simulated(rule, lists, { url }, "http_request_redirect");
  expect(response).toMatchObject({ status: 301, headers: { location: "https://example.com/new" } });
  const redirectLists = { moves: [{ sourceUrl: "shop.example.com/old", targetUrl: "https://example.com/other" }] };
  const rulesets = [{ kind: "zone", phase: "http_request_redirect", rules: [rule], lists }];
  expect(simulate({ rulesets, request: { url }, redirectLists }).response?.headers).toEqual({
    location: "https://example.com/other",
  });
});

test("what a rate limit counts may depend on a list", () => {
  const rule = {
    action: "block",
    expression: "true",
    ratelimit: {
      characteristics: ["ip.src"],
      period: 60,
      requestsPerPeriod: 1,
      mitigationTimeout: 60,
      countingExpression: "ip.src in $office",
    },
  };
  const program = compileProgram([{ kind: "zone", phase: "http_ratelimit", rules: [rule], lists }]);
  const last = (ip: string) => {
    const request = { url, ip };
    const { limits } = simulate({ program, request, clock: 0, response: { status: 200 } });
    const again = simulate({ program, request, clock: 0, limits, response: { status: 200 } });
    return simulate({ program, request, clock: 0, limits: again.limits }).outcome;
  };
  expect([last("192.0.2.9"), last("203.0.113.9")]).toEqual(["limited", "allowed"]);
});
