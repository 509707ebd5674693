import { isObject } from "../../../core/model/json.js";
import type { Path } from "../../../core/model/path.js";
import { isUnknown } from "../../../core/model/unknown.js";
import { failure, type Findings } from "../../../core/model/failure.js";

type Rule = Readonly<Record<string, unknown>>;

/** Which message the headers of a phase belong to. */
const SIDES: Readonly<Record<string, "request" | "response">> = {
  http_request_late_transform: "request",
  http_response_headers_transform: "response",
};

/**
 * Headers that rules can remove but not set. See
 * https://developers.cloudflare.com/rules/transform/request-header-modification/#important-remarks and
 * https://developers.cloudflare.com/rules/transform/response-header-modification/#important-remarks.
 */
const ONLY_REMOVED = {
  request: ["cf-connecting-ip", "cookie", "true-client-ip", "x-forwarded-for", "x-forwarded-proto", "x-real-ip"],
  response: ["cf-connecting-ip", "eh-cache-tag", "eh-cdn-cache-control", "server"],
};
/** Headers of a request that belong to the connection or to how its body is sent. */
const CONNECTION =
  /^(accept-encoding|connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/;
const MAX_LENGTH = 4096;

/** Checks that a rule can change the headers that it names, and that it gives a value exactly where one is needed. */
export function checkHeaders(rule: Rule, phase: unknown, path: Path): Findings {
  const parameters = isObject(rule.actionParameters) ? rule.actionParameters : {};
  const headers = isObject(parameters.headers) ? parameters.headers : {};
  const side = typeof phase === "string" ? SIDES[phase] : undefined;
  return Object.entries(headers)
    .map(([name, header]) => {
      if (!isObject(header) || isUnknown(header.operation)) return [];
      const reasons = [nameFault(name, header.operation, side), presenceFault(header), valueFault(header.value)];
      const at = [...path, "actionParameters", "headers", name];
      return reasons.map((reason) => (reason === undefined ? [] : failure(at, reason))).flat();
    })
    .flat();
}

function nameFault(name: string, operation: unknown, side: "request" | "response" | undefined): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(name)) return "a header name contains only letters, digits, hyphens and underscores";
  if (side === undefined) return undefined;
  const key = name.toLowerCase();
  if (ONLY_REMOVED[side].includes(key))
    return operation === "remove" ? undefined : `Cloudflare does not let rules set this ${side} header`;
  const reserved = /^(x-)?cf-/.test(key) || (side === "request" && CONNECTION.test(key));
  return reserved ? `Cloudflare does not let rules change this ${side} header` : undefined;
}

function presenceFault({ operation, value, expression }: Rule): string | undefined {
  const valued = value !== undefined || expression !== undefined;
  if (operation === "remove") return valued ? "remove takes neither value nor expression" : undefined;
  return valued ? undefined : "needs exactly one of value and expression";
}

function valueFault(value: unknown): string | undefined {
  if (typeof value !== "string" || isUnknown(value)) return undefined;
  if (value.length > MAX_LENGTH) return `the value has more than ${String(MAX_LENGTH)} characters`;
  return /^[ -~]*$/.test(value)
    ? undefined
    : "the value has characters other than printable ASCII, such as a line break";
}
