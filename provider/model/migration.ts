import type { JsonObject } from "./json.js";

/** What moves a zone on: `validation` runs both implementations side by side, `pending` finishes for good. */
export type MigrationMode = "validation" | "pending";

/** Where a zone stands, whatever the service calls it. */
export type MigrationPhase = "notStarted" | "validation" | "finishing" | "finished";

/** Answer of the status operation. Only `start` is an official state; everything else is passed on as it is. */
export interface MigrationStatus {
  /** Raw `migration_state`; empty when the service names none. */
  readonly migrationState: string;
  /** Raw: `enabled` or `disabled`; empty when the service does not tell. */
  readonly previousWaf: string;
  readonly newWaf: string;
}

/** A generated configuration exactly as the service gave it, to be passed back unchanged. */
export interface RetrievedConfig {
  readonly name?: string;
  readonly rules: readonly JsonObject[];
}

/** Answer of the compatibility check. */
export interface Compatibility {
  readonly compatible: boolean;
  readonly migrationState?: string;
}

/** A package of the previous WAF: `GET /zones/{zone_id}/firewall/waf/packages`. */
export interface WafPackage {
  readonly id: string;
  readonly name: string;
  /** `anomaly` for the core rule set. */
  readonly detectionMode: string;
  readonly sensitivity?: string;
  readonly actionMode?: string;
}

/** A group of rules of a package. */
export interface WafGroup {
  readonly id: string;
  readonly name: string;
  /** `on` or `off`. */
  readonly mode: string;
  readonly rulesCount: number;
  /** How many of its rules differ from their default. */
  readonly modifiedRulesCount: number;
}

/** A rule of a package, as far as its switch is concerned. */
export interface WafRule {
  readonly id: string;
  readonly name: string;
  readonly mode: string;
  /** Missing where the service does not tell, as for rules of the core rule set. */
  readonly defaultMode?: string;
  readonly groupId: string;
}

/** An override by URL, which stands in the way of a migration: `GET /zones/{zone_id}/firewall/waf/overrides`. */
export interface WafOverride {
  readonly id: string;
  readonly urls: readonly string[];
  readonly description: string;
  /** Everything that the service says of it, as it says it. */
  readonly wire: JsonObject;
}

/** A firewall rule that lets requests past the managed rules: `GET /zones/{zone_id}/firewall/rules`. */
export interface BypassRule {
  readonly id: string;
  readonly description: string;
  readonly expression: string;
  readonly paused: boolean;
}

/** A page rule that switches security or the WAF: `GET /zones/{zone_id}/pagerules`. */
export interface SwitchingPageRule {
  readonly id: string;
  readonly url: string;
  readonly does: "security off" | "WAF off" | "WAF on";
  /** The higher number counts where the URLs of two page rules overlap. */
  readonly priority: number;
}

/** What a zone's previous WAF is set to; a part that could not be read is missing. */
export interface PreviousWaf {
  readonly setting?: string;
  readonly packages?: readonly WafPackage[];
  /** Groups of the core rule set. */
  readonly coreGroups?: readonly WafGroup[];
  /** Rules of the core rule set. */
  readonly coreRules?: readonly WafRule[];
  readonly overrides?: readonly WafOverride[];
  readonly bypassRules?: readonly BypassRule[];
  readonly pageRules?: readonly SwitchingPageRule[];
}
