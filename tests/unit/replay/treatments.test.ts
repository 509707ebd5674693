import { findField } from "../../../core/language/catalogue/index";
import { DERIVED } from "../../../core/language/request/fields";
import type { Type } from "../../../core/language/type";
import { readDefaults, reasonText, requestWith } from "../../../tools/cli/rules/replay/defaults";
import { placeOf } from "../../../tools/cli/rules/replay/recorded";
import { Recorded } from "../../../tools/cli/rules/replay/recorded";
import { readLogLine, recordedRequest } from "../../../tools/cli/rules/replay/request-log";
import { Treatments, type Treatment } from "../../../tools/cli/rules/replay/treatments";
import { describeOutcome, directionOf, mayBeLooser } from "../../../tools/cli/rules/traffic/outcome";
import {
  compileVersions,
  NO_LIMITS,
  simulate,
  type ProgramVersions,
  type RuleInput,
  type RulesetInput,
} from "../../../core/simulator/index";
import { SEED } from "../../support/fuzzing";
import { fc, runs } from "../../support/properties";

type Condition = fc.Arbitrary<string>;
const letter = fc.constantFrom("a", "b", "/", "1", "%", "");
const ofText = (name: string): Condition =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom("eq", "ne", "contains", "wildcard"), letter)
      .map(([op, text]) => `${name} ${op} "${text}"`),
    fc.constantFrom(`${name} matches "[0-9]"`, `${name} in {"a.example.com" "/a" "a" "GET" "DE"}`),
    fc.constantFrom(`starts_with(${name}, "/a")`, `lower(${name}) eq "/a/b"`, `len(${name}) gt 6`),
  );

/** Any condition about a value of a type. */
function conditionOn(name: string, type: Type): Condition {
  switch (type.kind) {
    case "boolean":
      return fc.constantFrom(name, `not ${name}`);
    case "integer":
      return fc.integer({ min: 0, max: 99 }).map((number) => `${name} lt ${String(number)}`);
    case "ip":
      return fc.constantFrom(
        `${name} in {192.0.2.0/24 2001:db8::/32}`,
        `${name} eq 198.51.100.1`,
        `${name} in $office`,
      );
    case "string":
      return ofText(name);
    case "array":
      return type.of.kind === "string"
        ? fc.constantFrom(`any(${name}[*] contains "a")`, `all(${name}[*] ne "b")`, `len(${name}) gt 1`)
        : fc.constantFrom(`len(${name}) gt 1`);
    case "map":
      return fc.constantFrom("a", "user-agent", "host").map((key) => `any(${name}["${key}"][*] contains "a")`);
    case "unknown":
      return fc.constant("ssl");
  }
}

const FIELDS = [...Object.keys(DERIVED), "cf.waf.score", "ip.src.city", "cf.tls_version"];
const known = FIELDS.flatMap((name) => {
  const type = findField(name)?.type;
  return type === undefined ? [] : [conditionOn(name, type)];
});
const condition = fc.oneof(
  ...known,
  fc.constantFrom("hash_in_range(0, 100, cf.random_seed) lt 50", "http.host eq http.referer", "true"),
  fc.constantFrom('concat(http.host, http.request.uri.path) eq "a.example.com/a"', "http.request.full_uri in $urls"),
);
const expression = fc.oneof(
  condition,
  fc.tuple(condition, condition, fc.constantFrom("and", "or", "xor")).map(([a, b, op]) => `(${a}) ${op} (${b})`),
  fc.tuple(condition, condition, condition).map(([a, b, c]) => `not (${a} and (${b} or ${c}))`),
);
const limit = { characteristics: ["ip.src"], period: 10, requestsPerPeriod: 1, mitigationTimeout: 10 };
const effect = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Omit<RuleInput, "expression">>({ action: "block" }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Omit<RuleInput, "expression">>(
      { action: "managed_challenge" },
      { action: "log" },
      { action: "skip", actionParameters: { ruleset: "current" } },
      { action: "skip", actionParameters: { phases: ["http_ratelimit", "http_request_firewall_managed"] } },
      { action: "execute", actionParameters: { id: "shared" } },
      { action: "execute", actionParameters: { id: "managed" } },
      { action: "block", exposedCredentialCheck: {} },
      { action: "redirect", actionParameters: { fromValue: { targetUrl: { value: "https://b.example.com/" } } } },
      {
        action: "redirect",
        actionParameters: { fromValue: { targetUrl: { expression: "concat(ip.src.country, http.host)" } } },
      },
      { action: "redirect", actionParameters: { fromList: { name: "urls", key: "http.request.full_uri" } } },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Omit<RuleInput, "expression">>(
      { action: "rewrite", actionParameters: { uri: { path: { value: "/a/b" } } } },
      { action: "rewrite", actionParameters: { headers: { "user-agent": { operation: "set", value: "a" } } } },
      { action: "block", ratelimit: limit },
      { action: "block", ratelimit: { ...limit, countingExpression: 'http.request.uri.path contains "a"' } },
      { action: "log", ratelimit: { ...limit, characteristics: ["ip.src", "http.host"] } },
    ),
  },
);
const rule = fc.record({ effect, expression, enabled: fc.boolean() });
const rules = fc
  .array(rule, { maxLength: 5 })
  .map((list) =>
    list.map(({ effect: own, ...rest }, index): RuleInput => ({ ...own, ...rest, ref: `r${String(index)}` })),
  );
const lists = {
  office: { kind: "ip" as const, items: ["192.0.2.7"] },
  urls: {
    kind: "redirect" as const,
    items: [{ sourceUrl: "https://a.example.com/a", targetUrl: "https://b.example.com/", statusCode: 301 as const }],
  },
};
const program = fc
  .record({ parts: fc.tuple(rules, rules, rules, rules, rules), known: fc.boolean() })
  .map(({ parts: [early, transform, custom, limits, shared], known: isKnown }): RulesetInput[] => {
    const zone = (phase: string, own: RuleInput[]) => ({
      kind: "zone",
      phase,
      rules: own,
      ...(isKnown ? { lists } : {}),
    });
    return [
      zone("http_request_dynamic_redirect", early),
      zone("http_request_transform", transform),
      zone("http_request_firewall_custom", custom),
      { ...zone("http_request_firewall_custom", shared), kind: "custom", id: "shared" },
      zone("http_ratelimit", limits),
      zone("http_response_headers_transform", early),
    ];
  });

/** Mostly one of some values. */
const mostly = (usual: readonly unknown[], odd: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 15, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });

/** Lines of a log with few values, so that they come again, and with values that no service writes. */
const line = fc.record(
  {
    ClientRequestHost: mostly(
      ["a.example.com", "A.example.com:8080", "b.example.com", "ü.example.com"],
      ["", "a@b", "a/b", "a?b", "a#b", 7, "a b"],
    ),
    ClientRequestURI: mostly(
      ["/", "/a", "/a/b?a=1&b=a", "/b.a?", "/a//b/../a", "/%61?x#a?b", "/a#b?c", "//a/b", "/a bü"],
      ["", "*", "https://b.example.com/a", "?a=1", null],
    ),
    ClientRequestPath: fc.constantFrom("/a", ""),
    ClientRequestScheme: mostly(["https", "http", "HTTPS", ""], ["ftp"]),
    ClientRequestMethod: fc.constantFrom("GET", "post", "", 1),
    ClientRequestProtocol: mostly(["HTTP/1.1", "HTTP/2", "HTTP/3", "none", ""], ["HTTP/11.7"]),
    ClientRequestUserAgent: fc.constantFrom("curl/8 a", "", "b\u0001", "A1"),
    ClientRequestReferer: fc.constantFrom("", "https://a.example.com/a", "a.example.com"),
    ClientIP: mostly(["192.0.2.7", "198.51.100.1", "2001:db8::1", ""], ["192.0.2.300", "x"]),
    ClientCountry: fc.constantFrom("de", "FR", "", "a"),
    ClientASN: fc.constantFrom(1, 64_496, 1.5, "1"),
    BotScore: fc.constantFrom(0, 1, 30, 99),
    EdgeStartTimestamp: fc.constantFrom("2026-11-01T10:00:00Z", "2026-11-01T10:00:04.5Z", 1_790_000_000, "x", ""),
    WorkerSubrequest: fc.constantFrom(false, true, "x"),
    RayID: fc.constantFrom("1", "2", "3", ""),
    Cookies: fc.constantFrom({}, {}, { a: "a" }, null),
    RequestHeaders: mostly(
      [{}, null, {}],
      [{ host: "a.example.com" }, { "user-agent": "a", a: "a" }, { Host: 1 }, "x"],
    ),
  },
  { requiredKeys: ["ClientRequestHost", "ClientRequestURI"] },
);
const defaults = fc.constantFrom(
  {},
  { ip: "192.0.2.7" },
  { country: "FR", field: ["cf.waf.score=12"] },
  { field: ["cf.bot_management.score=5", "ip.src=198.51.100.1", "ip.src.country=DE"] },
);

/** What the simulator says of each line, on its own; `undefined` for one without a request. */
function simulated(
  versions: ProgramVersions,
  lines: readonly object[],
  options: ReturnType<typeof readDefaults>,
): readonly (Treatment | undefined)[] {
  let limits = { before: NO_LIMITS, after: NO_LIMITS };
  return lines.map((text) => {
    const record = readLogLine(text);
    if (record === undefined) return undefined;
    const recorded = recordedRequest(record);
    try {
      const run = (version: "before" | "after") =>
        simulate({
          program: versions[version],
          request: requestWith(options, { ...recorded.request, draw: placeOf(recorded) }),
          clock: recorded.at === undefined ? undefined : recorded.at * 1000,
          limits: limits[version],
        });
      const [before, after] = [run("before"), run("after")];
      limits = { before: before.limits, after: after.limits };
      const because = [before, after].flatMap(({ outcomeWithoutManaged, undecided }) =>
        outcomeWithoutManaged === "unknown" ? undecided.flatMap((one) => one.because) : [],
      );
      return {
        from: describeOutcome(before),
        to: describeOutcome(after),
        direction: directionOf(before, after),
        mayBeLooser: mayBeLooser(before, after),
        reasons: Array.from(new Set(because.map(reasonText))),
      };
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  });
}

/** What the replay says of each line, after all lines before it. */
function treated(
  versions: ProgramVersions,
  lines: readonly object[],
  options: ReturnType<typeof readDefaults>,
): readonly (Treatment | undefined)[] {
  const treatments = new Treatments(versions, undefined, options);
  return lines.map((text) => {
    const record = readLogLine(text);
    if (record === undefined) return undefined;
    try {
      return treatments.of(new Recorded(record, { defaults: options, draws: true }));
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  });
}

const blocking = (...expressions: readonly string[]): RulesetInput[] => {
  const rules = expressions.map((one, index) => ({ ref: `r${String(index)}`, action: "block", expression: one }));
  return [{ kind: "zone", phase: "http_request_firewall_custom", rules, lists }];
};

test.each([...FIELDS, "cf.random_seed"])("a rule about %s treats each line as the simulator does", (name) => {
  const type = findField(name)?.type;
  const asked =
    name === "cf.random_seed" || type === undefined
      ? fc.constant(`hash_in_range(0, 100, ${name}) lt 50`)
      : conditionOn(name, type);
  const cases = fc.tuple(asked, asked, condition, fc.array(line, { minLength: 60, maxLength: 60 }), defaults);
  for (const [one, two, other, lines, options] of fc.sample(cases, { numRuns: runs(3), seed: SEED })) {
    const versions = (): ProgramVersions => compileVersions(blocking(one, other), blocking(two));
    const read = readDefaults(options);
    expect(treated(versions(), lines, read)).toEqual(simulated(versions(), lines, read));
  }
});

test("each line of a log is treated as the simulator treats its request, whatever the rules and the lines before it", () => {
  let [requests, without, changed, unknown] = [0, 0, 0, 0];
  fc.assert(
    fc.property(
      program,
      program,
      fc.array(line, { minLength: 20, maxLength: 60 }),
      defaults,
      (before, after, lines, options) => {
        const read = readDefaults(options);
        const found = treated(compileVersions(before, after), lines, read);
        expect(found).toEqual(simulated(compileVersions(before, after), lines, read));
        requests += found.length;
        without += found.filter((one) => one === undefined).length;
        changed += found.filter((one) => one !== undefined && one.from !== one.to).length;
        unknown += found.filter((one) => one?.to === "unknown").length;
      },
    ),
    { numRuns: runs(60) },
  );
  // All kinds of lines were among them.
  const kinds = { without, changed, unknown, same: requests - without - changed };
  expect(Object.entries(kinds).filter(([, count]) => count < 100)).toEqual([]);
});
