import type { Body } from "../../call.js";
import { refuse } from "../../failure.js";
import type { Check } from "./check.js";

/** Actions and parameters that the plan of the zone does not include. The texts about parameters are guesses. */
export const entitlementFault: Check = ({ action, action_parameters }, { plan }, at) => {
  if (plan === undefined || plan === "enterprise") return undefined;
  if (action === "log") {
    const text = "not entitled: the use of the log action is not allowed, an Enterprise plan is required";
    return refuse(400, undefined, text, `${at}/action`);
  }
  const parameters = (action_parameters ?? {}) as Body;
  const [name, needed] = missingParameter(String(action), parameters, plan);
  if (name === undefined) return undefined;
  const text = `not entitled: the use of ${name} is not allowed, ${needed} plan is required`;
  return refuse(400, undefined, text, `${at}/action_parameters/${name}`);
};

/**
 * https://developers.cloudflare.com/rules/origin-rules/#availability,
 * https://developers.cloudflare.com/waf/custom-rules/create-dashboard/#configure-a-custom-response-for-blocked-requests
 */
function missingParameter(action: string, parameters: Body, plan: string): [string | undefined, string] {
  if (action === "route")
    return [["host_header", "sni"].find((name) => parameters[name] !== undefined), "an Enterprise"];
  const isResponse = action === "block" && plan === "free" && parameters.response !== undefined;
  return [isResponse ? "response" : undefined, "a Pro"];
}
