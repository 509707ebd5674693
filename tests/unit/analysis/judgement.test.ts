import { judge, type JudgeInput, type Weakens } from "../../../analysis/index";
import type { RuleInput } from "../../../simulator/index";

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
];

test.each(cases)("$name: $weakens", ({ weakens, edit, says = {} }) => {
  const found = judge({ phase: FIREWALL, ...edit });
  expect(found.weakens).toBe(weakens);
  const blamed = found.rules.filter((one) => one.weakens !== "no" && one.reasons.length > 0);
  expect(Object.fromEntries(blamed.map(({ ref, reasons }) => [ref, reasons.map(({ text }) => text)]))).toEqual(says);
  if (weakens === "yes") expect(found.comparison.witnesses.some(({ direction }) => direction === "looser")).toBe(true);
  if (weakens === "unknown") expect(found.undecided.map(({ direction }) => direction)).toContain("looser");
});
