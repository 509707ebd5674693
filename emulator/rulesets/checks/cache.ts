import type { Body } from "../../call.js";
import { refuse } from "../../failure.js";
import type { Check } from "./check.js";

const RESPONSE_PHASE = "http_response_cache_settings";

/** Response and request settings belong to different phases. */
export const cacheFault: Check = ({ action, action_parameters: parameters }, { phase }, at) => {
  if (action !== "set_cache_settings") return undefined;
  const stray = Object.keys(parameters as Body).find(
    (name) => name.startsWith("strip_") !== (phase === RESPONSE_PHASE),
  );
  if (stray === undefined) return undefined;
  const text = `it is not possible to use ${stray} in a ruleset with phase ${phase}`;
  return refuse(400, undefined, text, `${at}/action_parameters/${stray}`);
};
