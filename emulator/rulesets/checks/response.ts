import type { Body } from "../../call.js";
import { invalidValue, refuse, type ServiceError } from "../../failure.js";
import type { Check } from "./check.js";

const CUSTOM = "http_request_firewall_custom";

/**
 * A page that is too large: https://developers.cloudflare.com/waf/rate-limiting-rules/parameters/,
 * https://developers.cloudflare.com/waf/custom-rules/create-dashboard/ and
 * https://developers.cloudflare.com/rules/custom-errors/create-rules/
 */
export const responseFault: Check = ({ action, action_parameters }, { phase }, at) => {
  const parameters = (action_parameters ?? {}) as Body;
  const pointer = `${at}/action_parameters`;
  if (action === "serve_error" && parameters.content !== undefined && parameters.asset_name !== undefined)
    return refuse(400, undefined, "content and asset_name are mutually exclusive", pointer);
  if (action === "serve_error") return sizeFault(parameters.content, 10, `${pointer}/content`);
  if (action !== "block") return undefined;
  const most = phase === CUSTOM ? 2 : 30;
  return sizeFault((parameters.response as Body | undefined)?.content, most, `${pointer}/response/content`);
};

function sizeFault(content: unknown, maxKb: number, pointer: string): ServiceError | undefined {
  if (typeof content !== "string" || Buffer.byteLength(content) <= maxKb * 1024) return undefined;
  return invalidValue(`${content.slice(0, 60)}…`, "content", `it is longer than ${String(maxKb)} KB`, { pointer });
}
