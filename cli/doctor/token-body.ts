import type { PermissionGroup } from "../../provider/client/index.js";
import type { Need } from "./needs.js";

const SCOPES = { zone: "com.cloudflare.api.account.zone", account: "com.cloudflare.api.account" } as const;

/** The body of the request that creates a token: https://developers.cloudflare.com/fundamentals/api/how-to/create-via-api/. */
export interface TokenBody {
  readonly name: string;
  readonly policies: readonly {
    readonly effect: "allow";
    readonly resources: Readonly<Record<string, "*">>;
    readonly permission_groups: readonly { readonly id?: string; readonly name: string; readonly scope?: string }[];
  }[];
}

/**
 * The token that is permitted exactly what is needed. Zones and accounts with the same permissions share a policy.
 * @param known the permission groups of the service, if they could be read: without them, groups have names and no IDs
 */
export function tokenBody(name: string, needs: readonly Need[], known: readonly PermissionGroup[] = []): TokenBody {
  const places = new Map<string, { readonly level: Need["level"]; readonly groups: Set<string> }>();
  for (const { level, id, groups, right } of needs) {
    const resource = `${SCOPES[level]}.${id}`;
    const place = places.get(resource) ?? { level, groups: new Set<string>() };
    place.groups.add(`${groups[0] ?? ""} ${right}`);
    places.set(resource, place);
  }
  const policies = new Map<
    string,
    { readonly level: Need["level"]; readonly groups: readonly string[]; readonly resources: string[] }
  >();
  for (const [resource, { level, groups }] of places) {
    const names = [...groups].toSorted();
    const key = [level, ...names].join("\n");
    const policy = policies.get(key) ?? { level, groups: names, resources: [] };
    policy.resources.push(resource);
    policies.set(key, policy);
  }
  return {
    name,
    policies: [...policies.values()].map(({ level, groups, resources }) => ({
      effect: "allow",
      resources: Object.fromEntries(resources.map((resource) => [resource, "*"] as const)),
      permission_groups: groups.map((group) => groupOf(group, SCOPES[level], known)),
    })),
  };
}

function groupOf(
  name: string,
  scope: string,
  known: readonly PermissionGroup[],
): TokenBody["policies"][number]["permission_groups"][number] {
  const found = known.find((group) => group.name === name && group.scopes.includes(scope));
  return found === undefined ? { name, scope } : { id: found.id, name };
}

/** Whether every permission group has its ID, so that the body can be sent as it is. */
function isComplete({ policies }: TokenBody): boolean {
  return policies.every(({ permission_groups: groups }) => groups.every(({ id }) => id !== undefined));
}

/** The command that creates the token, with a token that may create tokens in `$TOKEN_CREATOR`. */
export function tokenCommand(body: TokenBody, address: string): string {
  const send = `curl --request POST ${address}/user/tokens --header "Authorization: Bearer $TOKEN_CREATOR" --json @-`;
  const text = `'${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`;
  if (isComplete(body)) return `echo ${text} | ${send}`;
  const lookUp = `curl --silent ${address}/user/tokens/permission_groups --header "Authorization: Bearer $TOKEN_CREATOR"`;
  return `${lookUp} \\\n  | jq --argjson token ${text} '${WITH_IDS}' \\\n  | ${send}`;
}

/** Replaces the names of permission groups by their IDs, which `jq` finds in the answer of the service. */
const WITH_IDS =
  ".result as $all | $token | .policies[].permission_groups |= map(. as $one | " +
  "{ id: (first($all[] | select(.name == $one.name and (.scopes | index($one.scope)))) | .id) })";
