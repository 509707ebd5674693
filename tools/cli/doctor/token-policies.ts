import type { TokenPolicy } from "../../../client/index.js";
import type { Need } from "./needs.js";

const ZONE = "com.cloudflare.api.account.zone.";
const ACCOUNT = "com.cloudflare.api.account.";

/** How the policies of a token differ from what is needed. */
interface TokenDifference {
  /** Needs that no policy allows. */
  readonly missing: readonly Need[];
  /** What policies allow and nothing needs, one line each. */
  readonly surplus: readonly string[];
}

/** Compares the policies of a token with what a program needs: with its needs to write, if any need is to write. */
export function compareToken(
  policies: readonly TokenPolicy[],
  needs: readonly Need[],
  accounts: ReadonlyMap<string, string>,
): TokenDifference {
  const applies = (policy: TokenPolicy, need: Need): boolean =>
    includes(policy, need, accounts) && policy.groups.some((name) => accepts(need, name));
  const allowed = policies.filter(({ effect }) => effect === "allow");
  const denied = policies.filter(({ effect }) => effect !== "allow");
  return {
    missing: needs.filter(
      (need) => !allowed.some((policy) => applies(policy, need)) || denied.some((policy) => applies(policy, need)),
    ),
    surplus: allowed.flatMap((policy) =>
      surplusOf(
        policy,
        needs.filter((need) => includes(policy, need, accounts)),
      ),
    ),
  };
}

/** Whether a permission group is enough for a need: who may write may also read. */
function accepts({ groups, right }: Need, name: string): boolean {
  const rights = right === "Read" ? ["Read", "Write"] : ["Write"];
  return groups.some((group) => rights.some((one) => `${group} ${one}` === name));
}

/** Whether the resources of a policy include a zone or account. */
function includes({ resources }: TokenPolicy, { level, id }: Need, accounts: ReadonlyMap<string, string>): boolean {
  const account = level === "account" ? id : (accounts.get(id) ?? "");
  const within =
    level === "account"
      ? []
      : [`${ACCOUNT}${account}/${ZONE}*`, `${ACCOUNT}*/${ZONE}*`, `${ZONE}*`, `${ACCOUNT}${account}/${ZONE}${id}`];
  const exact = level === "account" ? [`${ACCOUNT}${id}`, `${ACCOUNT}*`] : [`${ZONE}${id}`];
  return resources.some((one) => exact.includes(one) || within.includes(one));
}

function surplusOf({ groups, resources }: TokenPolicy, needs: readonly Need[]): readonly string[] {
  const unused = groups.filter((name) => !needs.some((need) => accepts(need, name)));
  const where = resources.map(resourceWords).join(", ");
  const wide = resources.filter((one) => one.endsWith("*"));
  const reading = groups.filter(
    (name) =>
      name.endsWith(" Write") &&
      needs.some((need) => accepts(need, name)) &&
      needs.filter((need) => accepts(need, name)).every(({ right }) => right === "Read"),
  );
  const places = new Set(needs.map(({ level, id }) => `${level} ${id}`)).size;
  return [
    ...unused.map((name) => `${name} for ${where}: nothing needs it`),
    ...reading.map((name) => `${name} for ${where}: only reading is needed`),
    ...(unused.length === groups.length
      ? []
      : wide.map(
          (one) => `${resourceWords(one)}: only ${String(places)} of them ${places === 1 ? "is" : "are"} needed`,
        )),
  ];
}

function resourceWords(resource: string): string {
  const last = resource.slice(resource.lastIndexOf("/") + 1);
  if (last === `${ZONE}*`)
    return resource.includes("/")
      ? `every zone of ${resourceWords(resource.slice(0, resource.lastIndexOf("/")))}`
      : "every zone";
  if (last === `${ACCOUNT}*`) return "every account";
  if (last.startsWith(ZONE)) return `zone ${last.slice(ZONE.length)}`;
  return last.startsWith(ACCOUNT) ? `account ${last.slice(ACCOUNT.length)}` : resource;
}
