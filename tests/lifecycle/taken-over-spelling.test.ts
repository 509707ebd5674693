import type { Service } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { ManagedRuleset, startService } from "./harness.js";
import { ManagedResource } from "./managed.js";

/* What the service spells otherwise than a program is no conflict: nothing would be written. */

const custom = "http_request_firewall_custom";
const managed = "http_request_firewall_managed";
const [one, two] = ["1".repeat(32), "2".repeat(32)];
const off = (key: string, ...names: readonly (string | undefined)[]) =>
  names.map((name) => ({ [key]: name, enabled: false }));
const executing = (overrides: object) => ({
  action: "execute",
  expression: "true",
  actionParameters: { id: "efb7b8c949ac4650a09736fc376e9aee", overrides },
});
const blocking = (more: object) => ({ action: "block", expression: "ssl", ...more });
const limiting = (ratelimit: object) => blocking({ ratelimit: { period: 60, requestsPerPeriod: 9, ...ratelimit } });
const skipping = (actionParameters: object) => ({ action: "skip", expression: "ssl", actionParameters });
const caching = (names: readonly string[], additionalCacheablePorts: readonly number[], user?: object) => ({
  action: "set_cache_settings",
  expression: "ssl",
  actionParameters: { cacheKey: { customKey: { cookie: { includes: names }, user } }, additionalCacheablePorts },
});
const logging = (...names: readonly string[]) => ({
  ...{ action: "log_custom_field", expression: "true" },
  actionParameters: { cookieFields: names.map((name) => ({ name })) },
});
const redirecting = (more: object) => ({
  action: "redirect",
  expression: "ssl",
  actionParameters: { fromValue: { targetUrl: { value: "https://a.test" }, ...more } },
});

/** A phase, the rule as the service has it, and as a program writes it. */
const cases: Readonly<Record<string, readonly [string, object, object]>> = {
  "escaped signs": [
    custom,
    blocking({ description: "R&amp;D &lt;it&#39;s&gt;" }),
    blocking({ description: "R&D <it's>" }),
  ],
  "spaces in a description": [custom, blocking({ description: "a b" }), blocking({ description: " a  b " })],
  "spaces in an expression": [
    custom,
    blocking({ expression: '(http.host eq "a")' }),
    blocking({ expression: 'http.host  == "a"' }),
  ],
  "operators in capitals": [custom, blocking({ expression: "ssl and true" }), blocking({ expression: "ssl && true" })],
  "the order of a set": [
    custom,
    blocking({ expression: "ip.src in {192.0.2.1 192.0.2.2}" }),
    blocking({ expression: "ip.src in {192.0.2.2 192.0.2.1}" }),
  ],
  "the order of overridden rules": [
    managed,
    executing({ rules: off("id", one, two) }),
    executing({ rules: off("id", two, one) }),
  ],
  "the order of what a limit counts by": [
    "http_ratelimit",
    limiting({ characteristics: ["ip.src", "cf.colo.id"], requestsToOrigin: false, mitigationTimeout: 0 }),
    limiting({ characteristics: ["cf.colo.id", "ip.src"] }),
  ],
  "the order of skipped phases and products": [
    custom,
    skipping({ phases: ["http_ratelimit", "http_request_sbfm"], products: ["bic", "waf"] }),
    skipping({ phases: ["http_request_sbfm", "http_ratelimit"], products: ["waf", "bic"] }),
  ],
  "the order of what a cache key contains, and what is off": [
    "http_request_cache_settings",
    caching(["a", "b"], [8080, 8443]),
    caching(["b", "a"], [8443, 8080], { geo: false }),
  ],
  "the order of logged fields": ["http_log_custom_fields", logging("a", "b"), logging("b", "a")],
  "the notation of addresses": [
    custom,
    blocking({ expression: "ip.src in {192.0.2.0/24 2001:db8::1}" }),
    blocking({ expression: "ip.src in {192.0.2.0/24 2001:DB8:0:0::1}" }),
  ],
  "the quotes of a text": [
    custom,
    blocking({ expression: 'http.host eq "a"' }),
    blocking({ expression: 'http.host eq r#"a"#' }),
  ],
  "a default that is left out": [
    "http_request_dynamic_redirect",
    redirecting({ statusCode: 301, preserveQueryString: false }),
    redirecting({ statusCode: 301 }),
  ],
  "the order of tags with one effect": [
    managed,
    executing({ categories: off("category", "a", "b") }),
    executing({ categories: off("category", "b", "a") }),
  ],
};

let service: Service;
let zoneId: string;
beforeEach(async () => {
  ({ service, zoneId } = await startService({
    accounts: [{ name: "a" }],
    zones: [{ name: "z.example", plan: "enterprise" }],
  }));
});

describe.each([
  ["a whole ruleset", "PhaseEntrypoint", {}],
  ["a shared list", "PhaseEntrypoint", { ownership: "shared" }],
  ["a rule", "RulesetRule", undefined],
] as const)("%s", (_, kind, more) => {
  test.each(Object.entries(cases))("%s", async (_name, [phase, there, wanted]) => {
    await new ManagedRuleset("PhaseEntrypoint", service, "urn:first").up({
      zoneId,
      phase,
      rules: [{ ...there, ref: "r" }],
    });
    const second = new ManagedResource(kind, service, "urn:second");
    const rule = { ...wanted, ref: "r" };
    const args = { zoneId, phase, ...(more === undefined ? rule : { ...more, rules: [rule] }) };
    expect((await second.preview(args)).plans.join()).not.toMatch(/P(OST|UT|ATCH) /);
    expect(writesIn((await second.up(args)).requests)).toEqual([]);
    await second.settled(args);
  });
});

test("tags with different effects keep their order", async () => {
  const categories = (...names: readonly string[]) =>
    names.map((category) => ({ category, enabled: category === "a" }));
  const rulesOf = (...names: readonly string[]) => [{ ...executing({ categories: categories(...names) }), ref: "r" }];
  await new ManagedRuleset("PhaseEntrypoint", service, "urn:first").up({
    zoneId,
    phase: managed,
    rules: rulesOf("a", "b"),
  });
  const second = new ManagedRuleset("PhaseEntrypoint", service, "urn:second");
  await expect(second.up({ zoneId, phase: managed, rules: rulesOf("b", "a") })).rejects.toThrow("already exists");
});

test("the description and the name of a ruleset", async () => {
  const args = (text: string) => ({
    zoneId,
    kind: "zone",
    phase: custom,
    name: text,
    description: text,
    rules: [blocking({})],
  });
  await new ManagedRuleset("Ruleset", service, "urn:first").up(args("R&amp;D"));
  const second = new ManagedRuleset("Ruleset", service, "urn:second");
  expect(writesIn((await second.up(args("R&D"))).requests)).toEqual([]);
  await second.settled(args("R&D"));
});
