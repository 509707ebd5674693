import { boolean, nonEmpty, listOf, oneOf } from "../body.js";
import { anyObject, exactly, type SeedPart } from "../seed-part.js";
import type { Store } from "../store/store.js";
import type { TokenSeed } from "./auth.js";
import type { RateSeed } from "./rate.js";

/** What applies to all requests. */
export interface HttpSeed {
  readonly tokens?: readonly TokenSeed[];
  readonly rateLimit?: RateSeed;
  /** Whether writes support `dry_run`; older services execute them. With "applied", its values are checked, and writes executed. @default true */
  readonly dryRun?: boolean | "applied";
}

export const httpSeed: SeedPart<HttpSeed> = {
  properties: {
    tokens: listOf(
      exactly<TokenSeed>({ value: nonEmpty, access: oneOf("read", "write"), policies: listOf(anyObject) }, ["value"]),
    ),
    dryRun: { enum: [true, false, "applied"] },
    rateLimit: exactly<RateSeed>({
      quota: { type: "integer", minimum: 1 },
      windowSeconds: { type: "number", exclusiveMinimum: 0 },
      enforce: boolean,
    }),
  },
  zoneProperties: {},
};

/** The part of the stored seed that applies to all requests. */
export function httpSeedOf({ seed }: Store): HttpSeed {
  return seed;
}
