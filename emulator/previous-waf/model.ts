import type { Stored } from "../stored.js";

/** Names of `migration_state`; only `start` is documented, and tests may use others. */
type MigrationState = string;

/** How a requested step completes. */
export type Progression =
  | "at-once"
  | { readonly reads: number }
  | { readonly seconds: number }
  | { readonly never: true };

export interface Package {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly detection_mode: "anomaly" | "traditional";
  readonly status: "active";
  readonly sensitivity?: string;
  readonly action_mode?: string;
}

export interface WafGroup {
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

/** A requested step that has not completed yet. */
interface Finishing {
  readonly since: number;
  readonly reads: number;
}

/**
 * The settings of a zone's previous managed rules, and the progress of their migration. Every write replaces them as a whole.
 */
export interface WafSettings {
  readonly setting: "on" | "off";
  readonly packages: readonly Package[];
  readonly groups: readonly WafGroup[];
  readonly rules: readonly WafRule[];
  readonly state: MigrationState;
  readonly finishing?: Finishing;
  readonly progression: Progression;
  /** Overrides of the managed ruleset in the generated configuration. */
  readonly managedOverrides?: Readonly<Record<string, unknown>>;
  /** `migration_state` while the step is running. It is not documented. */
  readonly finishingState: MigrationState;
  /** How many reads of the status still return the state before a requested finish. */
  readonly lag: number;
  /** RFC 3339, UTC. */
  readonly created: string;
}

/** Everything that a migration reads. */
export interface PreviousWaf extends WafSettings {
  readonly overrides: readonly Stored[];
  readonly filters: readonly Stored[];
  /** Their `filter` is the ID of a filter. */
  readonly firewallRules: readonly Stored[];
  readonly pageRules: readonly Stored[];
}

/** Zones were migrated long ago unless a seed says otherwise. */
export const FINISHED = "complete";
