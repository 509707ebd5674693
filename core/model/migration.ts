import type { WireRulesetRule } from "./generated/rule.js";
import type { JsonObject } from "./json.js";

/** The phase a zone migrates to. */
export const MANAGED_PHASE = "http_request_firewall_managed";

/** The step to take: `validation` runs both implementations in parallel, `pending` finishes the migration irreversibly. */
export type MigrationMode = "validation" | "pending";

/** A zone's progress, regardless of the service's names for it. */
export type MigrationPhase = "notStarted" | "validation" | "finishing" | "finished";

/** Response of the status operation. Only `start` is an official state; all others are passed on unchanged. */
export interface MigrationStatus {
  /** Raw `migration_state`; empty when the service does not return one. */
  readonly migrationState: string;
  /** Raw: `enabled` or `disabled`; empty when the service does not return it. */
  readonly previousWaf: string;
  readonly newWaf: string;
}

/** A generated configuration exactly as the service returned it, to be sent back unchanged. */
export interface RetrievedConfig {
  readonly name?: string;
  readonly rules: readonly WireRulesetRule[];
}

/** Response of the compatibility check. */
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

/** A rule of a package, with its mode. */
export interface WafRule {
  readonly id: string;
  readonly name: string;
  readonly mode: string;
  /** Absent when the service does not return it, as for rules of the core rule set. */
  readonly defaultMode?: string;
  readonly groupId: string;
}

/** An override by URL, which prevents a migration: `GET /zones/{zone_id}/firewall/waf/overrides`. */
export interface WafOverride {
  readonly id: string;
  readonly urls: readonly string[];
  readonly description: string;
  /** The whole override as the service returns it. */
  readonly wire: JsonObject;
}

/** A firewall rule that lets requests bypass the managed rules: `GET /zones/{zone_id}/firewall/rules`. */
export interface BypassRule {
  readonly id: string;
  readonly description: string;
  readonly expression: string;
  readonly paused: boolean;
}

/** A page rule that turns security off, or the WAF on or off: `GET /zones/{zone_id}/pagerules`. */
export interface SwitchingPageRule {
  readonly id: string;
  readonly url: string;
  readonly does: "security off" | "WAF off" | "WAF on";
  /** Where the URLs of two page rules overlap, the higher number wins. */
  readonly priority: number;
}

/** Settings of a zone's previous WAF; a part that could not be read is absent. */
export interface PreviousWaf {
  readonly setting?: string;
  readonly packages?: readonly WafPackage[];
  /** Groups of the core rule set. */
  readonly coreGroups?: readonly WafGroup[];
  /** Rules of the core rule set. */
  readonly coreRules?: readonly WafRule[];
  /** Groups of the other packages: Cloudflare's own managed rules. */
  readonly managedGroups?: readonly WafGroup[];
  /** Rules of the other packages. */
  readonly managedRules?: readonly WafRule[];
  readonly overrides?: readonly WafOverride[];
  readonly bypassRules?: readonly BypassRule[];
  readonly pageRules?: readonly SwitchingPageRule[];
}
