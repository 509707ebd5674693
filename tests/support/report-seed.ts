import type { RulesetSeed, Seed } from "../../emulator/index.js";

const MANAGED = "efb7b8c949ac4650a09736fc376e9aee";
const OWASP = "4814384a9e5d4991b9815dcfc25d2f1f";
const SCORING = "6179ae15870a4bb7b2d480d4843b323c";
const CUSTOM = "http_request_firewall_custom";
const FIREWALL = "http_request_firewall_managed";
const LIMITS = "http_ratelimit";
type Rule = Readonly<Record<string, unknown>>;

const entry = (zone: string, phase: string, ...rules: Rule[]): RulesetSeed => ({ zone, phase, rules });
const block = (description: string, expression: string, more: Rule = {}): Rule => ({
  action: "block",
  description,
  expression,
  ...more,
});
const execute = (id: string, overrides?: Rule, more: Rule = {}): Rule => ({
  action: "execute",
  expression: "true",
  action_parameters: { id, ...(overrides === undefined ? {} : { overrides }) },
  ...more,
});
const skip = (expression: string, description: string, parameters: Rule): Rule => ({
  action: "skip",
  expression,
  description,
  action_parameters: parameters,
});
/** The OWASP core ruleset at a paranoia level. */
const owasp = (level: number, scoreThreshold: number, action: string): Rule =>
  execute(OWASP, {
    categories: [1, 2, 3, 4]
      .filter((one) => one > level)
      .map((one) => ({ category: `paranoia-level-${String(one)}`, enabled: false })),
    rules: [{ id: SCORING, score_threshold: scoreThreshold, action }],
  });
const limit = (description: string): Rule => ({
  action: "block",
  description,
  expression: 'http.request.uri.path eq "/login"',
  ratelimit: { characteristics: ["cf.colo.id", "ip.src"], period: 60, requests_per_period: 5, mitigation_timeout: 60 },
});
const admin = block("Block admin", 'starts_with(http.request.uri.path, "/admin")');

/** An account with zones that are protected, weakened, only logged and not protected. */
export const reportSeed: Seed = {
  ids: "report",
  accounts: [{ name: "Example Ltd" }],
  zones: [
    { name: "shop.example.com" },
    { name: "blog.example.com", plan: "business" },
    { name: "api.example.com" },
    { name: "old.example.com", plan: "pro" },
  ],
  rulesets: [
    entry("shop.example.com", CUSTOM, admin),
    entry("shop.example.com", LIMITS, limit("Logins")),
    entry("shop.example.com", FIREWALL, execute(MANAGED), owasp(2, 40, "block")),
    entry(
      "blog.example.com",
      CUSTOM,
      skip('http.request.headers["x-monitor-key"][0] eq "hunter2-hunter2"', "", { phases: [FIREWALL] }),
      skip("ip.src in {192.0.2.0/24}", "The office", { phases: [LIMITS] }),
      admin,
      block("Block admin users", 'http.request.uri.path eq "/admin/users"', { action: "managed_challenge" }),
      block("Old bots", 'http.user_agent contains "oldbot"', { enabled: false }),
    ),
    entry(
      "blog.example.com",
      FIREWALL,
      execute(MANAGED, {
        categories: [{ category: "wordpress", enabled: false }],
        rules: [{ id: "76103546c9e9738a21047932accefc6e", action: "log" }],
      }),
      owasp(1, 60, "log"),
    ),
    entry("api.example.com", CUSTOM, {
      action: "log",
      description: "Watch the crawlers",
      expression: 'http.user_agent contains "bot"',
    }),
    entry("api.example.com", LIMITS, limit("Logins")),
    entry(
      "api.example.com",
      FIREWALL,
      skip('http.request.uri.path ne "/x" or http.request.uri.path eq "/x"', "Launch day", { ruleset: "current" }),
      execute(MANAGED),
    ),
    {
      account: "Example Ltd",
      kind: "custom",
      name: "Blocked countries",
      phase: CUSTOM,
      rules: [block("Sanctions", 'ip.src.country in {"KP"}')],
    },
    {
      account: "Example Ltd",
      phase: CUSTOM,
      rules: [
        // The ID of "Blocked countries": IDs are determined by the seed and its order.
        execute("7843f3174628d5b6b2cc65c7267e40df", undefined, {
          description: "Blocked countries",
          expression: '(cf.zone.name in {"shop.example.com" "api.example.com"}) and cf.zone.plan eq "ENT"',
        }),
      ],
    },
    {
      account: "Example Ltd",
      kind: "custom",
      name: "Forgotten",
      phase: CUSTOM,
      rules: [block("Never deployed", 'http.host eq "x.example.com"')],
    },
  ],
};
