import type { Zone, ZoneFilter } from "../../../client/index.js";
import { isId } from "../../../core/model/ids.js";
import { requireArguments, insteadOf, notFound } from "./arguments.js";
import { asOutput } from "./output.js";
import { viaOf, type LookupOptions, type Via } from "./options.js";
import { requestOnce } from "./request-once.js";

/** Arguments of {@link getZone}. */
export interface GetZoneArgs {
  /** Domain name of the zone. */
  readonly name: string;
  /** ID or name of the account, if several have the zone. */
  readonly account?: string;
}

/**
 * A zone by its name, with its ID, account and plan. Throws LOOKUP_NOT_FOUND with the most similar name that is visible with
 * these credentials. The operation: https://developers.cloudflare.com/api/resources/zones/methods/list/.
 *
 * @example
 * ```ts
 * const zone = await getZone({ name: "shop.example.com" });
 * new PhaseEntrypoint("waf", { zoneId: zone.id, … });
 * ```
 */
export async function getZone(args: GetZoneArgs, opts?: LookupOptions): Promise<Zone> {
  requireArguments("getZone", args);
  const via = viaOf("getZone", opts);
  const name = args.name.toLowerCase();
  const { account } = args;
  const [zone, other] = await zonesLike(via, { name, ...accountFilter(account) });
  if (zone !== undefined && other === undefined) return zone;
  if (zone !== undefined)
    return notFound(
      `several accounts have a zone ${name}: ${zone.accountId} and ${other?.accountId ?? ""}. Specify \`account\` as well.`,
    );
  const names = (await zonesLike(via, accountFilter(account))).map((one) => one.name);
  const where = account === undefined ? "" : ` of account ${JSON.stringify(account)}`;
  return notFound(
    `No zone ${JSON.stringify(name)}${where} is visible with these credentials. ${insteadOf(name, names)}`,
  );
}

/** {@link getZone} with outputs. */
export const getZoneOutput = asOutput(getZone);

/** Arguments of {@link listZones}. */
export interface ListZonesArgs {
  /** ID or name of an account. @default every account that is visible with the credentials */
  readonly account?: string;
}

/**
 * Zones with their IDs, accounts and plans, sorted by name, all pages. Throws LOOKUP_NOT_FOUND where no zone is visible, instead of
 * returning an empty list: in a program that creates resources for each zone, a misspelled account, or a token that may read none,
 * would delete all of them.
 */
export async function listZones(args: ListZonesArgs = {}, opts?: LookupOptions): Promise<Zone[]> {
  requireArguments("listZones", args);
  const { account } = args;
  const via = viaOf("listZones", opts);
  const zones = await zonesLike(via, accountFilter(account));
  if (zones.length === 0 && account === undefined)
    return notFound(
      "No zone is visible with these credentials: there is none, or they may not read any. An empty list would delete what a program " +
        "declares for each zone. If there may be none, catch this error.",
    );
  if (zones.length === 0 && account !== undefined) {
    const accounts = (await zonesLike(via, {})).map(({ accountName, accountId }) => accountName || accountId);
    return notFound(
      `No zone of account ${JSON.stringify(account)} is visible with these credentials. ${insteadOf(account, accounts)}`,
    );
  }
  return zones.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** {@link listZones} with outputs. */
export const listZonesOutput = asOutput(listZones);

function zonesLike(via: Via, filter: ZoneFilter): Promise<Zone[]> {
  return requestOnce(via, ["zones", filter], ({ zones }) => zones.list(filter));
}

function accountFilter(account: string | undefined): ZoneFilter {
  if (account === undefined) return {};
  return isId(account) ? { accountId: account } : { accountName: account };
}
