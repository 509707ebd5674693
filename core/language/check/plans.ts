import type { Span } from "../ast.js";
import { findField, findFunction } from "../catalogue/index.js";
import type { FindingCollector } from "./finding-collector.js";
import { PLANS, type Plan } from "./options.js";

const RANK: Readonly<Record<Plan, number>> = { free: 0, pro: 1, business: 2, enterprise: 3 };
const NAMES: Readonly<Record<Plan, string>> = {
  free: "Free",
  pro: "Pro",
  business: "Business",
  enterprise: "Enterprise",
};

/** What a plan may exclude. */
export type Entitled = "field" | "function" | "operator";

/** The plan required by a field, a function or an operator. */
interface NeededPlan {
  /** The lowest plan that may include it. */
  readonly least: Plan;
  /** `at least the Business plan`; some require more than a plan. */
  readonly words: string;
}

/** Fields that rate limiting rules may use below the Business plan. */
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

/** Checks whether the zone's plan, if known, includes a field, a function or an operator. */
export function checkPlan(name: string, kind: Entitled, span: Span, collector: FindingCollector): void {
  const { plan, phase } = collector.options;
  const needed = plan === undefined ? undefined : neededPlan(kind, name, phase);
  if (plan === undefined || needed === undefined || RANK[plan] >= RANK[needed.least]) return;
  collector.warn("plan", span, `the ${kind} \`${name}\` needs ${needed.words}; the zone is on ${NAMES[plan]}`);
}

/**
 * The plan that a name of the language requires in a phase, if higher than the lowest plan; undefined if every plan includes
 * it.
 */
export function neededPlan(kind: Entitled, name: string, phase?: string): NeededPlan | undefined {
  const own = inWords(ownPlan(kind, name, phase));
  const limited = kind === "field" && phase === "http_ratelimit" ? rateLimitPlan(name) : undefined;
  if (own === undefined || limited === undefined) return own ?? limited;
  return RANK[own.least] < RANK[limited.least] ? limited : own;
}

/** In Cloudflare's words. */
function ownPlan(kind: Entitled, name: string, phase: string | undefined): string | undefined {
  if (kind === "field") return findField(name)?.plan;
  if (kind === "function") return findFunction(name)?.plan;
  if (name !== "matches") return undefined;
  return phase === "http_ratelimit" ? "Enterprise add-on" : "Business or WAF Advanced";
}

function rateLimitPlan(field: string): NeededPlan | undefined {
  if (RATE_LIMIT_FREE.has(field)) return undefined;
  const least = RATE_LIMIT_PRO.has(field) ? "pro" : "business";
  return { least, words: `at least the ${NAMES[least]} plan in a rate limiting rule` };
}

function inWords(plan: string | undefined): NeededPlan | undefined {
  if (plan === undefined) return undefined;
  if (plan.startsWith("Business or")) return { least: "business", words: "a Business plan or WAF Advanced" };
  if (plan.startsWith("Enterprise add-on")) return { least: "enterprise", words: "the Enterprise plan with an add-on" };
  if (plan === "Early access" || plan === "on request")
    return { least: "enterprise", words: "Cloudflare to enable it" };
  const least = PLANS.find((each) => NAMES[each] === plan) ?? "enterprise";
  return { least, words: `at least the ${plan} plan` };
}
