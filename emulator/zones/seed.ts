import { accountsOf, type AccountsSeed } from "../accounts/seed.js";
import { nonEmpty, oneOf } from "../body.js";
import { id, idFrom, type Named, type SeedPart } from "../seed-part.js";
import { PLANS, type Account, type Plan, type Zone } from "./model.js";

/** A zone, without what other folders add to it. */
export interface BareZoneSeed {
  readonly id?: string;
  readonly name: string;
  /** @default "enterprise" */
  readonly plan?: Plan;
  /** Name or id of the account. @default the first one */
  readonly account?: string;
}

/** The zones of a seed, which belong to its accounts. `Seed` declares the property, with what every folder adds to a zone. */
export interface ZonesSeed extends AccountsSeed {
  readonly zones?: readonly BareZoneSeed[];
}

export const zonesSeed: SeedPart<object, BareZoneSeed> = {
  properties: {},
  zoneProperties: { id, name: nonEmpty, plan: oneOf(...PLANS), account: nonEmpty },
  unique: (seed: ZonesSeed) => ({ zones: namedZones(seed) }),
};

/** Zones of which none has an ID are told apart by their names, from which IDs are derived: deriving ten thousand takes time. */
function namedZones({ zones = [], ...seed }: ZonesSeed): readonly Named[] {
  if (zones.every(({ id }) => id === undefined)) return zones.map(({ name }) => ({ id: name, name }));
  const accounts = accountsOf(seed);
  return zones.map((zone) => zoneFrom(zone, accounts));
}

/** One zone of each plan. */
export const DEFAULT_ZONES: readonly BareZoneSeed[] = PLANS.map((plan) => ({ name: `${plan}.example.com`, plan }));

export function zoneFrom(seed: BareZoneSeed, accounts: readonly Account[]): Zone {
  const { name, plan, account } = seed;
  const owner = account === undefined ? accounts[0] : accounts.find((a) => a.id === account || a.name === account);
  if (owner === undefined)
    throw new Error(`seed: zone ${name} names the account ${account ?? "(none)"}, which does not exist`);
  return { id: seed.id ?? idFrom("zone", name), name, plan: plan ?? "enterprise", account: owner };
}
