import type { Zone, ZoneFilter } from "../../../client/index.js";
import { isId } from "../../../core/model/ids.js";
import { checkText, checkZoneName, insteadOf, notFound } from "./arguments.js";
import { asOutput, lookup } from "./lookup.js";
import { listOf, ZONE } from "./results.js";
import { requestOnce, type LookupOptions, type Via } from "./via.js";

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
export const getZone = lookup<GetZoneArgs, Zone>(
  {
    name: "getZone",
    text: "A zone by its name. Fails if there is none, or more than one.",
    arguments: {
      name: { type: "string", text: "Its domain.", required: true, check: checkZoneName },
      account: { type: "string", text: "Name or ID of the account that it belongs to.", check: checkText },
    },
    result: ZONE.definition.kind === "object" ? ZONE.definition.properties : {},
  },
  async (args, via) => {
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
  },
);

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
export const listZones = lookup<ListZonesArgs, Zone[], [args?: ListZonesArgs, opts?: LookupOptions]>(
  {
    name: "listZones",
    text: "The zones that are visible with the credentials, all pages. Fails if there is none.",
    arguments: {
      account: { type: "string", text: "Name or ID of the account that they belong to.", check: checkText },
    },
    result: { zones: listOf(ZONE, "The zones.") },
  },
  async (args, via) => {
    const { account } = args;
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
  },
);

/** {@link listZones} with outputs. */
export const listZonesOutput = asOutput(listZones);

function zonesLike(via: Via, filter: ZoneFilter): Promise<Zone[]> {
  return requestOnce(via, ["zones", filter], ({ zones }) => zones.list(filter));
}

function accountFilter(account: string | undefined): ZoneFilter {
  if (account === undefined) return {};
  return isId(account) ? { accountId: account } : { accountName: account };
}
