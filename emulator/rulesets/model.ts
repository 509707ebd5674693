/** A rule as it goes over the wire, with what the service adds. */
export interface StoredRule {
  readonly id: string;
  readonly version: string;
  readonly ref: string;
  readonly last_updated: string;
  readonly [field: string]: unknown;
}

export interface StoredVersion {
  readonly version: string;
  readonly description: string;
  readonly last_updated: string;
  readonly rules: readonly StoredRule[];
}

export interface StoredRuleset {
  readonly id: string;
  readonly name: string;
  readonly kind: "managed" | "custom" | "root" | "zone";
  readonly phase: string;
  /** `zones/<id>`, `accounts/<id>`, or empty for the vendor's. */
  readonly owner: string;
  /** Number of the newest version ever; numbers are not used twice. */
  readonly last: number;
  /** Oldest first. */
  readonly versions: readonly StoredVersion[];
}

export function newestVersion(ruleset: StoredRuleset): StoredVersion {
  const newest = ruleset.versions.at(-1);
  if (newest === undefined) throw new Error(`ruleset ${ruleset.id} has no version`);
  return newest;
}

/** A ruleset as lists show it: without rules. */
export function summary(ruleset: StoredRuleset, version = newestVersion(ruleset)): Record<string, unknown> {
  return {
    id: ruleset.id,
    name: ruleset.name,
    description: version.description,
    kind: ruleset.kind,
    version: version.version,
    phase: ruleset.phase,
    last_updated: version.last_updated,
  };
}

export function full(ruleset: StoredRuleset, version = newestVersion(ruleset)): Record<string, unknown> {
  return { ...summary(ruleset, version), rules: version.rules };
}
