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
const SETTINGS = "http_config_settings";
const setting = (actionParameters: object) => rule("setting", "set_config", "true", { actionParameters });
const rewrite = (uri: object) => rule("rewrite", "rewrite", admin.expression ?? "", { actionParameters: { uri } });
const secret: RuleInput = { ref: "secret", action: "block", opaque: "1" };

interface Case {
  readonly name: string;
  readonly weakens: Weakens;
  readonly edit: Omit<JudgeInput, "phase"> & { readonly phase?: string };
  /** What the rules that weaken it say. */
  readonly says?: Readonly<Record<string, readonly string[]>>;
}

const cases: readonly Case[] = [
  {
    name: "a rule loosened beside one with a secret",
    weakens: "yes",
    edit: { before: [secret, admin], after: [secret, { ...admin, expression: 'http.host eq "nowhere.example.com"' }] },
    says: { admin: ["applies to other requests"] },
  },
  {
    name: "a changed secret",
    weakens: "unknown",
    edit: { before: [secret], after: [{ ...secret, opaque: "2" }] },
    says: { secret: ["a value changes that is not known here"] },
  },
  {
    name: "a rule that only logs beside a changed secret",
    weakens: "yes",
    edit: {
      before: [secret, admin],
      after: [
        { ...secret, opaque: "2" },
        { ...admin, action: "log" },
      ],
    },
    says: { admin: ["block → log"], secret: ["a value changes that is not known here"] },
  },
  {
    name: "a rule that only logs above a changed secret",
    weakens: "yes",
    edit: {
      before: [admin, secret],
      after: [
        { ...admin, action: "log" },
        { ...secret, opaque: "2" },
      ],
    },
    says: { admin: ["block → log"], secret: ["a value changes that is not known here"] },
  },
  {
    name: "a rule for more requests beside a changed secret",
    weakens: "unknown",
    edit: { before: [secret, login], after: [{ ...secret, opaque: "2" }, admin, login] },
    says: { secret: ["a value changes that is not known here"] },
  },
  {
    name: "a rewrite of URLs before rules that are not given",
    weakens: "unknown",
    edit: { phase: "http_request_transform", before: [], after: [rewrite({ path: { value: "/x" } })] },
  },
  {
    name: "another rewrite of URLs before rules that are not given",
    weakens: "unknown",
    edit: {
      phase: "http_request_transform",
      before: [rewrite({ path: { value: "/x" } })],
      after: [rewrite({ path: { value: "/y" } })],
    },
  },
  {
    name: "a rewrite of URLs in another notation",
    weakens: "no",
    edit: {
      phase: "http_request_transform",
      before: [rewrite({ path: { value: "/x" } })],
      after: [{ ...rewrite({ path: { value: "/x" } }), expression: `(${admin.expression ?? ""})` }],
    },
  },
  {
    name: "a rewrite of some rules that are not given either",
    weakens: "unknown",
    edit: { phase: "http_request_transform", isPart: true, before: [], after: [rewrite({ query: { value: "" } })] },
  },
  {
    name: "a rewrite of headers for the origin",
    weakens: "no",
    edit: {
      phase: "http_request_late_transform",
      before: [],
      after: [
        rule("headers", "rewrite", "true", {
          actionParameters: { headers: { "x-a": { operation: "set", value: "b" } } },
        }),
      ],
    },
  },
  {
    name: "a setting that stops fewer requests",
    weakens: "unknown",
    edit: { phase: SETTINGS, before: [], after: [setting({ bic: false })] },
  },
  {
    name: "a setting that stopped more requests, and is gone",
    weakens: "unknown",
    edit: { phase: SETTINGS, before: [setting({ securityLevel: "under_attack" })], after: [] },
  },
  {
    name: "a higher security level",
    weakens: "no",
    edit: {
      phase: SETTINGS,
      before: [setting({ securityLevel: "low" })],
      after: [setting({ security_level: "high" })],
    },
  },
  {
    name: "a setting that stops more requests, for fewer of them",
    weakens: "unknown",
    edit: {
      phase: SETTINGS,
      before: [setting({ bic: true })],
      after: [{ ...setting({ bic: true }), expression: "ssl" }],
    },
  },
  {
    name: "a setting that stops nothing, beside one that does not change",
    weakens: "no",
    edit: { phase: SETTINGS, before: [setting({ bic: false })], after: [setting({ bic: false, rocketLoader: true })] },
  },
  {
    name: "another path is blocked instead",
    weakens: "yes",
    edit: { before: [admin], after: [{ ...admin, expression: 'http.request.uri.path eq "/other"' }] },
    says: { admin: ["applies to other requests"] },
  },
  {
    name: "one block narrowed while another is added",
    weakens: "yes",
    edit: { before: [admin], after: [{ ...admin, expression: 'http.request.uri.path eq "/admin"' }, login] },
    says: { admin: ["applies to fewer requests"] },
  },
  {
    name: "a skip rule that skips more",
    weakens: "yes",
    edit: {
      before: [office({ products: ["bic"] })],
      after: [office({ products: ["bic"], phases: [MANAGED, LIMITS] })],
    },
    says: { office: [`also skips phase ${MANAGED}, phase ${LIMITS}`] },
  },
  {
    name: "a skip rule above a block",
    weakens: "yes",
    edit: { before: [admin], after: [office({ ruleset: "current" }), admin] },
    says: { office: ["skips the rest of the ruleset"] },
  },
  {
    name: "a skip rule that moves above a block",
    weakens: "yes",
    edit: { before: [admin, office({ ruleset: "current" })], after: [office({ ruleset: "current" }), admin] },
  },
  {
    name: "a limit of 10,000 instead of 10",
    weakens: "yes",
    edit: { phase: LIMITS, before: [limit()], after: [limit({ requestsPerPeriod: 10_000 })] },
    says: { limit: ["10 requests in 60 seconds → 10,000 requests in 60 seconds"] },
  },
  {
    name: "a period of 10 seconds instead of 60",
    weakens: "yes",
    edit: { phase: LIMITS, before: [limit()], after: [limit({ period: 10 })] },
    says: { limit: ["10 requests in 60 seconds → 10 requests in 10 seconds"] },
  },
  {
    name: "a timeout of 60 seconds instead of 600",
    weakens: "yes",
    edit: { phase: LIMITS, before: [limit()], after: [limit({ mitigationTimeout: 60 })] },
    says: { limit: ["stops clients for 600 → 60 seconds"] },
  },
  {
    name: "a limit that only logs",
    weakens: "yes",
    edit: { phase: LIMITS, before: [limit()], after: [limit({}, "log")] },
    says: { limit: ["block → log"] },
  },
  {
    name: "a challenge that moves before a block",
    weakens: "yes",
    edit: {
      before: [admin, rule("all", "managed_challenge", "true")],
      after: [rule("all", "managed_challenge", "true"), admin],
    },
  },
  {
    name: "a block that only logs",
    weakens: "yes",
    edit: { before: [admin], after: [{ ...admin, action: "log" }] },
    says: { admin: ["block → log"] },
  },
  {
    name: "a connection that is closed instead of a block",
    weakens: "no",
    edit: { before: [admin], after: [{ ...admin, action: "force_connection_close" }] },
  },
  {
    name: "a lower paranoia level and a higher threshold",
    weakens: "yes",
    edit: { phase: MANAGED, before: [owasp(2, 25)], after: [owasp(1, 60)] },
    says: { owasp: ["paranoia level 2 → 1", "threshold 25 → 60"] },
  },
  {
    name: "a threshold of 25 where the default is 40",
    weakens: "no",
    edit: { phase: MANAGED, before: [owasp(2)], after: [owasp(2, 25)] },
  },
  {
    name: "a skip rule in another notation",
    weakens: "no",
    edit: {
      before: [office({ products: ["bic"] })],
      after: [office({ products: ["bic"] }, "(ip.src in {192.0.2.0/24})")],
    },
  },
  {
    name: "a skip rule for fewer requests",
    weakens: "no",
    edit: { before: [office({ products: ["bic"] })], after: [office({ products: ["bic"] }, "ip.src eq 192.0.2.1")] },
  },
  {
    name: "two rules merged into one",
    weakens: "no",
    edit: {
      before: [admin, login],
      after: [{ ...admin, expression: `${String(admin.expression)} or ${String(login.expression)}` }],
    },
  },
  {
    name: "a log rule less",
    weakens: "no",
    edit: { before: [rule("log", "log", "true"), admin], after: [admin] },
  },
  {
    name: "a block less in a part of a ruleset",
    weakens: "yes",
    edit: { isPart: true, before: [admin, login], after: [admin] },
    says: { login: ["removed"] },
  },
  {
    name: "a block more in a part of a ruleset",
    weakens: "no",
    edit: { isPart: true, before: [admin], after: [admin, login] },
  },
  {
    name: "a move among rules of others",
    weakens: "unknown",
    edit: { isPart: true, before: [admin, login], after: [login, admin] },
  },
  {
    name: "a challenge among rules of others",
    weakens: "unknown",
    edit: { isPart: true, before: [], after: [{ ...admin, action: "managed_challenge" }] },
    says: { admin: ["added"] },
  },
  {
    name: "a skip rule among rules of others",
    weakens: "yes",
    edit: { isPart: true, before: [], after: [office({ ruleset: "current" })] },
    says: { office: ["skips the rest of the ruleset"] },
  },
  {
    name: "a narrowed block with a raw field",
    weakens: "yes",
    edit: { before: [raw(1)], after: [{ ...raw(1), expression: 'http.request.uri.path eq "/admin"' }] },
    says: { raw: ["applies to fewer requests"] },
  },
  {
    name: "a widened block with a raw field",
    weakens: "no",
    edit: { before: [raw(1)], after: [{ ...raw(1), expression: "true" }] },
  },
  {
    name: "a block with a raw field less",
    weakens: "yes",
    edit: { before: [raw(1), login], after: [login] },
    says: { raw: ["removed"] },
  },
  {
    name: "a block with a raw field more",
    weakens: "no",
    edit: { before: [login], after: [login, raw(1)] },
  },
  {
    name: "a log rule with a raw field that blocks now",
    weakens: "no",
    edit: { before: [{ ...raw(1), action: "log" }], after: [raw(1)] },
  },
  {
    name: "another value of a raw field",
    weakens: "unknown",
    edit: { before: [raw(1)], after: [raw(2)] },
    says: { raw: ["wire.strength 1 → 2"] },
  },
  {
    name: "a raw field more",
    weakens: "unknown",
    edit: { before: [admin], after: [{ ...raw(1), ref: "admin" }] },
    says: { admin: ["wire.strength not set → 1"] },
  },
  {
    name: "a raw field less",
    weakens: "unknown",
    edit: { before: [{ ...raw(1), ref: "admin" }], after: [admin] },
    says: { admin: ["wire.strength 1 → not set"] },
  },
  {
    name: "a raw field of a block's parameters",
    weakens: "unknown",
    edit: { before: [admin], after: [{ ...admin, actionParameters: { wire: { only_for: "bots" } } }] },
    says: { admin: ['actionParameters.wire.only_for not set → "bots"'] },
  },
  {
    name: "a raw field of a rule that only logs",
    weakens: "unknown",
    edit: { before: [{ ...admin, action: "log" }], after: [{ ...raw(1), ref: "admin", action: "log" }] },
  },
  {
    name: "a raw field of a limit",
    weakens: "unknown",
    edit: { phase: LIMITS, before: [limit()], after: [limit({ wire: { counts: "twice" } })] },
    says: { limit: ['ratelimit.wire.counts not set → "twice"'] },
  },
  {
    name: "a higher limit with a raw field",
    weakens: "yes",
    edit: {
      phase: LIMITS,
      before: [limit({ wire: { counts: "twice" } })],
      after: [limit({ requestsPerPeriod: 100, wire: { counts: "twice" } })],
    },
    says: { limit: ["10 requests in 60 seconds → 100 requests in 60 seconds"] },
  },
  {
    name: "a raw field of an executed ruleset",
    weakens: "unknown",
    edit: { phase: MANAGED, before: [execute({})], after: [execute({ wire: { gentle: true } })] },
    says: { run: ["actionParameters.overrides.wire.gentle not set → true"] },
  },
  {
    name: "another order of tags, which a rule may both have",
    weakens: "yes",
    edit: {
      phase: MANAGED,
      before: [execute({ categories: [tag("cms", false), tag("sqli", true)] })],
      after: [execute({ categories: [tag("sqli", true), tag("cms", false)] })],
    },
    says: { run: ["rules with the tags cms, sqli: on → off"] },
  },
  {
    name: "another order of tags that do the same",
    weakens: "no",
    edit: {
      phase: MANAGED,
      before: [execute({ categories: [tag("cms", false), tag("sqli", false)] })],
      after: [execute({ categories: [tag("sqli", false), tag("cms", false)] })],
    },
  },
  {
    name: "a rule that is no longer on by itself, and may have a tag that is off",
    weakens: "yes",
    edit: {
      phase: MANAGED,
      before: [execute({ enabled: true, categories: [tag("cms", false)], rules: [{ id: "one", enabled: true }] })],
      after: [execute({ enabled: true, categories: [tag("cms", false)] })],
    },
    says: { run: ["rule one, if it has the tag cms: on → off"] },
  },
  {
    name: "a tag that is no longer off, beside a rule that is on by itself",
    weakens: "no",
    edit: {
      phase: MANAGED,
      before: [execute({ enabled: true, categories: [tag("cms", false)], rules: [{ id: "one", enabled: true }] })],
      after: [execute({ enabled: true, rules: [{ id: "one", enabled: true }] })],
    },
  },
  {
    name: "a tag less, which lets rules block that another tag turns on",
    weakens: "yes",
    edit: {
      phase: MANAGED,
      before: [
        execute({
          enabled: false,
          categories: [
            { ...tag("cms", true), action: "log" },
            { category: "sqli", action: "block" },
          ],
        }),
      ],
      after: [execute({ enabled: false, categories: [{ ...tag("cms", true), action: "log" }] })],
    },
    says: {
      run: ["rules with the tags cms, sqli: block → log", "rules with the tags cms, sqli: off → on, block → log"],
    },
  },
  {
    name: "an executed ruleset in its latest version, as the service says",
    weakens: "no",
    edit: {
      phase: MANAGED,
      before: [execute({})],
      after: [{ ...execute({}), actionParameters: { ...execute({}).actionParameters, wire: { version: "latest" } } }],
    },
  },
  {
    name: "an executed ruleset for one host, where the rules leave the host open to a raw field",
    weakens: "yes",
    edit: {
      ...{ phase: MANAGED, host: "shop.example.com" },
      before: [execute({ wire: { x: 1 } })],
      after: [{ ...execute({ wire: { x: 1 } }), expression: 'http.host eq "shop.example.com"' }],
    },
    says: { run: ["applies to fewer requests"] },
  },
  {
    name: "a skip rule that skips more, with a raw field",
    weakens: "yes",
    edit: {
      before: [office({ products: ["bic"], wire: { also: 1 } })],
      after: [office({ products: ["bic", "waf"], wire: { also: 1 } })],
    },
    says: { office: ["also skips waf"] },
  },
  {
    name: "a raw field of a skip rule",
    weakens: "unknown",
    edit: { before: [office({ products: ["bic"] })], after: [office({ products: ["bic"], wire: { also: 1 } })] },
    says: { office: ["actionParameters.wire.also not set → 1"] },
  },
  {
    name: "a rule loosened beside one whose raw field changes",
    weakens: "yes",
    edit: { before: [raw(1), login], after: [raw(2)] },
    says: { login: ["removed"], raw: ["wire.strength 1 → 2"] },
  },
  {
    name: "a skip rule that skips another phase instead",
    weakens: "yes",
    edit: { before: [office({ phases: [MANAGED] })], after: [office({ phases: [LIMITS] })] },
    says: { office: [`also skips phase ${LIMITS}`, `no longer skips phase ${MANAGED}`] },
  },
  {
    name: "a tag that is off, while another one is on again",
    weakens: "yes",
    edit: {
      phase: MANAGED,
      before: [execute({ categories: [{ category: "wordpress", enabled: false }] })],
      after: [execute({ categories: [{ category: "drupal", enabled: false }] })],
    },
    says: { run: ["tag wordpress: off → default", "tag drupal: default → off"] },
  },
  {
    name: "a managed ruleset instead of another one",
    weakens: "yes",
    edit: {
      phase: MANAGED,
      before: [execute({})],
      after: [{ ...execute({}), actionParameters: { id: OWASP } }],
    },
    says: {
      run: [
        `executes ${OWASP} ("Cloudflare OWASP Core Ruleset") instead of efb7b8c949ac4650a09736fc376e9aee ("Cloudflare Managed Ruleset")`,
      ],
    },
  },
  {
    name: "other places where credentials are looked for",
    weakens: "unknown",
    edit: { before: [credentials("user")], after: [credentials("name")] },
  },
  {
    name: "a narrowed rule that looks for credentials",
    weakens: "no",
    edit: { before: [{ ...credentials("user"), expression: "ssl" }], after: [credentials("user")] },
  },
];

test.each(cases)("$name: $weakens", ({ weakens, edit, says = {} }) => {
  const found = judge({ phase: FIREWALL, ...edit });
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
      (action) => [FIREWALL, { ...admin, action }] as const,
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
    const soon = over({ ...admin, action: "managed_challenge" }, -60);
    expect(judge({ phase: FIREWALL, isPart: true, now, before: [], after: [soon] }).weakens).toBe("unknown");
  });
});
