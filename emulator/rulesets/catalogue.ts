import catalogue from "./catalogue.json";
import type { StoredRuleset } from "./model.js";

/** The vendor's managed rulesets with their real ids and tags, and a handful of rules each (API facts 4.3, 4.4). */
export const managedRulesets: readonly StoredRuleset[] = catalogue.map((entry) => ({
  id: entry.id,
  name: entry.name,
  kind: "managed",
  phase: entry.phase,
  owner: "",
  last: Number(entry.version),
  versions: [
    {
      version: entry.version,
      description: entry.description,
      last_updated: "2026-01-01T00:00:00.000000Z",
      rules: entry.rules,
    },
  ],
}));
