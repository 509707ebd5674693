import catalogue from "./catalogue.json";
import type { Ruleset, StoredRule, Version } from "./model.js";

/** One of Cloudflare's managed rulesets, with its newest version only. */
export interface Managed {
  readonly ruleset: Ruleset;
  readonly version: Version;
}

/** Cloudflare's managed rulesets as they begin, with their real IDs and tags, and a few rules each. */
export const FIRST_RELEASES: readonly Managed[] = catalogue.map(({ id, name, phase, description, version, rules }) => ({
  ruleset: { id, name, kind: "managed", phase, owner: "", last: Number(version), version, executes: [], lists: [] },
  version: { version, description, last_updated: "2026-01-01T00:00:00.000000Z", rules },
}));

/** The tags of a rule; some have none. */
export function tagsOf({ categories }: StoredRule): readonly string[] {
  return (categories ?? []) as readonly string[];
}
