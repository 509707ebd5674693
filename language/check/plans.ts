import type { Span } from "../ast.js";
import type { Judge } from "./judge.js";
import type { Plan } from "./options.js";

const RANK: Readonly<Record<Plan, number>> = { free: 0, pro: 1, business: 2, enterprise: 3 };
const NAMES: Readonly<Record<Plan, string>> = {
  free: "Free",
  pro: "Pro",
  business: "Business",
  enterprise: "Enterprise",
};

interface Entry {
  readonly name: string;
  /** The lowest plan, in the vendor's words. */
  readonly plan?: string;
}

/** Fields that rate limiting rules take below the Business plan. */
const RATE_LIMIT_FREE: ReadonlySet<string> = new Set([
  "http.request.uri.path",
  "raw.http.request.uri.path",
  "cf.client.bot",
  "cf.bot_management.verified_bot",
  "true",
]);
const RATE_LIMIT_PRO: ReadonlySet<string> = new Set([
  ...RATE_LIMIT_FREE,
  "http.host",
  "http.request.uri",
  "http.request.full_uri",
  "http.request.uri.query",
  "raw.http.request.uri",
  "raw.http.request.full_uri",
  "raw.http.request.uri.query",
]);

/** Whether the zone's plan has a field, a function or an operator, where the plan is known. */
export function judgePlan(entry: Entry, kind: "field" | "function" | "operator", span: Span, judge: Judge): void {
  const { plan, phase } = judge.options;
  if (plan === undefined) return;
  const { name } = entry;
  const needed = kind === "operator" ? matchesNeeds(phase) : entry.plan;
  if (needed !== undefined && RANK[plan] < rankOf(needed)) {
    judge.warn("plan", span, `the ${kind} \`${name}\` needs ${words(needed)}; the zone is on ${NAMES[plan]}`);
    return;
  }
  const allowed = plan === "free" ? RATE_LIMIT_FREE : plan === "pro" ? RATE_LIMIT_PRO : undefined;
  if (phase === "http_ratelimit" && kind === "field" && allowed?.has(name) === false) {
    const why = `rate limiting rules on ${NAMES[plan]} allow only a few fields`;
    judge.warn("plan", span, `the field \`${name}\` needs a higher plan in a rate limiting rule: ${why}`);
  }
}

function matchesNeeds(phase: string | undefined): string {
  return phase === "http_ratelimit" ? "Enterprise add-on" : "Business or WAF Advanced";
}

function rankOf(needed: string): number {
  if (needed.startsWith("Pro")) return RANK.pro;
  return needed.startsWith("Business") ? RANK.business : RANK.enterprise;
}

function words(needed: string): string {
  if (needed.startsWith("Business or")) return "a Business plan or WAF Advanced";
  if (needed.startsWith("Enterprise add-on")) return "the Enterprise plan with an add-on";
  if (needed === "Early access" || needed === "on request") return "the vendor to enable it";
  return `at least the ${needed} plan`;
}
