import type { Body } from "../../call.js";
import { invalidValue, refuse } from "../../failure.js";
import type { Check } from "./check.js";

const RESPONSE = "http_response_headers_transform";
const MAX_LENGTH = 4096;
/** https://developers.cloudflare.com/rules/transform/request-header-modification/create-dashboard/ */
const MOST = 30;
/** Request headers about the connection and the message itself, which HTTP does not let anybody change on the way. */
const PROTOCOL = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
/** Headers that can only be removed. */
const SET_BY_SERVICE = {
  request: new Set([
    "cf-connecting-ip",
    "cookie",
    "true-client-ip",
    "x-forwarded-for",
    "x-forwarded-proto",
    "x-real-ip",
  ]),
  response: new Set(["cf-connecting-ip", "eh-cache-tag", "eh-cdn-cache-control", "server"]),
};

/** Headers that a rule cannot change, and values that a header cannot have. */
export const headersFault: Check = ({ action, action_parameters }, { phase }, at) => {
  if (action !== "rewrite") return undefined;
  const { headers = {} } = action_parameters as { headers?: Readonly<Record<string, Body>> };
  if (Object.keys(headers).length > MOST)
    return refuse(
      400,
      undefined,
      `a rule can modify at most ${String(MOST)} headers`,
      `${at}/action_parameters/headers`,
    );
  for (const [name, change] of Object.entries(headers)) {
    const pointer = `${at}/action_parameters/headers/${name}`;
    const reason = nameFault(name, change.operation, phase);
    if (reason !== undefined) return invalidValue(name, "name", reason, { pointer });
    const wrong = valueFault(change.value);
    if (wrong !== undefined) return invalidValue(change.value, "value", wrong, { pointer: `${pointer}/value` });
  }
  return undefined;
};

function nameFault(name: string, operation: unknown, phase: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(name)) return "it can only contain letters, digits, hyphens and underscores";
  const key = name.toLowerCase();
  const side = phase === RESPONSE ? "response" : "request";
  if (SET_BY_SERVICE[side].has(key)) return operation === "remove" ? undefined : `the ${side} header cannot be set`;
  const isReserved = /^(x-)?cf-/.test(key) || (side === "request" && PROTOCOL.has(key));
  return isReserved ? `the ${side} header cannot be modified` : undefined;
}

function valueFault(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (value.length > MAX_LENGTH) return `it is longer than ${String(MAX_LENGTH)} characters`;
  return /^[ -~]*$/.test(value) ? undefined : "it can only contain printable ASCII characters";
}
