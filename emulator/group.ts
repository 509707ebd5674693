import type { Server } from "node:http";
import type { Route } from "./call.js";
import type { Zone } from "./zones/model.js";

/** Codes of refusals that are the same for all operations of a group. */
export interface Codes {
  /** For a body that cannot be parsed. @default 6007 */
  readonly malformed?: number;
  /** For refusals without a documented code. @default none, like the rulesets service */
  readonly other?: number;
}

/** What a group does. Methods receive the whole seed and declare the part that they read, so that all groups fit in one list. */
export interface Group<Added extends object = object, AddedToZone extends object = object> {
  /** Under `/client/v4`. */
  readonly routes: readonly Route[];
  readonly codes?: Codes;
  /** Whether `dry_run=true` turns writes into dry runs. @default false, the parameter is ignored */
  readonly takesDryRun?: boolean;
  /** Controls for tests, under `/__emulator`. */
  readonly controls?: readonly Route[];
  /** Adds what every zone has, and what its seed contains, to a new zone. */
  addZone?(zone: Zone, seed: AddedToZone): void;
  /** Removes data of a zone that is not stored in the zone's own scope. */
  readonly removeZone?: (zone: Zone) => void;
  /** Creates the objects that a seed lists outside its zones, with the group's own operations. */
  addSeed?(seed: Added): void;
  /** Makes a server that serves HTTP as the zones would. Requests that pass are forwarded to `origin`, or echoed. */
  readonly serve?: (origin: URL | undefined, timeoutSeconds?: number) => Server;
  /** The authorities that the CAA records of a name allow; undefined if it has none. */
  readonly caaOf?: (name: string) => readonly string[] | undefined;
}
