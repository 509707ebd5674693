import type { RequestInput } from "../../../core/language/index";
import type { RuleInput, RulesetInput } from "../../../core/simulator/index";
import { fc } from "../../support/properties.js";

// Rulesets with few fields and values, so that rules overlap, and requests that match them.

const text = fc.constantFrom("a", "ab", "b", "A", "Ab", "", "a.b", "ba");
const path = fc.constantFrom("/", "/a", "/ab", "/a/b", "/A", "/b", "a", "/a?b", "/a.b", "/a#b");
const address = fc.constantFrom("10.0.0.1", "10.0.0.9", "10.1.0.1", "2001:db8::1", "2001:db9::");
const network = fc.constantFrom(
  "10.0.0.0/8",
  "10.0.0.0/24",
  "10.0.0.1",
  "10.0.0.0..10.0.0.4",
  "2001:db8::/32",
  "0.0.0.0/0",
  "::/0",
);
const quote = (value: string): string => `"${value}"`;

function textTests(operand: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    fc
      .tuple(fc.constantFrom("eq", "ne", "lt", "le", "gt", "ge"), value)
      .map(([op, one]) => `${operand} ${op} ${quote(one)}`),
    value.map((one) => `${operand} contains ${quote(one)}`),
    fc.array(value, { maxLength: 3 }).map((all) => `${operand} in {${all.map(quote).join(" ")}}`),
    fc.constantFrom("*a*", "a*", "*B", "/*", "/a*b", "*").map((one) => `${operand} wildcard ${quote(one)}`),
    fc.constantFrom("/A*", "*a", "*a*b*").map((one) => `${operand} strict wildcard ${quote(one)}`),
    fc
      .constantFrom(
        "^/a",
        "a$",
        "^a?b*$",
        "[ab]{2}",
        "a|b",
        "(?i)^AB$",
        "^$",
        "^[^a]*$",
        "a.+b",
        "\\\\Aa\\\\z",
        "(^a|b$)",
      )
      .map((one) => `${operand} matches ${quote(one)}`),
  );
}

const texts: fc.Arbitrary<string> = fc.oneof(
  fc
    .constantFrom(
      "http.host",
      "http.user_agent",
      'http.request.headers["x"][0]',
      'http.request.headers["x"][1]',
      'http.request.headers["X"][0]',
      'http.request.headers["user-agent"][0]',
      'http.request.headers["user-agent"][1]',
      'http.request.headers["host"][0]',
    )
    .chain((one) => textTests(one, text)),
  fc
    .constantFrom("http.request.uri.path", "lower(http.request.uri.path)", "upper(http.request.uri.path)")
    .chain((one) => textTests(one, path)),
  fc
    .constantFrom(
      'concat("a", http.host, "b")',
      "substring(http.host, 1)",
      "substring(http.host, 0, 1)",
      'coalesce(http.request.headers["x"][1], "a")',
      'lower(http.request.headers["x"][0])',
      "substring(http.host, -1)",
      "substring(http.request.uri.path, 1, -1)",
      "concat(http.host, http.request.uri.path)",
      'concat(http.request.headers["x"][0], "b", http.host)',
      'remove_bytes(http.request.uri.path, "b")',
      "http.request.uri",
      "http.request.full_uri",
      "http.request.uri.path.extension",
      "raw.http.request.uri.path",
      "raw.http.request.uri.query",
      "url_decode(http.request.uri.path)",
      "http.request.uri.query",
      "http.request.method",
    )
    .chain((one) => textTests(one, text)),
  fc
    .tuple(
      fc.constantFrom("starts_with", "ends_with"),
      fc.constantFrom("http.host", "http.request.uri.path", "lower(http.user_agent)"),
      text,
    )
    .map(([name, of, one]) => `${name}(${of}, ${quote(one)})`),
  fc
    .tuple(
      fc.constantFrom(
        "http.host",
        'http.request.headers["x"][0]',
        "http.request.uri.path",
        'concat("a", http.host)',
        "substring(http.request.uri.path, 1)",
        'http.request.headers["x"]',
        'http.request.headers["user-agent"]',
      ),
      fc.constantFrom("eq", "lt", "ge", "ne"),
      fc.integer({ min: 0, max: 3 }),
    )
    .map(([of, op, n]) => `len(${of}) ${op} ${String(n)}`),
);
const others: fc.Arbitrary<string> = fc.oneof(
  fc.array(network, { maxLength: 3 }).map((all) => `ip.src in {${all.join(" ")}}`),
  fc.tuple(fc.constantFrom("eq", "ne", "lt", "ge"), address).map(([op, one]) => `ip.src ${op} ${one}`),
  address.map((one) => `cidr(ip.src, 8, 32) eq ${one}`),
  fc.constantFrom("10.0.0.0", "2001:db8::").map((one) => `cidr(ip.src, 8, 32) in {${one}}`),
  fc
    .tuple(fc.constantFrom("eq", "ne", "lt", "le", "gt", "ge"), fc.integer({ min: -1, max: 101 }))
    .map(([op, n]) => `cf.bot_management.score ${op} ${String(n)}`),
  fc
    .tuple(fc.constantFrom("lt", "ge"), fc.constantFrom(0, 5, 25, 100))
    .map(([op, n]) => `hash_in_range(0, 100, cf.random_seed) ${op} ${String(n)}`),
  fc
    .tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 60 }))
    .map(([from, more]) => `ip.src.asnum in {${String(from)}..${String(from + more)} 7}`),
  fc
    .constantFrom("ip.src.country", "ip.geoip.country")
    .chain((one) => fc.constantFrom(`${one} eq "DE"`, `${one} in {"DE" "FR"}`, `${one} ne "FR"`, `${one} eq "de"`)),
  fc.constantFrom(
    "ssl",
    "true",
    "cf.client.bot",
    "ip.src in $bad",
    "ip.src.asnum & 3",
    "ip.src.asnum & 1",
    "http.host eq http.user_agent",
    "http.user_agent ne http.host",
    "http.host lt http.user_agent",
    "http.request.uri.path eq raw.http.request.uri.path",
    "cf.bot_management.verified_bot",
    "cf.edge.server_port eq 443",
    "ip.src.is_in_european_union",
    'ip.src.continent eq "EU"',
    'ip.src.continent in {"NA" "EU"}',
    'to_string(ssl) eq "true"',
  ),
  fc.constantFrom(
    'has_key(http.request.headers, "x")',
    'has_value(http.request.headers["x"], "a")',
    'has_key(http.request.headers, "X")',
    'has_key(http.request.headers, "user-agent")',
    'has_value(http.request.headers["user-agent"], "ab")',
    'http.request.headers["host"][0] eq http.host',
  ),
);
const element = fc.constantFrom(
  'http.request.headers["x"][*]',
  'lower(http.request.headers["x"][*])[*]',
  "http.request.headers.names[*]",
  'http.request.headers["X"][*]',
  'http.request.headers["user-agent"][*]',
  'http.request.headers["host"][*]',
);
const elements: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("any", "all"),
      element.chain((one) => textTests(one, text)),
    )
    .map(([name, of]) => `${name}(${of})`),
  fc
    .tuple(
      fc.constantFrom("any", "all"),
      fc.constantFrom("and", "or"),
      element.chain((one) => fc.tuple(textTests(one, text), textTests(one, text))),
    )
    .map(([name, op, [a, b]]) => `${name}((${a} ${op} not ${b}))`),
  fc
    .tuple(fc.constantFrom("any", "all"), text)
    .map(([name, one]) => `${name}(starts_with(http.request.headers["x"][*], ${quote(one)}))`),
);

/** A filter expression. */
export const expression: fc.Arbitrary<string> = fc.letrec((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    texts,
    others,
    elements,
    tie("condition").map((inner) => `not (${String(inner)})`),
    fc
      .array(tie("condition"), { minLength: 2, maxLength: 3 })
      .map((all) => all.map((one) => `(${String(one)})`).join(" and ")),
    fc
      .array(tie("condition"), { minLength: 2, maxLength: 3 })
      .map((all) => all.map((one) => `(${String(one)})`).join(" or ")),
    fc.tuple(tie("condition"), tie("condition")).map(([a, b]) => `(${String(a)}) xor (${String(b)})`),
  ),
})).condition;

const FIREWALL = "http_request_firewall_custom";
const action: fc.Arbitrary<Partial<RuleInput> & { action: string }> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("block", "managed_challenge", "log").map((one) => ({ action: one })) },
  fc
    .constantFrom(
      { ruleset: "current" },
      { phases: ["http_ratelimit"] },
      { phases: ["http_request_firewall_custom", "http_ratelimit"] },
      { phase: "current" },
      { products: ["waf"] },
      { rulesets: ["own"] },
      { rules: { own: ["own0"] } },
      { ruleset: "current", phases: ["http_ratelimit"] },
      { phases: ["http_request_firewall_managed"], products: ["bic"] },
    )
    .map((actionParameters) => ({ action: "skip", actionParameters })),
);
const rule: fc.Arbitrary<RuleInput> = fc
  .tuple(expression, action, fc.boolean())
  .map(([own, more, on]) => ({ ...more, expression: own, enabled: on || more.action !== "log" }));
const limit: fc.Arbitrary<RuleInput> = fc
  .tuple(expression, fc.integer({ min: 1, max: 3 }), fc.constantFrom(10, 60), fc.constantFrom(0, 10, 60))
  .map(([own, requestsPerPeriod, period, mitigationTimeout]) => ({
    action: "block",
    expression: own,
    ratelimit: { characteristics: ["ip.src"], period, requestsPerPeriod, mitigationTimeout },
  }));
const source = fc.oneof(
  path.map((value) => ({ value })),
  fc
    .constantFrom("url_decode(http.request.uri.path)", 'concat("/a", http.request.uri.path)', "http.request.uri.query")
    .map((computed) => ({ expression: computed })),
);
const rewrite: fc.Arbitrary<RuleInput> = fc
  .tuple(expression, fc.constantFrom("path", "query"), source)
  .map(([own, part, value]) => ({ action: "rewrite", expression: own, actionParameters: { uri: { [part]: value } } }));
const redirect: fc.Arbitrary<RuleInput> = fc
  .tuple(expression, fc.constantFrom("https://x.example/", "https://y.example/"))
  .map(([own, value]) => ({
    action: "redirect",
    expression: own,
    actionParameters: { fromValue: { targetUrl: { value } } },
  }));

const setting: fc.Arbitrary<RuleInput> = fc
  .tuple(
    expression,
    fc.constantFrom(
      { bic: true },
      { bic: false },
      { securityLevel: "low" },
      { securityLevel: "high" },
      { securityLevel: "off", bic: true },
      { emailObfuscation: false },
    ),
  )
  .map(([own, actionParameters]) => ({ action: "set_config", expression: own, actionParameters }));

function named(rules: readonly RuleInput[], prefix: string): RuleInput[] {
  return rules.map((one, index) => ({ ref: `${prefix}${String(index)}`, ...one }));
}

/** Entry points of an account and a zone, and a custom ruleset. */
export const rulesets: fc.Arbitrary<RulesetInput[]> = fc
  .record({
    root: fc.array(rule, { maxLength: 2 }),
    execute: fc.option(expression),
    custom: fc.array(rule, { maxLength: 2 }),
    zone: fc.array(rule, { minLength: 1, maxLength: 4 }),
    limits: fc.array(limit, { maxLength: 2 }),
    rewrites: fc.option(fc.array(rewrite, { minLength: 1, maxLength: 2 }), { freq: 3 }),
    redirects: fc.option(fc.array(redirect, { minLength: 1, maxLength: 2 }), { freq: 3 }),
    settings: fc.option(fc.array(setting, { minLength: 1, maxLength: 2 }), { freq: 2 }),
  })
  .map(({ root, execute, custom, zone, limits, rewrites, redirects, settings }) => {
    const execution: RuleInput[] =
      execute === null
        ? []
        : [{ ref: "execute", action: "execute", expression: execute, actionParameters: { id: "own" } }];
    return [
      { kind: "root", phase: FIREWALL, rules: [...execution, ...named(root, "root")] },
      { kind: "custom", id: "own", phase: FIREWALL, rules: named(custom, "own") },
      { kind: "zone", phase: FIREWALL, rules: named(zone, "zone") },
      { kind: "zone", phase: "http_ratelimit", rules: named(limits, "limit") },
      { kind: "zone", phase: "http_request_transform", rules: named(rewrites ?? [], "rewrite") },
      { kind: "zone", phase: "http_request_dynamic_redirect", rules: named(redirects ?? [], "redirect") },
      { kind: "zone", phase: "http_config_settings", rules: named(settings ?? [], "setting") },
    ];
  });

/** An edit: rules removed, moved, disabled or changed. */
export function edited(before: readonly RulesetInput[]): fc.Arbitrary<RulesetInput[]> {
  return fc
    .tuple(
      fc.nat({ max: before.length - 1 }),
      fc.nat(),
      fc.constantFrom("remove", "move", "switch", "expression", "action", "add", "limit", "parameters"),
      expression,
      rule,
      fc.tuple(rewrite, setting),
      fc.constantFrom({ requestsPerPeriod: 2 }, { period: 10 }, { mitigationTimeout: 10 }, { mitigationTimeout: 60 }),
    )
    .map(([which, at, how, own, fresh, [otherRewrite, otherSetting], changedLimit]) =>
      before.map((ruleset, index) => {
        if (index !== which) return ruleset;
        const rules = [...ruleset.rules];
        const place = rules.length === 0 ? 0 : at % rules.length;
        const old = rules[place];
        if (how === "add" && ruleset.phase === FIREWALL) rules.splice(place, 0, { ...fresh, ref: "fresh" });
        else if (old === undefined) return ruleset;
        else if (how === "remove") rules.splice(place, 1);
        else if (how === "move") rules.push(...rules.splice(place, 1));
        else if (how === "switch") rules[place] = { ...old, enabled: old.enabled === false };
        else if (how === "expression") rules[place] = { ...old, expression: own };
        else if (how === "action" && ruleset.phase === FIREWALL && old.action !== "execute")
          rules[place] = { ...fresh, ref: old.ref, expression: old.expression };
        else if (how === "limit" && old.ratelimit !== undefined)
          rules[place] = { ...old, ratelimit: { ...old.ratelimit, ...changedLimit } };
        else if (how === "parameters" && old.action === "rewrite")
          rules[place] = { ...old, actionParameters: otherRewrite.actionParameters };
        else if (how === "parameters" && old.action === "set_config")
          rules[place] = { ...old, actionParameters: otherSetting.actionParameters };
        return { ...ruleset, rules };
      }),
    );
}

const requestPath = fc.constantFrom(
  ...["/", "/a", "/ab", "/a/b", "/A", "/b", "/a%20b", "/ba", "/file.a", "/a.b", "/%23", "/.a", "//a", "/%41"],
);

const places = fc.constantFrom(["DE", "EU"], ["FR", "EU"], ["US", "NA"], ["CH", "EU"]);

/** A request with all the fields that the rules use. */
export const request: fc.Arbitrary<RequestInput> = fc
  .record({
    method: fc.constantFrom("GET", "POST"),
    url: fc
      .tuple(
        fc.constantFrom("http", "https"),
        fc.constantFrom("a", "ab", "b", "a.b", "ba", "zz"),
        requestPath,
        fc.constantFrom("", "?a", "?ab=b", "?b"),
      )
      .map(([scheme, host, where, query]) => `${scheme}://${host}${where}${query}`),
    headers: fc
      .tuple(
        fc.array(text, { maxLength: 3 }),
        fc.array(text, { maxLength: 2 }),
        fc.option(text),
        fc.constantFrom("x", "X"),
      )
      .map(([values, agents, host, name]) => [
        ...values.map((value): [string, string] => [name, value]),
        ...agents.map((agent): [string, string] => ["user-agent", agent]),
        ...(host === null || host === "" ? [] : [["host", host] as [string, string]]),
      ]),
    ip: address,
    asn: fc.integer({ min: 0, max: 70 }),
    botScore: fc.integer({ min: 0, max: 99 }),
    verifiedBot: fc.boolean(),
    httpVersion: fc.constantFrom("1.1", "2"),
    timestamp: fc.constant(1_790_000_000),
    draw: fc.constantFrom(0, 0.049, 0.05, 0.2, 0.99),
    lists: fc.constantFrom({ bad: [] }, { bad: ["10.0.0.0/24"] }),
    place: places,
  })
  .map(({ place: [country, continent], ...more }) => ({ ...more, country, continent }));
