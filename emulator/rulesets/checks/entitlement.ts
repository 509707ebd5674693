import { refuse } from "../../failure.js";
import type { Check } from "./check.js";

const LOGGING_PHASES = new Set(["http_request_firewall_custom", "http_ratelimit"]);

/** Actions that the plan of the zone does not include. */
export const entitlementFault: Check = ({ action }, { plan, phase }, at) => {
  if (action !== "log" || plan === undefined || plan === "enterprise" || !LOGGING_PHASES.has(phase)) return undefined;
  const text = "not entitled: the use of the log action is not allowed, an Enterprise plan is required";
  return refuse(400, undefined, text, `${at}/action`);
};
