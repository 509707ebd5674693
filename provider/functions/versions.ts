import type { RulesetSummary } from "../model/ruleset.js";
import { isVersion, newestFirst } from "../model/versions.js";
import { compareVersions, type VersionsDifference } from "../rules/compare-versions.js";
import { failure, join, type Findings } from "../validation/failure.js";
import { requireNames, requireValid } from "./arguments.js";
import { asOutput } from "./output.js";
import { checkPlace, placeOf, rulesetVersion, versionsOf } from "./rulesets.js";

const PLACE = ["zoneId", "accountId", "rulesetId", "phase"];

/** Which ruleset: of a zone or of an account, and by its ID or by the phase whose entry point it is. */
export interface RulesetVersionsArgs {
  /** Excludes `accountId`. */
  readonly zoneId?: string;
  /** Excludes `zoneId`. */
  readonly accountId?: string;
  /** The ruleset's ID, or the id of a `Ruleset` resource; excludes `phase`. */
  readonly rulesetId?: string;
  /** The phase whose entry point it is; excludes `rulesetId`. */
  readonly phase?: string;
}

/** Two versions of a ruleset. */
export interface RulesetVersionsDiffArgs extends RulesetVersionsArgs {
  /** Number of the one version, as text. */
  readonly from: string;
  /** Number of the other version, as text. */
  readonly to: string;
}

/**
 * Every version of a ruleset that the service keeps, without rules, newest first; none when there is no such entry point.
 * Reads at once, in previews too. Throws an `ApiError` when the service refuses.
 *
 * @example
 * ```ts
 * const [current, before] = await listRulesetVersions({ zoneId, phase: "http_request_firewall_custom" });
 * ```
 */
export async function listRulesetVersions(args: RulesetVersionsArgs): Promise<RulesetSummary[]> {
  requireNames("listRulesetVersions", args, PLACE);
  requireValid("listRulesetVersions", checkPlace(args));
  return newestFirst(await versionsOf(placeOf(args)));
}

/** {@link listRulesetVersions} with outputs. */
export const listRulesetVersionsOutput = asOutput(listRulesetVersions);

/**
 * How two versions of a ruleset differ, rule by rule; rules are the same where their refs are. Two requests.
 * Throws an `ApiError` when the service refuses, such as for a version that is not there.
 */
export async function diffRulesetVersions(args: RulesetVersionsDiffArgs): Promise<VersionsDifference> {
  requireNames("diffRulesetVersions", args, [...PLACE, "from", "to"]);
  requireValid("diffRulesetVersions", checkPlace(args), checkNumber("from", args.from), checkNumber("to", args.to));
  const place = placeOf(args);
  const [before, after] = await Promise.all([rulesetVersion(place, args.from), rulesetVersion(place, args.to)]);
  return compareVersions(before, after);
}

/** {@link diffRulesetVersions} with outputs. */
export const diffRulesetVersionsOutput = asOutput(diffRulesetVersions);

function checkNumber(name: string, version: unknown): Findings {
  return typeof version === "string" && isVersion(version)
    ? join([])
    : failure([name], 'must be a version number as a string, such as "12"');
}
