import { DEFAULT_ACCOUNTS } from "./accounts/seed.js";
import { listOf, string } from "./body.js";
import type { GroupDefinition } from "./group-definition.js";
import type { GROUPS } from "./groups.js";
import { httpSeed, type HttpSeed } from "./http/seed.js";
import type { Schema } from "./schemas.js";
import { DEFAULT_ZONES, type BareZoneSeed } from "./zones/seed.js";

/** What groups add to the seed. */
export type SeedOf<Definitions extends readonly GroupDefinition[]> = All<
  Definitions[number] extends infer Each ? (Each extends GroupDefinition<infer Added> ? Added : never) : never
>;

/** What groups add to each zone of the seed. */
export type ZoneSeedOf<Definitions extends readonly GroupDefinition[]> = All<
  Definitions[number] extends infer Each ? (Each extends GroupDefinition<object, infer Added> ? Added : never) : never
>;

/** All members of a union at once. */
type All<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer Both) => void
  ? Both
  : never;

export interface ZoneSeed extends BareZoneSeed, ZoneSeedOf<typeof GROUPS> {}

/** The initial content of an emulator. Anything missing is as in {@link DEFAULT_SEED}. */
export interface Seed extends SeedOf<typeof GROUPS>, HttpSeed {
  /** Source of the IDs; the same text produces the same IDs in every run. */
  readonly ids?: string;
  readonly zones?: readonly ZoneSeed[];
}

/** The schema of a seed of these groups. */
export function seedSchema(groups: readonly GroupDefinition[]): Schema {
  const zone = {
    type: "object",
    properties: joined(groups.map(({ seed }) => seed.zoneProperties)),
    required: ["name"],
    additionalProperties: false,
  };
  return {
    type: "object",
    properties: joined([
      { ids: string, zones: listOf(zone) },
      ...groups.map(({ seed }) => seed.properties),
      httpSeed.properties,
    ]),
    additionalProperties: false,
  };
}

function joined(parts: readonly Schema[]): Schema {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}

/** One account with one zone of each plan. */
export const DEFAULT_SEED = {
  ids: "pulumi-rulesets",
  accounts: DEFAULT_ACCOUNTS,
  zones: DEFAULT_ZONES,
} satisfies Seed;
