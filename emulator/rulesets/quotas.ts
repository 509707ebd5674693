import type { Plan } from "../seed.js";

type ByPlan = Readonly<Record<Plan, number>>;

/** Rules a phase of a zone may hold, by plan (API facts 3.7). */
const RULES: Readonly<Record<string, ByPlan>> = {
  http_request_firewall_custom: { free: 5, pro: 20, business: 100, enterprise: 1000 },
  http_ratelimit: { free: 1, pro: 2, business: 5, enterprise: 100 },
  http_request_dynamic_redirect: { free: 10, pro: 25, business: 50, enterprise: 300 },
};

/** Custom rulesets of a zone, by plan. */
export const ZONE_CUSTOM_RULESETS: ByPlan = { free: 1, pro: 2, business: 5, enterprise: 10 };

export function maxRules(phase: string, plan: Plan): number {
  return RULES[phase]?.[plan] ?? 1000;
}
