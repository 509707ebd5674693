import phases from "../../schema/phases.json";
import { mapFrom, ownValue } from "../../core/model/json.js";

/** Whether something is read or written. The dashboard says "Edit" where the API says "Write". */
export type Right = "Read" | "Write";

/** What a phase says about permissions. */
interface OfPhase {
  readonly levels: readonly string[];
  /** The permission for its rulesets in a zone, as the dashboard names it. */
  readonly permission?: string;
  /** Its own permission group for accounts; any other phase needs that of all rulesets. */
  readonly accountPermission?: string;
}

const PHASES = mapFrom<OfPhase>(Object.entries(phases));

/** Permissions of other operations than those of rulesets, by a part of the path. */
const BY_PATH: readonly (readonly [RegExp, string])[] = [
  [/\/waf_migration\//, "Zone WAF"],
  [/\/firewall\/waf\/overrides|\/settings\//, "Zone Settings"],
  [/\/firewall\/|\/filters|\/rate_limits/, "Firewall Services"],
  [/\/pagerules/, "Page Rules"],
  [/\/rules\/lists/, "Account Filter Lists"],
  [/\/custom_hostnames|\/ssl\/|\/custom_certificates|\/acm\//, "SSL and Certificates"],
  [/\/tokens/, "API Tokens"],
  [/^\/graphql/, "Analytics"],
];

/** Names of the dashboard that the API has another name for, in the permission groups of tokens. */
const GROUPS: Readonly<Record<string, string>> = {
  "Config Rules": "Config Settings",
  "Single Redirect": "Dynamic URL Redirects",
  "Cache Rules": "Cache Settings",
  "Custom Error Rules": "Custom Errors",
  "Origin Rules": "Origin",
  "Transform Rules": "Zone Transform Rules",
  "Account Filter Lists": "Account Rule Lists",
};

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly phase?: string;
}

/** The permission as the dashboard names it. */
function permissionOf({ path, phase: known }: Omit<Operation, "method">): string {
  if (!path.includes("/rulesets")) return BY_PATH.find(([pattern]) => pattern.test(path))?.[1] ?? "Zone";
  const phase = known ?? /\/phases\/([^/?]+)/.exec(path)?.[1];
  return (phase === undefined ? undefined : ownValue(PHASES, phase)?.permission) ?? "Zone WAF";
}

/**
 * The permission that an operation needs, as the API token page names it. See
 * https://developers.cloudflare.com/fundamentals/api/reference/permissions/.
 */
export function permissionFor(call: Operation): string {
  const right = call.method === "GET" || call.path === "/graphql" ? "Read" : "Edit";
  if (isAccountRuleset(call.path)) return `Account Rulesets ${right} (or Account WAF ${right})`;
  return `${permissionOf(call)} ${right}`;
}

/**
 * The permission groups of a token of which an operation needs one, the least first, without the right. The operations of
 * rulesets list them: https://developers.cloudflare.com/api/resources/rulesets/.
 */
export function permissionGroups(call: Omit<Operation, "method">): readonly string[] {
  if (isAccountRuleset(call.path)) {
    const own = ownValue(PHASES, call.phase ?? "")?.accountPermission;
    return own === undefined ? ["Account Rulesets"] : [own, "Account Rulesets"];
  }
  const permission = permissionOf(call);
  return [GROUPS[permission] ?? permission];
}

function isAccountRuleset(path: string): boolean {
  return path.startsWith("/accounts/") && path.includes("/rulesets");
}
