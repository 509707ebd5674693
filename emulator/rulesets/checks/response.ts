import type { Body } from "../../call.js";
import { invalidValue } from "../../failure.js";
import type { Check } from "./check.js";

const MAX_BYTES = 30 * 1024;

/** A block page that is too large: https://developers.cloudflare.com/waf/rate-limiting-rules/parameters/ */
export const responseFault: Check = ({ action, action_parameters }, _context, at) => {
  if (action !== "block") return undefined;
  const { content } = ((action_parameters as Body | undefined)?.response ?? {}) as Body;
  if (typeof content !== "string" || Buffer.byteLength(content) <= MAX_BYTES) return undefined;
  const pointer = `${at}/action_parameters/response/content`;
  return invalidValue(`${content.slice(0, 60)}…`, "content", `it is longer than ${String(MAX_BYTES)} bytes`, {
    pointer,
  });
};
