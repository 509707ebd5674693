import type { RulesetSummary } from "../../../provider/client/index.js";
import { newestFirst } from "../../../provider/model/versions.js";

/** Which versions to delete. The current version is deployed, and never among them. */
export interface Deletion {
  /** Oldest first. */
  readonly versions: readonly RulesetSummary[];
  /** Requested versions that do not exist. */
  readonly missing: readonly string[];
  /** The current version, if it was requested. */
  readonly current?: string;
}

/** The requested versions, without duplicates. */
export function planNamedDeletion(all: readonly RulesetSummary[], named: readonly string[]): Deletion {
  const [current] = newestFirst(all);
  const wanted = new Set(named);
  const existing = new Set(all.map(({ version }) => version));
  return {
    versions: newestFirst(all.filter((one) => wanted.has(one.version) && one !== current)).reverse(),
    missing: [...wanted].filter((version) => !existing.has(version)),
    ...(current !== undefined && wanted.has(current.version) ? { current: current.version } : {}),
  };
}

/** All but the newest versions; the newest is the current one. */
export function planPrune(all: readonly RulesetSummary[], keep: number): Deletion {
  return { versions: newestFirst(all).slice(Math.max(keep, 1)).reverse(), missing: [] };
}
