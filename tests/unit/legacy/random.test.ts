import { convert } from "../../../core/legacy/convert.js";
import type { WireRules } from "../../../core/legacy/old-rules.js";
import { unprovedRules } from "../../../core/legacy/proof.js";
import { parseOldRules } from "../../../core/legacy/old-rules.js";
import { SETTING_NAMES } from "../../../core/legacy/settings.js";
import { TIMES } from "../../support/fuzzing.js";
import { fc, runs } from "../../support/properties.js";
import { newOutcome, oldOutcome, programOf, withoutLeft, type OldRequest } from "./model.js";

const HOSTS = [
  "example.com",
  "www.example.com",
  "*example.com",
  "*.example.com",
  "*",
  "http://shop.example.com",
  "https://*.example.com",
];
const PATHS = ["/", "/*", "/a/*", "/a/b", "/*/b", "/*.txt", "/A*", "/a*b*", "/*?q=*", "/a?q=1", "/x/*/y/*", "*"];
const ADDRESSES = ["192.0.2.1", "192.0.2.0/24", "198.51.100.7", "198.51.100.0/25", "2001:db8::/64", "2001:db8::9"];
const AGENTS = ["BadBot/1.0.2 (+http://bad.bot)", 'a "quoted" \\ agent', "curl/8"];
const MODES = ["block", "challenge", "js_challenge", "managed_challenge"];
const COOKIES = ["bypass=.*|PHPSESSID=.*", "t.*st=", "session"];

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  cache_level: ["bypass", "basic", "simplified", "aggressive", "cache_everything"],
  browser_cache_ttl: [0, 300],
  edge_cache_ttl: [60],
  cache_ttl_by_status: [{ "200-299": 60, "404": "no-cache", "500-599": "no-store" }],
  cache_key_fields: [{ query_string: { exclude: "*" }, user: { geo: true } }],
  bypass_cache_on_cookie: COOKIES,
  cache_on_cookie: COOKIES,
  polish: ["off", "lossy"],
  security_level: ["high"],
  ssl: ["full", "flexible"],
  host_header_override: ["other.example.net"],
  resolve_override: ["origin.example.com"],
  // Not known to this version, so that its rule is left alone.
  rocket_loader: ["on", "off", "sideways"],
};
const TARGETS = [
  "https://new.example.org/",
  "https://new.example.org/$1",
  "https://new.example.org/$2/$1?x=1",
  "http://$1.example.org/",
];

const pick = <T>(values: readonly T[]) => fc.constantFrom(...values);
const setting = pick(SETTING_NAMES.filter((id) => id !== "forwarding_url")).chain((id) =>
  pick(VALUES[id] ?? ["on", "off"]).map((value) => ({ id, value })),
);
const forwarding = fc
  .record({ url: pick(TARGETS), status_code: pick([301, 302]) })
  .map((value) => [{ id: "forwarding_url", value }]);
const url = fc.tuple(pick(HOSTS), pick(PATHS)).map((parts) => parts.join("").replaceAll("**", "*"));
const pageRule = fc.record({
  url,
  actions: fc.oneof(
    { weight: 1, arbitrary: forwarding },
    { weight: 2, arbitrary: fc.uniqueArray(setting, { minLength: 1, maxLength: 3, selector: ({ id }) => id }) },
  ),
});
const zone = fc.record({
  pages: fc.array(pageRule, { maxLength: 6 }),
  agents: fc.array(fc.record({ value: pick(AGENTS), mode: pick(MODES) }), { maxLength: 3 }),
  lockdowns: fc.array(
    fc.record({
      urls: fc.array(url, { minLength: 1, maxLength: 2 }),
      addresses: fc.array(pick(ADDRESSES), { minLength: 1, maxLength: 3 }),
    }),
    { maxLength: 2 },
  ),
  access: fc.array(
    fc.record({
      configuration: fc.oneof(
        pick(ADDRESSES).map((value) => ({ target: "ip_range", value })),
        pick(["DE", "US", "T1"]).map((value) => ({ target: "country", value })),
        pick(["AS64496", "AS13335"]).map((value) => ({ target: "asn", value })),
      ),
      mode: pick([...MODES, "whitelist"]),
    }),
    { maxLength: 4 },
  ),
});

const hex = (kind: string, index: number): string => `${kind}${String(index)}`.padEnd(12, "0");
const wireOf = ({
  pages,
  agents,
  lockdowns,
  access,
}: typeof zone extends fc.Arbitrary<infer Z> ? Z : never): WireRules =>
  JSON.parse(
    JSON.stringify({
      pageRules: pages.map((one, index) => ({
        id: hex("p", index),
        targets: [{ target: "url", constraint: { operator: "matches", value: one.url } }],
        actions: one.actions,
        priority: pages.length - index,
        status: "active",
      })),
      userAgents: agents.map(({ value, mode }, index) => ({
        id: hex("u", index),
        mode,
        configuration: { target: "ua", value },
      })),
      lockdowns: lockdowns.map(({ urls, addresses }, index) => ({
        id: hex("l", index),
        urls,
        priority: index,
        configurations: addresses.map((value) => ({ target: value.includes("/") ? "ip_range" : "ip", value })),
      })),
      accessRules: access.map((one, index) => ({ id: hex("a", index), ...one })),
      rateLimits: [],
    }),
  ) as WireRules;

const request = fc.record<OldRequest>({
  url: fc
    .tuple(
      pick(["http", "https"]),
      pick(["example.com", "www.example.com", "shop.example.com", "a.b.example.com"]),
      pick(["/", "/a/b", "/A/x.txt", "/a", "/ab/b", "/x/1/y/2", "/example.com/a/b", "/c.txt"]),
      pick(["", "?q=1", "?q=1&z=/b", "?", "?u=.txt"]),
    )
    .map(([scheme, host, path, query]) => `${scheme}://${host}${path}${query}`),
  ip: pick(["192.0.2.1", "192.0.2.9", "198.51.100.7", "203.0.113.9", "2001:db8::9", "2001:db8::1:0:0:1"]),
  country: pick(["DE", "US", "T1", "FR"]),
  asn: pick([64_496, 13_335, 1]),
  userAgent: pick([...AGENTS, "Mozilla/5.0"]),
  cookie: pick(["", "bypass=1", "a=2; teeest=1", "session", "x=1"]),
});

describe("new rules and the model of the old ones", () => {
  it("are proved to apply to the same requests", () => {
    fc.assert(
      fc.property(zone, (given) => {
        const old = parseOldRules(wireOf(given));
        const unproved = [...unprovedRules(old, convert(old, { plan: "enterprise", listSuffix: "zone" }))];
        // Which of two settings applied that contradict each other is not known, so that nothing can be proved.
        expect(unproved.filter(([, why]) => !why.startsWith("two of its settings contradict each other"))).toEqual([]);
      }),
      { numRuns: runs(20) },
    );
  });

  it("treat requests alike, also beside rules that are left alone", () => {
    let [tried, all, zonesWithLeft] = [0, 0, 0];
    fc.assert(
      fc.property(zone, fc.array(request, { minLength: 100, maxLength: 100 }), (given, requests) => {
        const old = parseOldRules(wireOf(given));
        const conversion = convert(old, { plan: "enterprise", listSuffix: "zone" });
        const program = programOf(conversion);
        const { converted, isDecided } = withoutLeft(old, conversion);
        zonesWithLeft += Number(conversion.notes.some(({ kind }) => kind === "left"));
        all += requests.length;
        for (const one of requests.filter(isDecided)) {
          tried += 1;
          expect(newOutcome(program, one)).toEqual(oldOutcome(converted, one));
        }
      }),
      { numRuns: runs(100) },
    );
    if (TIMES > 1) process.stdout.write(`${String(tried)} of ${String(all)} requests compared\n`);
    // Otherwise the zones of this test do not show much.
    expect([tried > all * 0.8, zonesWithLeft > 0]).toEqual([true, true]);
  });
});
