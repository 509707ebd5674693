import { renderSuggestions } from "../../../tools/cli/rules/prove/suggestions";
import type { JudgedZone } from "../../../core/invariants/judge";
import { readInvariants } from "../../../core/invariants/read";
import { suggestInvariants } from "../../../core/invariants/suggest";
import { TextDocument } from "../../../tools/rules-files/text/text-document";
import type { RuleInput } from "../../../core/simulator/index";

const NOW = new Date("2026-11-25");
const ADMIN = 'starts_with(http.request.uri.path, "/admin")';
const admin: RuleInput = { action: "block", description: "Close admin", expression: ADMIN };
const skip: RuleInput = { action: "skip", expression: "ip.src eq 192.0.2.7", actionParameters: { ruleset: "current" } };
const zone = (name: string, ...rules: RuleInput[]): JudgedZone => ({
  label: name,
  zone: { id: name, name },
  rulesets: [{ kind: "zone", zoneId: name, phase: "http_request_firewall_custom", rules }],
});
const many = (count: number, ...rules: RuleInput[]): JudgedZone[] =>
  Array.from({ length: count }, (_, index) => zone(`${String(index)}.com`, ...rules));

test("what nearly all zones stop is suggested, with the zone that breaks it", () => {
  const [first, ...others] = suggestInvariants({ now: NOW, zones: [...many(9, admin), zone("odd.com", skip, admin)] });
  expect(first).toMatchObject({
    invariant: { name: "Close admin", requests: ADMIN, must: { kind: "be-stopped" } },
    proved: 9,
    broken: [{ zone: { label: "odd.com" }, verdict: "violated" }],
  });
  expect(others).toEqual([]);
});

test("rules are the same in other notations", () => {
  const other = { ...admin, expression: `(${ADMIN})`, description: "" };
  expect(suggestInvariants({ now: NOW, zones: [...many(3, admin), zone("a.com", other)] })).toMatchObject([
    { proved: 4, broken: [] },
  ]);
});

test("what a few zones have is not suggested", () => {
  const zones = [...many(4, admin), ...["a.com", "b.com"].map((name) => zone(name))];
  expect(suggestInvariants({ now: NOW, zones })).toEqual([]);
});

test("limits, logs, redirects and managed rules are suggested as well", () => {
  const zones = ["a.com", "b.com"].map((name): JudgedZone => {
    const ruleset = (phase: string, rule: RuleInput) => ({ kind: "zone", zoneId: name, phase, rules: [rule] });
    const ratelimit = { characteristics: ["ip.src"], period: 60, requestsPerPeriod: 5, mitigationTimeout: 60 };
    const fromValue = { targetUrl: { value: "https://example.com/" }, statusCode: 301 };
    return {
      ...{ label: name, zone: { id: name, name } },
      rulesets: [
        ruleset("http_ratelimit", { action: "block", expression: 'http.request.method eq "POST"', ratelimit }),
        ruleset("http_request_dynamic_redirect", {
          action: "redirect",
          expression: "not ssl",
          actionParameters: { fromValue },
        }),
        ruleset("http_request_firewall_managed", {
          action: "execute",
          expression: "true",
          actionParameters: { id: "m1" },
        }),
        ruleset("http_request_firewall_custom", { action: "log", expression: "cf.threat_score gt 10" }),
      ],
    };
  });
  const found = suggestInvariants({ now: NOW, zones }).map(({ invariant: { requests, must } }) => [
    requests,
    must.kind,
  ]);
  expect(found).toEqual(
    expect.arrayContaining([
      ['http.request.method eq "POST"', "be-limited"],
      ["not ssl", "redirect"],
      ["true", "reach-managed-rules"],
    ]),
  );
});

test("nothing is made of rules that are left out or disabled, or that are about responses", () => {
  const response = { action: "block", expression: "http.response.code eq 404" };
  const zones = many(3, { ...admin, enabled: false }, response);
  expect(suggestInvariants({ now: NOW, zones })).toEqual([]);
  expect(suggestInvariants({ now: NOW, zones: many(3, admin), isLeftOut: () => true })).toEqual([]);
});

test("the text is a file of invariants", () => {
  const zones = [...many(9, admin, { ...admin, expression: "cf.client.bot" }), zone("odd.com", skip, admin)];
  const text = renderSuggestions(suggestInvariants({ now: NOW, zones }), zones, []);
  expect(text).toContain("# Zones that break the most of it: odd.com (2).");
  expect(text).toContain("  # Proved in 9 of 10 zones\n  # - violated in odd.com: GET https://odd.com/admin");
  expect(readInvariants(TextDocument.parse(text, "suggested.yaml"))).toMatchObject([
    { name: "Close admin", must: { kind: "be-stopped" } },
    { name: "Close admin (2)", requests: "cf.client.bot" },
  ]);
});
