import { refuse } from "../../failure.js";
import { bare } from "./expression.js";
import type { Check } from "./check.js";

/** Regular expressions that a rule may hold, whatever the plan. */
const MAX_PATTERNS = 64;
const LOGGING_PHASES = new Set(["http_request_firewall_custom", "http_ratelimit"]);

/** What the plan of the zone does not include. */
export const entitlementFault: Check = ({ action, expression }, { plan, phase }, at) => {
  const patterns = bare(expression).match(/\bmatches\b|~/g)?.length ?? 0;
  if (patterns > MAX_PATTERNS) {
    const text = `the expression has ${String(patterns)} regular expressions, more than ${String(MAX_PATTERNS)}`;
    return refuse(400, undefined, text, `${at}/expression`);
  }
  if (plan === undefined) return undefined;
  if (patterns > 0 && (plan === "free" || plan === "pro")) {
    const text =
      "not entitled: the use of operator Matches is not allowed, a Business plan or a WAF Advanced plan is required";
    return refuse(400, undefined, text, `${at}/expression`);
  }
  if (plan !== "enterprise" && action === "log" && LOGGING_PHASES.has(phase)) {
    const text = "not entitled: the use of the log action is not allowed, an Enterprise plan is required";
    return refuse(400, undefined, text, `${at}/action`);
  }
  return undefined;
};
