import type { Invariant } from "../analysis/index.js";
import type { Plan } from "../language/index.js";

/** What must hold in some zones: an entry of a file `*.invariants.yaml`. */
export interface NamedInvariant extends Invariant {
  readonly name: string;
  readonly zones: ZoneSelector;
  readonly except: readonly Exception[];
}

/** Selects zones; a missing part selects every zone. */
export interface ZoneSelector {
  readonly plans?: readonly Plan[];
  /** Patterns of names, in which `*` stands for any text; or IDs. */
  readonly names?: readonly string[];
}

/** Zones in which an invariant may be violated for some time. */
export interface Exception {
  /** Pattern of the name, in which `*` stands for any text; or an ID. */
  readonly zone: string;
  /** The last day on which it applies, in UTC: `YYYY-MM-DD`. */
  readonly until: string;
  readonly reason: string;
}
