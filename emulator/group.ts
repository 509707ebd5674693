import type { RequestListener } from "node:http";
import type { Route } from "./call.js";
import type { Seed, ZoneSeed } from "./seed.js";
import type { Earlier } from "./store/earlier.js";
import type { Zone } from "./zones/model.js";

/** Codes of refusals that are the same for all operations of a group. */
export interface Codes {
  /** Of a body that cannot be read. @default 6007 */
  readonly malformed?: number;
  /** Of refusals for which nobody has documented one. @default none, as the rulesets service does it */
  readonly other?: number;
}

/** A group of operations: one folder of the emulator. */
export interface Group {
  /** Under `/client/v4`. */
  readonly routes: readonly Route[];
  readonly codes?: Codes;
  /** Whether `dry_run=true` rehearses writes. @default false, the parameter is ignored */
  readonly takesDryRun?: boolean;
  /** What tests steer the group with, under `/__emulator`. */
  readonly controls?: readonly Route[];
  /** Gives a new zone what every zone has, and what its seed says. */
  readonly addZone?: (zone: Zone, seed: ZoneSeed) => void;
  /** Forgets what does not stand in the scope of the zone itself. */
  readonly removeZone?: (zone: Zone) => void;
  /** Creates what a seed lists beside its zones, by the group's own operations. */
  readonly addSeed?: (seed: Seed) => void;
  /** Serves HTTP as the zones would. What passes goes on to `origin`, or is echoed. */
  readonly serve?: (origin: URL | undefined) => RequestListener;
  /** Takes over what the state file of an earlier version holds. */
  readonly addEarlier?: (saved: Earlier) => void;
}
