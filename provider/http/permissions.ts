import phases from "../../schema/phases.json";
import { mapFrom, ownValue } from "../model/json.js";

/** By phase, the permission for its rulesets in a zone. */
const ZONE = mapFrom<{ readonly levels: readonly string[]; readonly permission?: string }>(Object.entries(phases));

/** Permissions of other operations than those of rulesets, by a part of the path. */
const BY_PATH: readonly (readonly [RegExp, string])[] = [
  [/\/waf_migration\//, "Zone WAF"],
  [/\/firewall\/waf\/overrides|\/settings\//, "Zone Settings"],
  [/\/firewall\/|\/filters/, "Firewall Services"],
  [/\/pagerules/, "Page Rules"],
  [/\/rules\/lists/, "Account Filter Lists"],
  [/\/custom_hostnames|\/ssl\/|\/custom_certificates|\/acm\//, "SSL and Certificates"],
];

/**
 * The permission that an operation needs, as the API token page names it. See
 * https://developers.cloudflare.com/fundamentals/api/reference/permissions/.
 */
export function permissionFor(call: {
  readonly method: string;
  readonly path: string;
  readonly phase?: string;
}): string {
  const right = call.method === "GET" ? "Read" : "Edit";
  if (!call.path.includes("/rulesets")) {
    return `${BY_PATH.find(([pattern]) => pattern.test(call.path))?.[1] ?? "Zone"} ${right}`;
  }
  if (call.path.startsWith("/accounts/")) return `Account Rulesets ${right} (or Account WAF ${right})`;
  const phase = call.phase ?? /\/phases\/([^/?]+)/.exec(call.path)?.[1];
  return `${(phase === undefined ? undefined : ownValue(ZONE, phase)?.permission) ?? "Zone WAF"} ${right}`;
}
