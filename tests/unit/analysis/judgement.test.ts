import { judge, type JudgeInput, type Weakens } from "../../../core/analysis/index";
import type { RuleInput } from "../../../core/simulator/index";

const FIREWALL = "http_request_firewall_custom";
const LIMITS = "http_ratelimit";
const MANAGED = "http_request_firewall_managed";
const OWASP = "4814384a9e5d4991b9815dcfc25d2f1f";
const SCORING = "6179ae15870a4bb7b2d480d4843b323c";

const rule = (ref: string, action: string, expression: string, more: Partial<RuleInput> = {}): RuleInput => ({
  ref,
  action,
  expression,
  ...more,
});
const admin = rule("admin", "block", 'starts_with(http.request.uri.path, "/admin")');
const login = rule("login", "block", 'http.request.uri.path eq "/login"');
const office = (actionParameters: object, expression = "ip.src in {192.0.2.0/24}") =>
  rule("office", "skip", expression, { actionParameters });
const limit = (more: object = {}, action = "block") =>
  rule("limit", action, 'http.request.uri.path eq "/login"', {
    ratelimit: { characteristics: ["ip.src"], period: 60, requestsPerPeriod: 10, mitigationTimeout: 600, ...more },
  });
const owasp = (level: number, scoreThreshold?: number, action = "block") =>
  rule("owasp", "execute", "true", {
    actionParameters: {
      id: OWASP,
      overrides: {
        categories: [2, 3, 4]
          .filter((above) => above > level)
          .map((above) => ({ category: `paranoia-level-${String(above)}`, enabled: false })),
        rules: [{ id: SCORING, action, ...(scoreThreshold === undefined ? {} : { scoreThreshold }) }],
      },
    },
  });
const raw = (strength: number): RuleInput =>
  rule("raw", "block", 'starts_with(http.request.uri.path, "/admin")', { wire: { strength } });
const execute = (overrides: object) =>
  rule("run", "execute", "true", { actionParameters: { id: "efb7b8c949ac4650a09736fc376e9aee", overrides } });
const tag = (category: string, enabled: boolean) => ({ category, enabled });
const credentials = (field: string) =>
  rule("credentials", "block", "true", {
    exposedCredentialCheck: { usernameExpression: `http.request.body.form["${field}"][0]`, passwordExpression: "ssl" },
  });
const setting = (actionParameters: object) => rule("setting", "set_config", "true", { actionParameters });
const rewrite = (uri: object) => rule("rewrite", "rewrite", admin.expression ?? "", { actionParameters: { uri } });
const secret: RuleInput = { ref: "secret", action: "block", opaque: "1" };

/** An edit, and what the rules that weaken enforcement say. */
type Edit = [
  name: string,
  weakens: Weakens,
  before: readonly RuleInput[],
  after: readonly RuleInput[],
  says?: Readonly<Record<string, readonly string[]>>,
];
const at = (where: Partial<JudgeInput>, ...edits: Edit[]) => edits.map((edit) => [where, edit] as const);
const when = (one: RuleInput, expression: string): RuleInput => ({ ...one, expression });
const act = <T extends object>(one: T, action: string): T => ({ ...one, action });
const toX = rewrite({ path: { value: "/x" } });
const another: RuleInput = { ...secret, opaque: "2" };
const bic = { products: ["bic"] };
const current = { ruleset: "current" };
const CHANGED = "a value changes that is not known here";
const FEWER = "applies to fewer requests";
const REST = "skips the rest of the ruleset";

const cases = [
  ...at(
    {},
    [
      "a rule loosened beside one with a secret",
      "yes",
      [secret, admin],
      [secret, when(admin, 'http.host eq "nowhere.example.com"')],
      { admin: ["applies to other requests"] },
    ],
    ["a changed secret", "unknown", [secret], [another], { secret: [CHANGED] }],
    [
      "a rule that only logs beside a changed secret",
      "yes",
      [secret, admin],
      [another, act(admin, "log")],
      { admin: ["block → log"], secret: [CHANGED] },
    ],
    [
      "a rule that only logs above a changed secret",
      "yes",
      [admin, secret],
      [act(admin, "log"), another],
      { admin: ["block → log"], secret: [CHANGED] },
    ],
    [
      "a rule for more requests beside a changed secret",
      "unknown",
      [secret, login],
      [another, admin, login],
      { secret: [CHANGED] },
    ],
    [
      "another path is blocked instead",
      "yes",
      [admin],
      [when(admin, 'http.request.uri.path eq "/other"')],
      { admin: ["applies to other requests"] },
    ],
    [
      "one block narrowed while another is added",
      "yes",
      [admin],
      [when(admin, 'http.request.uri.path eq "/admin"'), login],
      { admin: [FEWER] },
    ],
    [
      "a skip rule that skips more",
      "yes",
      [office(bic)],
      [office({ ...bic, phases: [MANAGED, LIMITS] })],
      { office: [`also skips phase ${MANAGED}, phase ${LIMITS}`] },
    ],
    ["a skip rule above a block", "yes", [admin], [office(current), admin], { office: [REST] }],
    ["a skip rule that moves above a block", "yes", [admin, office(current)], [office(current), admin]],
    ["a block that only logs", "yes", [admin], [act(admin, "log")], { admin: ["block → log"] }],
    ["a connection that is closed instead of a block", "no", [admin], [act(admin, "force_connection_close")]],
    [
      "two rules merged into one",
      "no",
      [admin, login],
      [{ ...admin, expression: `${String(admin.expression)} or ${String(login.expression)}` }],
    ],
    [
      "a narrowed block with a raw field",
      "yes",
      [raw(1)],
      [when(raw(1), 'http.request.uri.path eq "/admin"')],
      { raw: [FEWER] },
    ],
    ["a widened block with a raw field", "no", [raw(1)], [when(raw(1), "true")]],
    ["a block with a raw field less", "yes", [raw(1), login], [login], { raw: ["removed"] }],
    ["a block with a raw field more", "no", [login], [login, raw(1)]],
    ["a log rule with a raw field that blocks now", "no", [act(raw(1), "log")], [raw(1)]],
    ["another value of a raw field", "unknown", [raw(1)], [raw(2)], { raw: ["wire.strength 1 → 2"] }],
    ["a raw field more", "unknown", [admin], [{ ...raw(1), ref: "admin" }], { admin: ["wire.strength not set → 1"] }],
    ["a raw field less", "unknown", [{ ...raw(1), ref: "admin" }], [admin], { admin: ["wire.strength 1 → not set"] }],
    [
      "a raw field of a block's parameters",
      "unknown",
      [admin],
      [{ ...admin, actionParameters: { wire: { only_for: "bots" } } }],
      { admin: ['actionParameters.wire.only_for not set → "bots"'] },
    ],
    [
      "a raw field of a rule that only logs",
      "unknown",
      [act(admin, "log")],
      [{ ...raw(1), ref: "admin", action: "log" }],
    ],
    [
      "a skip rule that skips more, with a raw field",
      "yes",
      [office({ products: ["bic"], wire: { also: 1 } })],
      [office({ products: ["bic", "waf"], wire: { also: 1 } })],
      { office: ["also skips waf"] },
    ],
    [
      "a raw field of a skip rule",
      "unknown",
      [office(bic)],
      [office({ products: ["bic"], wire: { also: 1 } })],
      { office: ["actionParameters.wire.also not set → 1"] },
    ],
    [
      "a rule loosened beside one whose raw field changes",
      "yes",
      [raw(1), login],
      [raw(2)],
      { login: ["removed"], raw: ["wire.strength 1 → 2"] },
    ],
    [
      "a skip rule that skips another phase instead",
      "yes",
      [office({ phases: [MANAGED] })],
      [office({ phases: [LIMITS] })],
      { office: [`also skips phase ${LIMITS}`, `no longer skips phase ${MANAGED}`] },
    ],
    ["other places where credentials are looked for", "unknown", [credentials("user")], [credentials("name")]],
    ["a narrowed rule that looks for credentials", "no", [when(credentials("user"), "ssl")], [credentials("user")]],
  ),
  ...at(
    { phase: "http_request_transform" },
    ["a rewrite of URLs before rules that are not given", "unknown", [], [toX]],
    ["another rewrite of URLs before rules that are not given", "unknown", [toX], [rewrite({ path: { value: "/y" } })]],
    ["a rewrite of URLs in another notation", "no", [toX], [{ ...toX, expression: `(${admin.expression ?? ""})` }]],
  ),
  ...at({ phase: "http_request_transform", isPart: true }, [
    "a rewrite of some rules that are not given either",
    "unknown",
    [],
    [rewrite({ query: { value: "" } })],
  ]),
  ...at({ phase: "http_request_late_transform" }, [
    "a rewrite of headers for the origin",
    "no",
    [],
    [
      rule("headers", "rewrite", "true", {
        actionParameters: { headers: { "x-a": { operation: "set", value: "b" } } },
      }),
    ],
  ]),
  ...at(
    { phase: "http_config_settings" },
    ["a setting that stops fewer requests", "unknown", [], [setting({ bic: false })]],
    ["a setting that stopped more requests, and is gone", "unknown", [setting({ securityLevel: "under_attack" })], []],
    ["a higher security level", "no", [setting({ securityLevel: "low" })], [setting({ security_level: "high" })]],
    [
      "a setting that stops more requests, for fewer of them",
      "unknown",
      [setting({ bic: true })],
      [when(setting({ bic: true }), "ssl")],
    ],
    [
      "a setting that stops nothing, beside one that does not change",
      "no",
      [setting({ bic: false })],
      [setting({ bic: false, rocketLoader: true })],
    ],
  ),
  ...at(
    { phase: LIMITS },
    [
      "a limit of 10,000 instead of 10",
      "yes",
      [limit()],
      [limit({ requestsPerPeriod: 10_000 })],
      { limit: ["10 requests in 60 seconds → 10,000 requests in 60 seconds"] },
    ],
    [
      "a period of 10 seconds instead of 60",
      "yes",
      [limit()],
      [limit({ period: 10 })],
      { limit: ["10 requests in 60 seconds → 10 requests in 10 seconds"] },
    ],
    [
      "a timeout of 60 seconds instead of 600",
      "yes",
      [limit()],
      [limit({ mitigationTimeout: 60 })],
      { limit: ["stops clients for 600 → 60 seconds"] },
    ],
    ["a limit that only logs", "yes", [limit()], [limit({}, "log")], { limit: ["block → log"] }],
    [
      "a raw field of a limit",
      "unknown",
      [limit()],
      [limit({ wire: { counts: "twice" } })],
      { limit: ['ratelimit.wire.counts not set → "twice"'] },
    ],
    [
      "a higher limit with a raw field",
      "yes",
      [limit({ wire: { counts: "twice" } })],
      [limit({ requestsPerPeriod: 100, wire: { counts: "twice" } })],
      { limit: ["10 requests in 60 seconds → 100 requests in 60 seconds"] },
    ],
  ),
  ...at(
    { phase: MANAGED },
    [
      "a lower paranoia level and a higher threshold",
      "yes",
      [owasp(2, 25)],
      [owasp(1, 60)],
      { owasp: ["paranoia level 2 → 1", "threshold 25 → 60"] },
    ],
    [
      "a raw field of an executed ruleset",
      "unknown",
      [execute({})],
      [execute({ wire: { gentle: true } })],
      { run: ["actionParameters.overrides.wire.gentle not set → true"] },
    ],
    [
      "another order of tags, which a rule may both have",
      "yes",
      [execute({ categories: [tag("cms", false), tag("sqli", true)] })],
      [execute({ categories: [tag("sqli", true), tag("cms", false)] })],
      { run: ["rules with the tags cms, sqli: on → off"] },
    ],
    [
      "another order of tags that do the same",
      "no",
      [execute({ categories: [tag("cms", false), tag("sqli", false)] })],
      [execute({ categories: [tag("sqli", false), tag("cms", false)] })],
    ],
    [
      "a rule that is no longer on by itself, and may have a tag that is off",
      "yes",
      [execute({ enabled: true, categories: [tag("cms", false)], rules: [{ id: "one", enabled: true }] })],
      [execute({ enabled: true, categories: [tag("cms", false)] })],
      { run: ["rule one, if it has the tag cms: on → off"] },
    ],
    [
      "a tag that is no longer off, beside a rule that is on by itself",
      "no",
      [execute({ enabled: true, categories: [tag("cms", false)], rules: [{ id: "one", enabled: true }] })],
      [execute({ enabled: true, rules: [{ id: "one", enabled: true }] })],
    ],
    [
      "a tag less, which lets rules block that another tag turns on",
      "yes",
      [execute({ enabled: false, categories: [act(tag("cms", true), "log"), { category: "sqli", action: "block" }] })],
      [execute({ enabled: false, categories: [act(tag("cms", true), "log")] })],
      { run: ["rules with the tags cms, sqli: block → log", "rules with the tags cms, sqli: off → on, block → log"] },
    ],
    [
      "an executed ruleset in its latest version, as the service says",
      "no",
      [execute({})],
      [{ ...execute({}), actionParameters: { ...execute({}).actionParameters, wire: { version: "latest" } } }],
    ],
    [
      "a tag that is off, while another one is on again",
      "yes",
      [execute({ categories: [{ category: "wordpress", enabled: false }] })],
      [execute({ categories: [{ category: "drupal", enabled: false }] })],
      { run: ["tag wordpress: off → default", "tag drupal: default → off"] },
    ],
    [
      "a managed ruleset instead of another one",
      "yes",
      [execute({})],
      [{ ...execute({}), actionParameters: { id: OWASP } }],
      {
        run: [
          `executes ${OWASP} ("Cloudflare OWASP Core Ruleset") instead of efb7b8c949ac4650a09736fc376e9aee ("Cloudflare Managed Ruleset")`,
        ],
      },
    ],
  ),
  ...at(
    { isPart: true },
    ["a block less in a part of a ruleset", "yes", [admin, login], [admin], { login: ["removed"] }],
    ["a block more in a part of a ruleset", "no", [admin], [admin, login]],
    ["a move among rules of others", "unknown", [admin, login], [login, admin]],
    ["a challenge among rules of others", "unknown", [], [act(admin, "managed_challenge")], { admin: ["added"] }],
    ["a skip rule among rules of others", "yes", [], [office(current)], { office: [REST] }],
  ),
  ...at({ phase: MANAGED, host: "shop.example.com" }, [
    "an executed ruleset for one host, where the rules leave the host open to a raw field",
    "yes",
    [execute({ wire: { x: 1 } })],
    [when(execute({ wire: { x: 1 } }), 'http.host eq "shop.example.com"')],
    { run: [FEWER] },
  ]),
];

test.each(cases.map(([where, [name, ...edit]]) => [name, edit, where] as const))("%s", (_, edit, where) => {
  const [weakens, before, after, says = {}] = edit;
  const found = judge({ phase: FIREWALL, before, after, ...where });
  expect(found.weakens).toBe(weakens);
  const blamed = found.rules.filter((one) => one.weakens !== "no" && one.reasons.length > 0);
  expect(Object.fromEntries(blamed.map(({ ref, reasons }) => [ref, reasons.map(({ text }) => text)]))).toEqual(says);
  if (weakens === "yes") expect(found.comparison.witnesses.some(({ direction }) => direction === "looser")).toBe(true);
  if (weakens === "unknown") expect(found.undecided.map(({ direction }) => direction)).toContain("looser");
});

describe("a rule whose time is over, in a part of a ruleset", () => {
  const now = 1_790_000_000;
  const over = (one: RuleInput, ago = 60): RuleInput => ({
    ...one,
    ref: "over",
    expression: `(${one.expression ?? ""}) and http.request.timestamp.sec lt ${String(now - ago)}`,
  });
  const rules: readonly (readonly [phase: string, rule: RuleInput])[] = [
    ...["block", "challenge", "js_challenge", "managed_challenge"].map(
      (action) => [FIREWALL, act(admin, action)] as const,
    ),
    [FIREWALL, office({ ruleset: "current" })],
    [
      "http_request_dynamic_redirect",
      rule("to", "redirect", "ssl", {
        actionParameters: { fromValue: { targetUrl: { value: "https://a.example/" }, statusCode: 301 } },
      }),
    ],
    [MANAGED, execute({})],
  ];

  test.each(rules.map(([phase, one]) => ({ action: one.action, phase, one })))(
    "makes no difference: $action",
    ({ phase, one }) => {
      const gone = over(one);
      const edits: readonly (readonly [before: readonly RuleInput[], after: readonly RuleInput[], moved?: string[]])[] =
        [
          [[], [gone]],
          [[gone], []],
          [[gone], [gone], ["over"]],
          [[gone], [over(one, 90)]],
        ];
      const seen = edits.map(
        ([before, after, moved = []]) => judge({ phase, isPart: true, now, before, after, moved }).comparison.verdict,
      );
      expect(seen).toEqual(["equivalent", "equivalent", "equivalent", "equivalent"]);
    },
  );

  test("does, while its time is not over", () => {
    const soon = over(act(admin, "managed_challenge"), -60);
    expect(judge({ phase: FIREWALL, isPart: true, now, before: [], after: [soon] }).weakens).toBe("unknown");
  });
});
