import { ApiError, type Client } from "../../../client/index.js";
import { type CheckResult } from "./check-result.js";
import { needsOf, withoutPlace, type DeclaredObject, type Need } from "./needs.js";

/** Derives what `pulumi preview`, a drift check and `pulumi up` need of a token. */
export async function leastToken(client: Client, objects: readonly DeclaredObject[]): Promise<readonly CheckResult[]> {
  const zones = [...new Set(objects.flatMap(({ zoneId }) => zoneId ?? []))];
  const found = await Promise.all(zones.map((id) => accountOf(client, id)));
  const accounts = new Map(found.flatMap(({ id, account }) => (account === undefined ? [] : [[id, account] as const])));
  const lost = withoutPlace(objects);
  return [
    ...(["preview", "up"] as const).flatMap((run) => needLines(run, needsOf({ objects, run, accounts }))),
    ...lost.map((one) =>
      lineOf(
        "unknown",
        `${one.type} "${one.name}"`,
        "its zone or account is not known, so its permissions are not listed",
        "pass a preview that contains it with --preview",
      ),
    ),
    ...found.flatMap(({ id, failure }) => {
      const lists = objects.some((one) => one.zoneId === id && one.usesLists);
      return failure === undefined || !lists
        ? []
        : [lineOf("unknown", `zone ${id}`, `its account is not known, so its lists are left out: ${failure}`)];
    }),
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
