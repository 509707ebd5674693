import type { HttpRequest } from "../language/index.js";
import { showBytes } from "../language/bytes.js";

/** A zone's setting, in the API's words: https://developers.cloudflare.com/rules/normalization/settings/ */
export interface UrlNormalization {
  /** `cloudflare` also converts backslashes to slashes and merges slashes. @default "cloudflare" */
  readonly type?: "cloudflare" | "rfc3986";
  /** `incoming`: only rules see the normalised URL; `both`: the origin does too; `none`: off. @default "incoming" */
  readonly scope?: "incoming" | "both" | "none";
}

/** A path in which neither type changes anything; most are. */
const NORMAL = /^(?:\/(?![./])[A-Za-z0-9\-._~:@!$&'()*+,;=]*)+$/;

/** The request as rules see it after the URL is normalised. Fields that begin with `raw.` are kept. */
export function normaliseUrl(
  request: HttpRequest,
  { type = "cloudflare", scope = "incoming" }: UrlNormalization,
): HttpRequest {
  if (scope === "none" || NORMAL.test(request.parts.target.path)) return request;
  const path = showBytes(request.parts.target.path);
  const normal = normalPath(type === "cloudflare" ? path.replace(/\\/g, "/").replace(/\/{2,}/g, "/") : path);
  return normal === path ? request : request.rewrite({ path: normal });
}

/** With scope `incoming`, the origin gets the path that the client sent, unless a rule has rewritten it. */
export function pathForOrigin(
  request: HttpRequest,
  {
    before,
    normalised,
    setting,
  }: { readonly before: HttpRequest; readonly normalised: HttpRequest; readonly setting: UrlNormalization },
): HttpRequest {
  const path = before.parts.target.path;
  const isRewritten = request.parts.target.path !== normalised.parts.target.path;
  if (setting.scope === "both" || isRewritten || path === request.parts.target.path) return request;
  return request.rewrite({ path: showBytes(path) });
}

/**
 * Normalises a path as in RFC 3986: unreserved characters are not encoded, others are encoded with upper-case digits, and dot
 * segments are removed.
 */
function normalPath(path: string): string {
  const decoded = path.replace(/%([0-9a-f]{2})/gi, (code, digits: string) => {
    const sign = String.fromCharCode(Number.parseInt(digits, 16));
    return /[A-Za-z0-9\-._~]/.test(sign) ? sign : code.toUpperCase();
  });
  const encoded = decoded.replace(/[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/g, (sign) => {
    return Array.from(Buffer.from(sign, "utf8"), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(
      "",
    );
  });
  return withoutDots(encoded);
}

/** https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4 */
function withoutDots(path: string): string {
  const kept: string[] = [];
  const segments = path.split("/").slice(1);
  segments.forEach((segment, index) => {
    const isLast = index === segments.length - 1;
    if (segment === "..") kept.pop();
    else if (segment !== ".") {
      kept.push(segment);
      return;
    }
    if (isLast) kept.push("");
  });
  return `/${kept.join("/")}`;
}
