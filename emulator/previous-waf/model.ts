import type { Stored } from "../stored.js";

/** Names of `migration_state`; only `start` is official, a test may let the service say others. */
export type MigrationState = string;

/** How a switch that was asked for comes to its end. */
export type Progression =
  "at-once" | { readonly reads: number } | { readonly seconds: number } | { readonly never: true };

export interface Package {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly detection_mode: "anomaly" | "traditional";
  readonly status: "active";
  readonly sensitivity?: string;
  readonly action_mode?: string;
}

export interface Group {
  readonly id: string;
  readonly package_id: string;
  readonly name: string;
  readonly description: string;
  readonly mode: string;
  readonly default_mode: string;
}

export interface WafRule {
  readonly id: string;
  readonly package_id: string;
  readonly group: { readonly id: string; readonly name: string };
  readonly description: string;
  readonly priority: string;
  readonly mode: string;
  readonly default_mode: string;
  readonly allowed_modes: readonly string[];
}

/** A step that was asked for and is not through yet. */
export interface Finishing {
  readonly since: number;
  readonly reads: number;
}

/** The previous managed rules of one zone and how far their migration is. Replaced as a whole by every write. */
export interface WafSettings {
  readonly setting: "on" | "off";
  readonly packages: readonly Package[];
  readonly groups: readonly Group[];
  readonly rules: readonly WafRule[];
  readonly state: MigrationState;
  readonly finishing?: Finishing;
  readonly progression: Progression;
  /** What `migration_state` says while the switch runs. Nobody has documented it. */
  readonly finishingState: MigrationState;
  /** How many reads of the status still show the state before a finish that was asked for. */
  readonly lag: number;
  /** RFC 3339, UTC. */
  readonly created: string;
}

/** Everything that a migration looks at. */
export interface PreviousWaf extends WafSettings {
  readonly overrides: readonly Stored[];
  readonly filters: readonly Stored[];
  /** With `filter` as the id of a filter. */
  readonly firewallRules: readonly Stored[];
  readonly pageRules: readonly Stored[];
}

/** Zones are long past the migration unless a seed says otherwise. */
export const FINISHED = "complete";
