import { invalidValue, refuse } from "../../failure.js";
import { takesAction } from "../phases.js";
import type { Check } from "./check.js";
import { isKnownAction } from "./schema.js";

const NEEDS_PARAMETERS = new Set([
  "compress_response",
  "execute",
  "log_custom_field",
  "redirect",
  "rewrite",
  "route",
  "score",
  "serve_error",
  "set_cache_control",
  "set_cache_settings",
  "set_cache_tags",
  "set_config",
  "skip",
  "transform_response_html",
]);

/** Whether there is an action, whether it is allowed here, and parameters that only some actions have. */
export const actionFault: Check = ({ action, action_parameters: parameters, logging }, { phase, kind }, at) => {
  const pointer = `${at}/action`;
  if (action === undefined || action === "") return refuse(400, undefined, "action is required", pointer);
  if (typeof action !== "string" || !isKnownAction(action))
    return invalidValue(action, "action", "it is not a known action", { pointer });
  if (!takesAction(phase, kind, action)) {
    const reason = `it is not possible to use the ${action} action in a ruleset with phase ${phase} and kind ${kind}`;
    return invalidValue(action, "action", reason, { pointer });
  }
  if (NEEDS_PARAMETERS.has(action) && !isFilled(parameters)) {
    const text = `action parameters are required for the ${action} action`;
    return refuse(400, 20113, text, `${at}/action_parameters`);
  }
  if (logging !== undefined && action !== "skip")
    return refuse(400, 20018, "logging options only allowed in the skip action", `${at}/logging`);
  return undefined;
};

function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}
