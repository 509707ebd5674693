import type { Body } from "../../call.js";
import { invalidValue, refuse, type ServiceError } from "../../failure.js";
import type { Check } from "./check.js";

const RESPONSE_PHASE = "http_response_cache_settings";
/** Directives with a time: https://developers.cloudflare.com/cache/how-to/cache-response-rules/ */
const TIMED = ["max-age", "s-maxage", "stale-if-error", "stale-while-revalidate"];

/** Response and request settings belong to different phases, and times must be there where they are needed. */
export const cacheFault: Check = ({ action, action_parameters }, { phase }, at) => {
  const parameters = (action_parameters ?? {}) as Body;
  const pointer = `${at}/action_parameters`;
  if (action === "set_cache_control") return directiveFault(parameters, pointer);
  if (action !== "set_cache_settings") return undefined;
  const stray = Object.keys(parameters).find((name) => name.startsWith("strip_") !== (phase === RESPONSE_PHASE));
  if (stray !== undefined) {
    const text = `it is not possible to use ${stray} in a ruleset with phase ${phase}`;
    return refuse(400, undefined, text, `${pointer}/${stray}`);
  }
  const timeless = ["browser_ttl", "edge_ttl"].find((name) => {
    const ttl = (parameters[name] ?? {}) as Body;
    return ttl.mode === "override_origin" && ttl.default === undefined;
  });
  if (timeless !== undefined)
    return refuse(
      400,
      undefined,
      "default is required with the mode override_origin",
      `${pointer}/${timeless}/default`,
    );
  const { status_code_ttl: ttls = [] } = (parameters.edge_ttl ?? {}) as { status_code_ttl?: readonly Body[] };
  const past = ttls.findIndex(({ value }) => Number(value) < -1);
  if (past < 0) return undefined;
  const place = `${pointer}/edge_ttl/status_code_ttl/${String(past)}/value`;
  return invalidValue(ttls[past]?.value, "value", "it must be -1 or more", { pointer: place });
};

function directiveFault(parameters: Body, pointer: string): ServiceError | undefined {
  for (const name of TIMED) {
    const { operation, value } = (parameters[name] ?? {}) as Body;
    const at = `${pointer}/${name}/value`;
    if (operation === "set" && value === undefined) return refuse(400, undefined, "value is required", at);
    if (operation === "remove" && value !== undefined)
      return invalidValue(value, "value", "it is not allowed with the operation remove", { pointer: at });
    if (value !== undefined && !Number.isInteger(value))
      return invalidValue(value, "value", "it must be a whole number of seconds", { pointer: at });
  }
  return undefined;
}
