import phases from "../../schema/phases.json";
import { mapFrom, ownValue } from "../../core/model/json.js";

/** Whether something is read or written. The dashboard says "Edit" where the API says "Write". */
export type Right = "Read" | "Write";

/** What a phase says about permissions. */
interface OfPhase {
  readonly levels: readonly string[];
  /** The permission group for its rulesets in a zone. */
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
  [/\/rules\/lists/, "Account Rule Lists"],
  [/\/custom_hostnames|\/ssl\/|\/custom_certificates|\/acm\//, "SSL and Certificates"],
  [/\/tokens/, "API Tokens"],
  [/^\/graphql/, "Analytics"],
];

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly phase?: string;
}

/**
 * The permissions of which an operation needs one. See https://developers.cloudflare.com/fundamentals/api/reference/permissions/,
 * with the names of the API, which `doctor` and a program that creates tokens use too.
 */
export function permissionFor(call: Operation): string {
  const right: Right = call.method === "GET" || call.path === "/graphql" ? "Read" : "Write";
  return permissionGroups(call)
    .map((group) => `${group} ${right}`)
    .join(" or ");
}

/**
 * The permission groups of a token of which an operation needs one, the least first, without the right. The operations of
 * rulesets list them: https://developers.cloudflare.com/api/resources/rulesets/.
 */
export function permissionGroups({ path, phase: known }: Omit<Operation, "method">): readonly string[] {
  if (!path.includes("/rulesets")) return [BY_PATH.find(([pattern]) => pattern.test(path))?.[1] ?? "Zone"];
  const { permission, accountPermission } = ownValue(PHASES, known ?? /\/phases\/([^/?]+)/.exec(path)?.[1] ?? "") ?? {};
  if (!path.startsWith("/accounts/")) return [permission ?? "Zone WAF"];
  return accountPermission === undefined ? ["Account Rulesets"] : [accountPermission, "Account Rulesets"];
}
