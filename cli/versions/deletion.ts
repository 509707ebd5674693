import type { RulesetSummary } from "../../provider/client/index.js";
import { newestFirst } from "../../provider/model/versions.js";

/** Which versions are to be deleted. The current one is deployed, and never among them. */
export interface Deletion {
  /** Oldest first. */
  readonly versions: readonly RulesetSummary[];
  /** Versions that were named and are not there. */
  readonly missing: readonly string[];
  /** Set where the current version was named. */
  readonly current?: string;
}

/** The versions that were named, each once. */
export function namedVersions(all: readonly RulesetSummary[], named: readonly string[]): Deletion {
  const [current] = newestFirst(all);
  const wanted = new Set(named);
  const there = new Set(all.map(({ version }) => version));
  return {
    versions: newestFirst(all.filter((one) => wanted.has(one.version) && one !== current)).reverse(),
    missing: [...wanted].filter((version) => !there.has(version)),
    ...(current !== undefined && wanted.has(current.version) ? { current: current.version } : {}),
  };
}

/** All but the newest ones, of which the current one is the first. */
export function olderVersions(all: readonly RulesetSummary[], keep: number): Deletion {
  return { versions: newestFirst(all).slice(Math.max(keep, 1)).reverse(), missing: [] };
}
