import type { ApiResult, Owner } from "../call.js";
import { ownValue } from "../lookup.js";

/** A rule in the API's notation, with what the service adds. */
export interface StoredRule {
  readonly id: string;
  readonly version: string;
  readonly ref: string;
  readonly last_updated: string;
  readonly [field: string]: unknown;
}

export interface Version {
  readonly version: string;
  readonly description: string;
  readonly last_updated: string;
  readonly rules: readonly StoredRule[];
}

/** A ruleset without its versions. */
export interface Ruleset {
  readonly id: string;
  readonly name: string;
  readonly kind: "managed" | "custom" | "root" | "zone";
  readonly phase: string;
  /** `zones/<id>`, `accounts/<id>`, or empty for Cloudflare's managed rulesets. */
  readonly owner: string;
  /** The highest version number so far; numbers are not reused. */
  readonly last: number;
  /** The newest existing version. */
  readonly version: string;
  /** The rulesets that its newest version executes. */
  readonly executes: readonly string[];
  /** The lists that its newest version uses, each as `account/name`. */
  readonly lists: readonly string[];
}

export const ownerText = ({ level, id }: Owner): string => `${level}/${id}`;

/** The kind of an entry point. */
export const entryKind = ({ level }: Owner): "zone" | "root" => (level === "zones" ? "zone" : "root");

/** What the service returns as `source` of rulesets, by phase; it returns none for other phases. */
const SOURCES: Readonly<Record<string, string>> = {
  http_ratelimit: "rate_limit",
  http_request_firewall_custom: "firewall_custom",
  http_request_firewall_managed: "firewall_managed",
  http_response_firewall_managed: "dlp",
};

/** A ruleset as lists show it: without rules. */
export function summaryResult(ruleset: Ruleset, version: Version): ApiResult {
  const source = ownValue(SOURCES, ruleset.phase);
  return {
    id: ruleset.id,
    name: ruleset.name,
    description: version.description,
    ...(source === undefined ? {} : { source }),
    kind: ruleset.kind,
    version: version.version,
    phase: ruleset.phase,
    last_updated: version.last_updated,
  };
}

export function rulesetResult(ruleset: Ruleset, version: Version): ApiResult {
  return { ...summaryResult(ruleset, version), rules: version.rules };
}
