import type { Body } from "../call.js";
import { ServiceError } from "../failure.js";

/** A policy of a token, in the API's notation. */
export interface PolicySeed {
  /** @default "allow" */
  readonly effect?: string;
  readonly permission_groups?: readonly { readonly id?: string; readonly name: string }[];
  /** By resource `"*"`, or what it is for inside that resource. */
  readonly resources?: Readonly<Record<string, unknown>>;
}

/** A request, as far as policies decide about it. */
interface JudgedRequest {
  readonly method: string;
  /** Below `/client/v4`, without the query. */
  readonly path: string;
  readonly body: unknown;
  /** The account of a zone. */
  readonly accountOf: (zoneId: string) => string | undefined;
}

/** The permission groups for rulesets of zones by phase: https://developers.cloudflare.com/api/resources/rulesets/. */
const ZONE_RULESETS: readonly (readonly [RegExp, string])[] = [
  [/^http_(request_firewall|ratelimit|response_firewall)/, "Zone WAF"],
  [/^ddos_l7$/, "HTTP DDoS Managed Ruleset"],
  [/^http_config_settings$/, "Config Settings"],
  [/^http_custom_errors$/, "Custom Errors"],
  [/^http_log_custom_fields$/, "Logs"],
  [/^http_re(quest|sponse)_cache_settings$/, "Cache Settings"],
  [/^http_request_dynamic_redirect$/, "Dynamic URL Redirects"],
  [/^http_request_origin$/, "Origin"],
  [/^http_request_sanitize$/, "Sanitize"],
  [/^http_request_sbfm$/, "Bot Management"],
  [/^http_response_compression$/, "Response Compression"],
  [/^http_(request_transform|request_late_transform|response_headers_transform)$/, "Zone Transform Rules"],
];
const ACCOUNT_RULESETS: readonly (readonly [RegExp, string])[] = [
  [/^http_(request_firewall|ratelimit|response_firewall)/, "Account WAF"],
  [/^http_request_redirect$/, "Mass URL Redirects"],
  [/^ddos_l4$/, "L4 DDoS Managed Ruleset"],
  [/^magic_transit/, "Magic Firewall"],
];
/** The groups for all other operations, by a part of their path; what is not listed is allowed. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^\/accounts\/[^/]+\/rules\/lists/, "Account Rule Lists"],
  [/^\/zones\/[^/]+\/(custom_hostnames|ssl|custom_certificates|acm)\b/, "SSL and Certificates"],
  [/^\/zones\/[^/]+\/(firewall\/waf\/overrides|settings)\b/, "Zone Settings"],
  [/^\/zones\/[^/]+\/(firewall|filters|rate_limits)\b/, "Firewall Services"],
  [/^\/zones\/[^/]+\/pagerules\b/, "Page Rules"],
  [/^\/zones\/[^/]+$/, "Zone"],
];

/** Refuses a request that no policy of its token allows. */
export function requireAllowed(policies: readonly PolicySeed[], request: JudgedRequest): void {
  const groups = groupsFor(request);
  if (groups === undefined) return;
  const rights = request.method === "GET" ? ["Read", "Write"] : ["Write"];
  const names = groups.flatMap((group) => rights.map((right) => `${group} ${right}`));
  const matching = policies.filter(
    (policy) => includes(policy, request) && (policy.permission_groups ?? []).some(({ name }) => names.includes(name)),
  );
  const isAllowed = matching.some(({ effect = "allow" }) => effect === "allow");
  if (isAllowed && matching.every(({ effect = "allow" }) => effect === "allow")) return;
  throw new ServiceError(403, [{ message: "request is not authorized", documentationUrl: PERMISSIONS }]);
}

const PERMISSIONS = "https://developers.cloudflare.com/fundamentals/api/reference/permissions/";

/** The groups of which one is needed; undefined if everybody may send the request. */
function groupsFor({ path, body }: JudgedRequest): readonly string[] | undefined {
  if (!/^\/(zones|accounts)\/[^/]+\/rulesets\b/.test(path)) {
    const found = OTHERS.find(([pattern]) => pattern.test(path));
    return found === undefined ? undefined : [found[1]];
  }
  const isZone = path.startsWith("/zones/");
  const table = isZone ? ZONE_RULESETS : ACCOUNT_RULESETS;
  const always = isZone ? [] : ["Account Rulesets"];
  const phase = /\/phases\/([^/]+)/.exec(path)?.[1] ?? (body as Body | null | undefined)?.phase;
  const own = table.filter(([pattern]) => typeof phase === "string" && pattern.test(phase));
  // A ruleset that is named by its ID can be of any phase, and a phase that does not exist is refused as such.
  return [...(own.length > 0 ? own : table).map(([, group]) => group), ...always];
}

function includes({ resources = {} }: PolicySeed, { path, accountOf }: JudgedRequest): boolean {
  const [, level, id = ""] = path.split("/");
  if (level === "user") return true;
  const account = level === "zones" ? (accountOf(id) ?? "") : id;
  const inside = level === "zones" ? [`${ZONE}.${id}`, `${ZONE}.*`] : [];
  return Object.entries(resources).some(([name, what]) => {
    if (typeof what === "object" && what !== null)
      return (
        [`${ACCOUNT}.${account}`, `${ACCOUNT}.*`].includes(name) &&
        Object.keys(what).some((one) => inside.includes(one))
      );
    return level === "zones" ? inside.includes(name) : [`${ACCOUNT}.${id}`, `${ACCOUNT}.*`].includes(name);
  });
}

const ACCOUNT = "com.cloudflare.api.account";
const ZONE = "com.cloudflare.api.account.zone";
