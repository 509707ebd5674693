import { pathText } from "../../../core/model/path.js";
import { isError } from "../../../core/language/index.js";
import { isObject } from "../../../core/model/json.js";
import { managedRulesets } from "../../../core/managed/rulesets.js";
import { withValueAt, type Path } from "../../../core/model/path.js";
import { UNKNOWN } from "../../../core/model/unknown.js";
import { checkPhaseName, checkRules, findingText, type ArgumentFinding } from "../../../provider/validation/index.js";
import { everyAction } from "../../support/every-action.js";
import { acceptedChanges, refusedChanges } from "../../support/header-changes.js";
import { fc, runs } from "../../support/properties.js";

const zonePhase = (phase: string) => ({ phase, kind: "zone" });
const custom = zonePhase("http_request_firewall_custom");
const texts = (rules: unknown[], place = custom) => checkRules(rules, place).filter(isError).map(findingText);
const warnings = (rules: unknown[], place = custom) =>
  checkRules(rules, place)
    .filter((one) => !isError(one))
    .map(findingText);
const LIMIT = { characteristics: ["cf.colo.id"], period: 60, requestsPerPeriod: 1 };
const always = (action: string, more: object = {}) => ({ action, expression: "true", ...more });
const block = (more: object = {}) => always("block", more);
const withParameters = (action: string, actionParameters: unknown) => always(action, { actionParameters });
const execute = (actionParameters: unknown) => withParameters("execute", actionParameters);
const REMEDY =
  "To continue: write several rules, as inParts(rule) does in TypeScript where it has an `or` or a set, or keep hosts, addresses " +
  "or ASNs that it compares in a RulesList, and write `in $name`";
const managed = zonePhase("http_request_firewall_managed");

test.each(everyAction.map((sample) => [sample.phase, sample] as const))(
  "accepts the samples of %s",
  (phase, { rules, level }) => {
    const found = checkRules(rules, { phase, kind: level === "zones" ? "zone" : "root" });
    expect(found.filter(isError)).toEqual([]);
  },
);

describe("an invalid rule is reported with its path and what to do", () => {
  test.each<[string, unknown, ...string[]]>([
    ["not a rule", "x", ": must be a rule (an object), not a string"],
    ["an empty rule", {}, ": action is required", ": expression is required"],
    ["a misspelled action", always("blok"), '.action: the action "blok" does not exist; did you mean "block"?'],
    [
      "a blank expression",
      { action: "block", expression: "  " },
      ".expression: the expression is blank; `true` matches every request",
    ],
    ["an empty expression", { action: "block", expression: "" }, ".expression: must not be empty"],
    ["a wrong type", block({ enabled: "yes" }), ".enabled: must be true or false, not a string"],
    ["a misspelled field", block({ enabeld: true }), '.enabeld: there is no field "enabeld"; did you mean "enabled"?'],
    [
      "a field in snake_case",
      block({ action_parameters: {} }),
      '.action_parameters: there is no field "action_parameters"; did you mean "actionParameters"?',
    ],
    [
      "an unknown field",
      block({ zebra: 1 }),
      '.zebra: there is no field "zebra"; a field newer than this package goes into wire: { snake_case: value }',
    ],
    [
      "a typed field in wire with another value",
      block({ wire: { expression: "ssl" } }),
      ".wire.expression: has another value than expression. To continue: leave out one of the two",
    ],
    [
      "what says which rule it is, in wire",
      block({ wire: { ref: "a", actionParameters: {} } }),
      ".wire.ref: has a typed name: write ref instead",
      ".wire.actionParameters: has a typed name: write actionParameters instead",
    ],
    [
      "a parameter of another action",
      withParameters("log", { increment: 1 }),
      ".actionParameters.increment: the action log does not take increment; it takes no parameters",
    ],
    [
      "an action of another phase",
      withParameters("redirect", { fromList: { key: "a", name: "b" } }),
      ".action: phase http_request_firewall_custom does not allow the action redirect; it allows block, challenge, js_challenge, managed_challenge, log, skip, execute, rewrite",
    ],
    [
      "logging on another action",
      block({ logging: { enabled: true } }),
      ".logging: is only allowed in rules with the action skip",
    ],
    [
      "a status out of range",
      block({ actionParameters: { response: { statusCode: 200, content: "x", contentType: "y" } } }),
      ".actionParameters.response.statusCode: must be >= 400",
    ],
    [
      "skip with nothing to skip",
      always("skip"),
      ".actionParameters: the action skip needs at least one of phase, phases, products, rules, ruleset, rulesets",
    ],
    [
      "skip with contradictory parameters",
      withParameters("skip", { ruleset: "current", rulesets: ["0".repeat(32)] }),
      ".actionParameters.rulesets: ruleset and rulesets are mutually exclusive",
      ".actionParameters.rulesets: is not possible in the phase http_request_firewall_custom",
    ],
    [
      "a product in the wrong case",
      withParameters("skip", { products: ["ratelimit"] }),
      '.actionParameters.products[0]: the value "ratelimit" does not exist; did you mean "rateLimit"?',
    ],
    [
      "a rate limit in another phase",
      block({ ratelimit: LIMIT }),
      ".ratelimit: is only allowed in the phase http_ratelimit",
    ],
    ["a ref reserved for the engine", always("log", { ref: "__x" }), ".ref: must not start with __"],
    ["a ref with two lines", always("log", { ref: "a\nb" }), ".ref: must not contain line breaks"],
  ])("%s", (_, rule, ...expected) => {
    expect(texts([rule])).toEqual(expected.map((text) => `rules[0]${text}`));
  });

  test("the same ref twice", () => {
    const rules = [always("log", { ref: "a" }), { action: "log", expression: "ssl", ref: "a" }];
    expect(texts(rules)).toEqual(['rules[1].ref: "a" is already the ref of rules[0]']);
  });

  test("reports everything at once", () => {
    const found = texts([
      { action: "blok", expression: "(ssl" },
      { expression: 'x"', enabled: 1 },
      { action: "log", expression: "ssl", logging: {} },
    ]);
    expect(found).toHaveLength(7);
  });

  test("execute without a ruleset, and overrides without effect", () => {
    expect(texts([execute({})], managed)).toEqual(["rules[0].actionParameters: the action execute needs id"]);
    const id = managedRulesets.owaspCore;
    expect(texts([execute({ id, overrides: { categories: [{ category: "a" }] } })], managed)).toEqual([
      "rules[0].actionParameters.overrides.categories[0]: needs at least one of action, enabled, sensitivityLevel",
    ]);
    expect(texts([execute({ id, overrides: { sensitivityLevel: "low" } })], managed)).toEqual([
      "rules[0].actionParameters.overrides.sensitivityLevel: is only allowed in the phases ddos_l4 and ddos_l7",
    ]);
  });

  test("a custom ruleset that is executed with overrides, with a warning", () => {
    const id = "0123456789abcdef0123456789abcdef";
    const expression = 'cf.zone.plan eq "ENT"';
    const rules = [{ ref: "deploy", ...execute({ id, overrides: { enabled: false } }), expression }];
    const found = checkRules(rules, { phase: "http_ratelimit", kind: "root" });
    expect(found.filter(isError)).toEqual([]);
    expect(found.map(({ code }) => code)).toContain("custom-overrides");
    expect(checkRules(rules, managed).map(({ code }) => code)).not.toContain("custom-overrides");
  });

  test("a rate limit that counts nothing, or not by data center", () => {
    const place = zonePhase("http_ratelimit");
    expect(texts([block()], place)).toEqual(["rules[0]: ratelimit is required in the phase http_ratelimit"]);
    expect(texts([always("force_connection_close")], place)).toContain(
      "rules[0]: ratelimit is required in the phase http_ratelimit",
    );
    expect(texts([block({ ratelimit: { characteristics: ["ip.src"], period: 60 } })], place)).toEqual([
      "rules[0].ratelimit: needs requestsPerPeriod, or scorePerPeriod with scoreResponseHeaderName",
      'rules[0].ratelimit.characteristics: must include "cf.colo.id"',
    ]);
  });

  const headersFault = (phase: string, name: string, change: object) =>
    texts([withParameters("rewrite", { headers: { [name]: change } })], zonePhase(phase));
  test.each(refusedChanges)("a header: %s changes %j by %j", (phase, name, change) => {
    expect(headersFault(phase, name, change)).toHaveLength(1);
  });
  test.each(acceptedChanges)("not a header: %s changes %j by %j", (phase, name, change) => {
    expect(headersFault(phase, name, change)).toEqual([]);
  });

  test("incomplete headers, directives and times", () => {
    const rewrite = (headers: unknown) =>
      texts([withParameters("rewrite", { headers })], zonePhase("http_request_late_transform"));
    expect(rewrite({ a: { operation: "set" } })).toEqual([
      "rules[0].actionParameters.headers.a: needs exactly one of value and expression",
    ]);
    expect(rewrite({ "x-a": { operation: "remove", value: "x" } })).toEqual([
      'rules[0].actionParameters.headers["x-a"]: remove takes neither value nor expression',
    ]);
    const cache = zonePhase("http_response_cache_settings");
    expect(texts([withParameters("set_cache_control", { maxAge: { operation: "set" } })], cache)).toEqual([
      "rules[0].actionParameters.maxAge: set needs a value in seconds",
    ]);
    const settings = zonePhase("http_request_cache_settings");
    expect(texts([withParameters("set_cache_settings", { edgeTtl: { mode: "override_origin" } })], settings)).toEqual([
      "rules[0].actionParameters.edgeTtl: mode override_origin requires default, the time in seconds",
    ]);
  });

  test.each([
    [{ edgeTtl: { mode: "respect_origin", statusCodeTtl: [] } }, "statusCodeTtls"],
    [{ cacheKey: { customKey: { queryString: { include: { list: ["a"] } } } } }, "lists"],
    [{ cacheKey: { customKey: { cookie: { include: ["a"] } } } }, "includes"],
    [{ cacheKey: { customKey: { cookie: { checkPresence: ["a"] } } } }, "checkPresences"],
  ])("suggests our name for the API's spelling in %j", (actionParameters, name) => {
    const found = texts(
      [withParameters("set_cache_settings", actionParameters)],
      zonePhase("http_request_cache_settings"),
    );
    expect(found.join()).toContain(`did you mean "${name}"?`);
  });
});

describe("IDs in rules", () => {
  const id = managedRulesets.cloudflareManaged;
  const other = managedRulesets.owaspCore;
  const upper = id.toUpperCase();
  const lower = `IDs are in lower case; write ${JSON.stringify(id)}`;
  const skip = (actionParameters: unknown) => withParameters("skip", actionParameters);
  test.each<[string, unknown, ...string[]]>([
    ["a managed ruleset", execute({ id: upper }), `.id: ${lower}`],
    [
      "a managed ruleset by its name",
      execute({ id: "owasp" }),
      ".id: must be an ID of 32 hexadecimal digits; this has 5 characters",
    ],
    [
      "an overridden rule",
      execute({ id, overrides: { rules: [{ id: upper, enabled: false }] } }),
      `.overrides.rules[0].id: ${lower}`,
    ],
    ["a skipped ruleset", skip({ rulesets: [other, upper] }), `.rulesets[1]: ${lower}`],
    [
      "skipped rules",
      skip({ rules: { [upper]: [other], [other]: ["..", other] } }),
      `.rules.${upper}: ${lower}`,
      `.rules[${JSON.stringify(other)}][0]: must be an ID of 32 hexadecimal digits; this has 2 characters`,
    ],
    ["valid IDs", skip({ rules: { [id]: [other] } })],
    ["unknown values", execute({ id: UNKNOWN, overrides: { rules: [{ id: UNKNOWN, enabled: false }] } })],
  ])("%s", (_, rule, ...expected) => {
    expect(texts([rule], managed)).toEqual(expected.map((text) => `rules[0].actionParameters${text}`));
  });
});

describe("numbers that cannot be sent exactly", () => {
  const limit = (requestsPerPeriod: number, more: object = {}) => [
    block({ ratelimit: { ...LIMIT, requestsPerPeriod, ...more } }),
  ];
  const place = zonePhase("http_ratelimit");
  const at = "rules[0].ratelimit.requestsPerPeriod:";
  test.each([
    [NaN, `${at} is NaN, which cannot be sent; write a number`],
    [Infinity, `${at} is Infinity, which cannot be sent; write a number`],
    [-Infinity, `${at} is -Infinity, which cannot be sent; write a number`],
    [2 ** 53, `${at} is 9007199254740992, beyond what can be sent exactly; the limit is 9007199254740991`],
  ])("%s", (number, expected) => {
    expect(texts(limit(number), place)).toEqual([expected]);
  });
  test("large numbers pass: only the service knows the maximum", () => {
    expect(texts(limit(1e12), place)).toEqual([]);
  });
  test("numbers in raw fields too", () => {
    expect(texts(limit(5, { wire: { burst: [1, Infinity] } }), place)).toEqual([
      "rules[0].ratelimit.wire.burst[1]: is Infinity, which cannot be sent; write a number",
    ]);
  });
});

describe("additions to the API", () => {
  test("accepts a rate limit in an unknown phase, with a warning", () => {
    const rule = block({ ratelimit: LIMIT });
    const place = zonePhase("http_request_ratelimit_v2");
    expect(texts([rule], place)).toEqual([]);
    expect(warnings([rule], place).join()).toContain(
      "rules[0].ratelimit: the phase http_request_ratelimit_v2 is not known",
    );
  });
  test("does not require a rate limit of an unknown action", () => {
    const place = zonePhase("http_ratelimit");
    expect(texts([always("teleport_request")], place)).toEqual([]);
  });
  test.each(["toString", "constructor", "__proto__", "hasOwnProperty"])(
    "refuses %s as an action or a phase",
    (name) => {
      expect(texts([{ action: name, expression: "true" }])).toEqual([
        `rules[0].action: the action ${JSON.stringify(name)} does not exist`,
      ]);
      expect(checkPhaseName(name).filter(isError).map(findingText)).toEqual([
        `phase: the phase ${JSON.stringify(name)} does not exist`,
      ]);
    },
  );
  test("refuses a period that the service does not have", () => {
    const limit = { ...LIMIT, period: 61 };
    const found = texts([block({ ratelimit: limit })], zonePhase("http_ratelimit"));
    expect(found).toEqual([expect.stringMatching(/^rules\[0\]\.ratelimit\.period: must be one of 10, 15, 20, /)]);
  });
  test("refuses raw fields that are nested deeper than the service reads", () => {
    const nest = (levels: number): object => (levels === 0 ? {} : { a: nest(levels - 1) });
    const rule = (levels: number) => block({ wire: { newer: nest(levels) } });
    expect(texts([rule(58)])).toEqual([]);
    expect(texts([rule(59)])).toEqual(["rules[0].wire.newer: is nested more than 60 levels deep"]);
    expect(texts([rule(5000)])).toEqual(["rules[0].wire.newer: is nested more than 60 levels deep"]);
  });
  test("passes what is in wire under the service's name, and says that it is not checked", () => {
    const rules = { "4814384a9e5d4991b9815dcfc25d2f1f": [] };
    const header = { operation: "set", expression: '(ip.src.continent eq "AN")' };
    for (const [rule, place, fields] of [
      [
        { action: "skip", expression: "ssl", actionParameters: { wire: { rules } } },
        managed,
        ["actionParameters.wire.rules"],
      ],
      [
        { action: "skip", expression: "ssl", wire: { action_parameters: { rules } } },
        managed,
        ["wire.action_parameters"],
      ],
      [
        withParameters("rewrite", { wire: { headers: { "X-A": header } } }),
        zonePhase("http_request_late_transform"),
        ["actionParameters.wire.headers"],
      ],
      [{ action: "block", expression: "a b", wire: { expression: "a b" } }, custom, ["wire.expression"]],
      [{ action: "log", expression: "ssl", wire: { enabled: "no" } }, custom, ["wire.enabled"]],
    ] as const) {
      const found = checkRules([rule], place);
      expect(found.filter(isError)).toEqual([]);
      expect(found.filter(({ code }) => code === "unchecked").map(({ path }) => pathText(path))).toEqual(
        fields.map((field) => `rules[0].${field}`),
      );
    }
  });
  test("checks the expression of a rule whose action is not checked", () => {
    const rule = { action: "block", expression: "ssl and", wire: { action: "block" } };
    expect(texts([rule])).toEqual([expect.stringContaining("rules[0].expression")]);
  });
  test.each([
    ["http.request.full_uri in $moved", []],
    ["ip.src in $office and http.request.full_uri in $moved and not ssl", []],
    ["raw.http.request.full_uri in $moved", ["does not use `http.request.full_uri`"]],
    ["true", ["does not use `http.request.full_uri`"]],
    ['http.request.full_uri contains "old"', []],
    ["http.request.full_uri in $other", ["tests $other, but the redirects are those of the list moved"]],
  ])("warns of a bulk redirect that tests something else than it redirects by: %s", (expression, expected) => {
    const actionParameters = { fromList: { name: "moved", key: "http.request.full_uri" } };
    const place = { phase: "http_request_redirect", kind: "root" };
    const found = checkRules([{ action: "redirect", expression, actionParameters }], place);
    expect(found.filter(({ code }) => code === "redirect-key").map(findingText)).toEqual(
      expected.map((text) => expect.stringContaining(`rules[0].expression: ${text}`) as string),
    );
  });
  test("warns about a raw field that is probably a typed one", () => {
    const rule = block({ wire: { action_paramters: {} } });
    expect(warnings([rule])).toEqual([
      "rules[0].wire.action_paramters: is not known to this version of pulumi-rulesets and is passed on unchanged; did you mean action_parameters?",
    ]);
  });
  test("accepts headers named like properties of Object.prototype", () => {
    const names = ["toString", "constructor", "hasOwnProperty"];
    const headers = Object.fromEntries(names.map((name) => [name, { operation: "set", value: "x" }]));
    const rule = withParameters("rewrite", { headers });
    expect(texts([rule], zonePhase("http_request_late_transform"))).toEqual([]);
  });
  test.each(["toString", "constructor"])("refuses the field %s like any other unknown field", (name) => {
    expect(texts([block({ [name]: 1 })])[0]).toContain(`there is no field "${name}"`);
  });
  test("accepts an unknown action, with a warning", () => {
    expect(texts([always("teleport_request")])).toEqual([]);
    expect(warnings([always("teleport_request")])[0]).toContain("is not known to this version");
  });
  test("accepts a documented action in an undocumented place, with a warning", () => {
    expect(texts([withParameters("score", { increment: 1 })])).toEqual([]);
    expect(warnings([withParameters("score", { increment: 1 })])).toHaveLength(1);
  });
  test("requires managed rulesets in account rules to be limited to Enterprise zones", () => {
    const root = { phase: "http_request_firewall_managed", kind: "root" };
    const rule = execute({ id: managedRulesets.owaspCore });
    const plan = 'cf.zone.plan eq "ENT"';
    for (const expression of [
      plan,
      `(${plan})`,
      `(ssl or not ssl) and ${plan}`,
      `((ssl) and ssl) && (cf.zone.plan == "ENT")`,
    ])
      expect(texts([{ ...rule, expression }], root)).toEqual([]);
    for (const expression of [
      "true",
      `ssl and ${plan}`,
      `(ssl and ${plan})`,
      `(ssl) and (ssl) and ${plan}`,
      `(ssl) or ${plan}`,
    ])
      expect(texts([{ ...rule, expression }], root)).toEqual([
        expect.stringContaining('must be limited to Enterprise zones: write (…) and cf.zone.plan eq "ENT"'),
      ]);
    const responses = { phase: "http_response_firewall_managed", kind: "root" };
    expect(
      texts([{ ...execute({ id: managedRulesets.sensitiveDataDetection }), expression: `ssl and ${plan}` }], responses),
    ).toEqual([]);
  });

  test("refuses lists and scores in the custom rules of an account's entry point", () => {
    const root = { phase: "http_request_firewall_custom", kind: "root" };
    const rule = execute({ id: "0".repeat(32) });
    const limited = (condition: string) => ({ ...rule, expression: `(${condition}) and cf.zone.plan eq "ENT"` });
    const where = "in the entry point of an account in http_request_firewall_custom";
    expect(texts([limited("ip.src in $office")], root)).toEqual([
      `rules[0].expression: lists such as $office are not allowed ${where}`,
    ]);
    expect(texts([limited("cf.waf.score lt 20")], root)).toEqual([
      `rules[0].expression: cf.waf.score is not allowed ${where}`,
    ]);
  });
});

test("property: an unknown value never breaks a check, and is never reported as wrong", () => {
  const paths = (value: unknown, at: Path = []): Path[] => {
    const children = Array.isArray(value)
      ? value.map((item, index) => [index, item] as const)
      : isObject(value)
        ? Object.entries(value)
        : [];
    return [at, ...children.flatMap(([step, item]) => paths(item, [...at, step]))];
  };
  const every = everyAction.flatMap(({ rules, phase, level }) =>
    rules.flatMap((rule) =>
      paths(rule).map((path) => ({ rule, path, place: { phase, kind: level === "zones" ? "zone" : "root" } })),
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom(...every), ({ rule, path, place }) => {
      const changed = withValueAt(rule, path, UNKNOWN);
      expect(checkRules([changed], place).filter(isError)).toEqual([]);
      expect(checkRules([changed], { phase: UNKNOWN, kind: UNKNOWN }).filter(isError).map(findingText)).toEqual(
        checkRules([rule], { phase: UNKNOWN, kind: UNKNOWN }).filter(isError).map(findingText),
      );
    }),
    { numRuns: runs(every.length * 2) },
  );
});

describe("expressions", () => {
  test.each([
    ['http.host eq "a"'],
    ['(http.host eq "a)") or (ssl)'],
    ['http.host in {"a" "b"} and ip.src in {192.0.2.0/24}'],
    ['http.request.uri.path matches "^/[\\"a]+\\""'],
    ['http.request.uri.path matches r"^/(a|b)"'],
    ['http.host eq r#"a"b"#'],
    ['any(http.request.headers["x"][*] eq "1")'],
    ['http.host eq "\\""'],
  ])("accepts %s", (expression) => {
    expect(checkRules([{ action: "block", expression }], custom)).toEqual([]);
  });
  test.each([
    ['http.host eq "a', 14],
    ["(ssl", 1],
    ["ssl)", 4],
    ['http.host in {"a")', 18],
    ['http.host eq r#"a"', 14],
    ['ip.src == "abc"', 11],
    ["ip.src in {192.0.2.0/99}", 12],
    ["ssl eq true", 5],
    ["http.host eq 1", 14],
    ["http.host\teq", 10],
  ])("refuses %s at character %i, with the line and a caret", (expression, character) => {
    const first = checkRules([{ action: "block", expression }], custom).find(isError);
    expect(first).toMatchObject({ path: ["rules", 0, "expression"], character });
    const [head = "", line = "", caret = ""] = findingText(first as ArgumentFinding).split("\n");
    expect(head.startsWith(`rules[0].expression:${String(character)}: `)).toBe(true);
    expect(line.trim()).toBe(expression.replace("\t", " "));
    expect(caret.indexOf("^") - line.indexOf(expression[0] ?? "")).toBe(character - 1);
  });
  test("warns about a name that the catalogue lacks, because the service grows, with the closest one", () => {
    const found = checkRules([{ action: "block", expression: 'http.hots eq "a" and cf.brand_new.field eq 1' }], custom);
    expect(found.filter(isError)).toEqual([]);
    expect(found.map(findingText).join("\n")).toMatch(/rules\[0\]\.expression:1: .*http\.host/);
    expect(found.map(({ character }) => character)).toEqual([1, 22]);
  });
  test.each<[string, object, string, string]>([
    [
      "a value of a path",
      { action: "rewrite", actionParameters: { uri: { path: { expression: "ssl and ssl" } } } },
      "http_request_transform",
      "rules[0].actionParameters.uri.path.expression:5",
    ],
    [
      "a value of a header",
      { action: "rewrite", actionParameters: { headers: { "x-a": { operation: "set", expression: '"a"' } } } },
      "http_request_late_transform",
      'rules[0].actionParameters.headers["x-a"].expression:1',
    ],
    [
      "a target",
      { action: "redirect", actionParameters: { fromValue: { targetUrl: { expression: "concat(" } } } },
      "http_request_dynamic_redirect",
      "rules[0].actionParameters.fromValue.targetUrl.expression:7",
    ],
    [
      "the counting expression of a rate limit",
      {
        action: "block",
        ratelimit: { ...LIMIT, mitigationTimeout: 60, countingExpression: 'http.response.code eq "x"' },
      },
      "http_ratelimit",
      "rules[0].ratelimit.countingExpression:23",
    ],
    [
      "credentials",
      {
        action: "rewrite",
        exposedCredentialCheck: { usernameExpression: "ssl eq", passwordExpression: "lower(http.host)" },
      },
      "http_request_firewall_custom",
      "rules[0].exposedCredentialCheck.usernameExpression:5",
    ],
  ])("checks %s for its own place", (_, rule, phase, place) => {
    const found = checkRules([{ expression: "true", ...rule }], { phase, kind: "zone" }).filter(isError);
    expect(found.map(findingText).map((text) => text.split(": ")[0])).toContain(place);
  });
  test("accepts at most 4096 characters, counted as code points", () => {
    expect(texts([{ action: "block", expression: `http.host eq "${"😀".repeat(4081)}"` }])).toEqual([]);
    expect(texts([{ action: "block", expression: `http.host eq "${"a".repeat(4082)}"` }])).toEqual([
      `rules[0].expression: the expression has 4097 characters; the service allows at most 4096. ${REMEDY}`,
    ]);
  });
  test.each([
    ["ip.src", "ip", "192.0.2.0/24"],
    ["http.host", "hostname", '"a.example.com"'],
    ["ip.src.asnum", "asn", "64512"],
    ["cf.bot_management.score", undefined, "12"],
    ["http.request.uri.path", undefined, '"/admin"'],
  ])("says in which kind of list the members of a set of %s can be", (field, kind, member) => {
    const expression = `ssl and not ${field} in {${Array(2000).fill(member).join(" ")}} and ip.src.asnum in {1 2}`;
    expect(texts([{ action: "block", expression }])).toEqual([
      expect.stringContaining(
        kind === undefined
          ? REMEDY
          : `a set, or keep the members of its set in a RulesList of the kind ${kind}, and write \`${field} in $name\``,
      ),
    ]);
  });
  test("counts each run of white space as one character, as the service does", () => {
    const hosts = (count: number): string[] => Array.from({ length: count }, (_, index) => `"host-${String(index)}"`);
    const set = (count: number): string => `http.host in {\n${hosts(count).join("\n          ")}\n}`;
    expect(texts([{ action: "block", expression: set(340) }])).toEqual([]);
    expect(texts([{ action: "block", expression: set(400) }])).toEqual([
      expect.stringMatching(
        /^rules\[0\]\.expression: the expression has 4304 characters, with each run of white space counted as one; the service allows at most 4096\. To continue: .*`http\.host in \$name`$/,
      ),
    ]);
  });
});
