import { ApiError, type Client, type TokenPolicy } from "../../../client/index.js";
import { plural } from "../../../core/model/words.js";
import { splitHint, type CheckResult } from "./check-result.js";
import { needsOf, withoutPlace, type DeclaredObject, type Need } from "./needs.js";
import { compareToken } from "./token-policies.js";

/**
 * Derives what `pulumi preview`, a drift check and `pulumi up` need of a token, and compares it with what the one in use may do,
 * as far as the service shows that.
 */
export async function leastToken(
  client: Client,
  objects: readonly DeclaredObject[],
  { isToken, accountId }: { readonly isToken: boolean; readonly accountId?: string },
): Promise<readonly CheckResult[]> {
  const zones = [...new Set(objects.flatMap(({ zoneId }) => zoneId ?? []))];
  const found = await Promise.all(zones.map((id) => accountOf(client, id)));
  const accounts = new Map(found.flatMap(({ id, account }) => (account === undefined ? [] : [[id, account] as const])));
  const needs = {
    preview: needsOf({ objects, run: "preview", accounts }),
    up: needsOf({ objects, run: "up", accounts }),
  };
  const lost = withoutPlace(objects);
  return [
    ...(["preview", "up"] as const).flatMap((run) => needLines(run, needs[run])),
    ...lost.map((one) =>
      lineOf(
        "unknown",
        `${one.type} "${one.name}"`,
        "its zone or account is not known, so nothing is said about what it needs",
        "pass a preview with --preview, which knows it",
      ),
    ),
    ...found.flatMap(({ id, failure }) => {
      const lists = objects.some((one) => one.zoneId === id && one.usesLists);
      return failure === undefined || !lists
        ? []
        : [lineOf("unknown", `zone ${id}`, `its account is not known, so its lists are left out: ${failure}`)];
    }),
    ...(isToken ? await policyLines(client, needs, { accountId, accounts }) : []),
  ];
}

function lineOf(status: CheckResult["status"], subject: string, found: string, next?: string): CheckResult {
  return { area: "permissions", status, subject, found, ...(next === undefined ? {} : { next }) };
}

interface ZoneAccount {
  readonly id: string;
  readonly account?: string;
  readonly failure?: string;
}

async function accountOf(client: Client, id: string): Promise<ZoneAccount> {
  try {
    const { accountId } = await client.zones.get(id);
    return accountId === "" ? { id, failure: "the service does not return it" } : { id, account: accountId };
  } catch (error) {
    return { id, failure: expected(error).message };
  }
}

function expected(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

function needLines(run: "preview" | "up", needs: readonly Need[]): readonly CheckResult[] {
  const places = new Map<string, string[]>();
  for (const { level, id, groups, right } of needs) {
    const place = `${level} ${id}`;
    places.set(place, [...(places.get(place) ?? []), `${groups[0] ?? ""} ${right}`]);
  }
  const title = run === "up" ? "pulumi up needs" : "preview and drift need";
  return Array.from(places, ([place, names]) => lineOf("ok", `${title} in ${place}`, names.join(", ")));
}

interface Known {
  readonly accountId: string | undefined;
  readonly accounts: ReadonlyMap<string, string>;
}

async function policyLines(
  client: Client,
  needs: Readonly<Record<"preview" | "up", readonly Need[]>>,
  { accountId, accounts }: Known,
): Promise<readonly CheckResult[]> {
  let policies: readonly TokenPolicy[];
  try {
    policies = await client.tokens.policies(accountId);
  } catch (error) {
    const { found } = splitHint(expected(error));
    const next =
      "this is usual: only a token with API Tokens Read may read its own policies. --zone and --dry-run try what it may do";
    return [lineOf("unknown", "Policies of the token", `the service does not show them: ${found}`, next)];
  }
  const [up, preview] = [compareToken(policies, needs.up, accounts), compareToken(policies, needs.preview, accounts)];
  // A token that is not meant to write is compared with what a preview needs.
  const isReading = policies.every(({ groups }) => groups.every((name) => !name.endsWith(" Write")));
  const { missing, surplus } = isReading ? preview : up;
  const run = isReading ? "preview and drift" : "pulumi up";
  return [
    ...missing.map((need) =>
      lineOf(
        "failure",
        `The token lacks`,
        `${need.groups.map((group) => `${group} ${need.right}`).join(" or ")} in ${need.level} ${need.id}, for ${need.for.join(", ")}`,
        "add the permission, or create a token with those above",
      ),
    ),
    ...surplus.map((text) =>
      lineOf("warning", "The token has too much", text, "create a token with the permissions above"),
    ),
    ...(missing.length === 0
      ? [
          lineOf(
            "ok",
            "Policies of the token",
            `enough for ${run}: ${plural((isReading ? needs.preview : needs.up).length, "permission")}`,
          ),
        ]
      : []),
  ];
}
