import { MANAGED_PHASE } from "../../../../core/model/migration.js";

/** The phase that firewall rules are converted to. */
export const CUSTOM_PHASE = "http_request_firewall_custom";

/** The phases that a resource of the previous WAF may be converted to; empty for any other resource. */
export function phasesOfPrevious(type: string): readonly string[] {
  if (/^cloudflare_(firewall_rule|filter)$/.test(type)) return [CUSTOM_PHASE, MANAGED_PHASE];
  return type === "cloudflare_page_rule" || type.startsWith("cloudflare_waf_") ? [MANAGED_PHASE] : [];
}
