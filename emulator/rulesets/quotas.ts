import { ownValue } from "../lookup.js";
import type { Plan } from "../zones/model.js";

type ByPlan = Readonly<Record<Plan, number>>;

/** Most phases outside the firewall have these quotas. */
const COMMON: ByPlan = { free: 10, pro: 25, business: 50, enterprise: 300 };

/** Rules per phase of a zone, by plan. */
const RULES: Readonly<Record<string, ByPlan>> = {
  ddos_l7: { free: 1, pro: 1, business: 1, enterprise: 10 },
  http_request_firewall_custom: { free: 5, pro: 20, business: 100, enterprise: 1000 },
  http_ratelimit: { free: 1, pro: 2, business: 5, enterprise: 100 },
  http_config_settings: COMMON,
  http_custom_errors: { ...COMMON, free: 0 },
  http_request_cache_settings: COMMON,
  http_request_dynamic_redirect: COMMON,
  http_request_late_transform: COMMON,
  http_request_origin: COMMON,
  http_request_transform: COMMON,
  http_response_cache_settings: COMMON,
  http_response_compression: COMMON,
  http_response_headers_transform: COMMON,
};

/** Custom rulesets per zone, by plan. */
export const ZONE_CUSTOM_RULESETS: ByPlan = { free: 1, pro: 2, business: 5, enterprise: 10 };
/** Custom rulesets for custom rules per account, unless its contract includes more. */
export const ACCOUNT_CUSTOM_RULESETS = 10;
/** Total number of rules in the custom rulesets of an account. */
export const ACCOUNT_CUSTOM_RULES = 1000;

/** Rules per phase of an account, by the highest plan of its zones. */
const ACCOUNT_RULES: Readonly<Record<string, ByPlan>> = {
  http_request_redirect: { free: 15, pro: 15, business: 15, enterprise: 50 },
};

/** The maximum number of rules in a ruleset of a zone or an account, by its plan. */
export function maxRules(level: "zones" | "accounts", phase: string, plan: Plan): number {
  return ownValue(level === "zones" ? RULES : ACCOUNT_RULES, phase)?.[plan] ?? 1000;
}
