import { accountsSeed, DEFAULT_ACCOUNTS, type AccountsSeed } from "./accounts/seed.js";
import { listOf, string } from "./body.js";
import { certificatesSeed, type CertificatesZoneSeed } from "./certificates/seed.js";
import { httpSeed, type HttpSeed } from "./http/seed.js";
import { listsSeed, type ListsSeed } from "./lists/seed.js";
import { previousWafSeed, type PreviousWafZoneSeed } from "./previous-waf/seed.js";
import { rulesetsSeed, type RulesetsSeed } from "./rulesets/seed.js";
import type { SeedPart } from "./seed-part.js";
import type { Schema } from "./schemas.js";
import { DEFAULT_ZONES, zonesSeed, type BareZoneSeed } from "./zones/seed.js";

export interface ZoneSeed extends BareZoneSeed, PreviousWafZoneSeed, CertificatesZoneSeed {}

/** The initial content of an emulator. Anything missing is as in {@link DEFAULT_SEED}. */
export interface Seed extends AccountsSeed, RulesetsSeed, ListsSeed, HttpSeed {
  /** Source of the IDs; the same text produces the same IDs in every run. */
  readonly ids?: string;
  readonly zones?: readonly ZoneSeed[];
}

/** What each folder adds to the seed; the types above combine the same parts. */
export const SEED_PARTS: readonly SeedPart<Seed>[] = [
  accountsSeed,
  zonesSeed,
  rulesetsSeed,
  listsSeed,
  previousWafSeed,
  certificatesSeed,
  httpSeed,
];

const zone = {
  type: "object",
  properties: joined(SEED_PARTS.map(({ zoneProperties }) => zoneProperties)),
  required: ["name"],
  additionalProperties: false,
};

/** The schema of a seed. */
export const SEED: Schema = {
  type: "object",
  properties: joined([
    { ids: string },
    ...SEED_PARTS.map((part) => (part === zonesSeed ? { zones: listOf(zone) } : part.properties)),
  ]),
  additionalProperties: false,
};

function joined(parts: readonly (Schema | undefined)[]): Schema {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part ?? {})));
}

/** One account with one zone of each plan. */
export const DEFAULT_SEED: Seed = { ids: "pulumi-rulesets", accounts: DEFAULT_ACCOUNTS, zones: DEFAULT_ZONES };
