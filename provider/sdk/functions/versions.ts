import type { Ruleset, RulesetSummary } from "../../../core/model/ruleset.js";
import { newestFirst } from "../../../core/model/versions.js";
import { compareVersions, type VersionsDifference } from "../../../core/rules/compare-versions.js";
import { requireArguments } from "./arguments.js";
import { asOutput } from "./output.js";
import { viaOf, type LookupOptions } from "./options.js";
import { addressOf, readRulesetVersion, readVersions } from "./rulesets.js";

/** A ruleset of a zone or an account, by its ID or by the phase whose entry point it is. */
export interface RulesetVersionsArgs {
  /** Excludes `accountId`. */
  readonly zoneId?: string;
  /** Excludes `zoneId`. */
  readonly accountId?: string;
  /** The ruleset's ID, or the `id` of a `Ruleset` resource; excludes `phase`. */
  readonly rulesetId?: string;
  /** The phase whose entry point it is; excludes `rulesetId`. */
  readonly phase?: string;
}

/** Two versions of a ruleset. */
export interface RulesetVersionsDiffArgs extends RulesetVersionsArgs {
  /** Number of the first version, as a string. */
  readonly from: string;
  /** Number of the second version, as a string. */
  readonly to: string;
}

/**
 * Every version of a ruleset that the service keeps, without rules, newest first; an empty list if the phase has no entry
 * point. Also makes its request in previews. Throws an `ApiError` when a request fails.
 *
 * @example
 * ```ts
 * const [current, before] = await listRulesetVersions({ zoneId, phase: "http_request_firewall_custom" });
 * ```
 */
export async function listRulesetVersions(args: RulesetVersionsArgs, opts?: LookupOptions): Promise<RulesetSummary[]> {
  requireArguments("listRulesetVersions", args);
  return newestFirst(await readVersions(viaOf("listRulesetVersions", opts), addressOf(args)));
}

/** {@link listRulesetVersions} with outputs. */
export const listRulesetVersionsOutput = asOutput(listRulesetVersions);

/**
 * How two versions of a ruleset differ, rule by rule; rules with equal refs are the same rule. Makes two requests.
 * Throws an `ApiError` when a request fails, for example because a version does not exist.
 */
export async function diffRulesetVersions(
  args: RulesetVersionsDiffArgs,
  opts?: LookupOptions,
): Promise<VersionsDifference> {
  requireArguments("diffRulesetVersions", args);
  const place = addressOf(args);
  const via = viaOf("diffRulesetVersions", opts);
  const read = (version: string): Promise<Ruleset> => readRulesetVersion(via, place, version);
  const [before, after] = await Promise.all([read(args.from), read(args.to)]);
  return compareVersions(before, after);
}

/** {@link diffRulesetVersions} with outputs. */
export const diffRulesetVersionsOutput = asOutput(diffRulesetVersions);
