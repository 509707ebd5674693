import type { Ruleset, RulesetSummary } from "../../../core/model/ruleset.js";
import { newestFirst } from "../../../core/model/versions.js";
import { compareVersions, type VersionsDifference } from "../../../core/rules/compare-versions.js";
import { addressOf, readRulesetVersion, readVersions } from "./rulesets.js";
import { ADDRESS, checkVersionText, LEVEL, WHICH } from "./arguments.js";
import { asOutput, lookup } from "./lookup.js";
import { DIFFERENCE, listOf, SUMMARY } from "./results.js";

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
export const listRulesetVersions = lookup<RulesetVersionsArgs, RulesetSummary[]>(
  {
    name: "listRulesetVersions",
    text: "The versions of a ruleset or an entry point, without their rules.",
    exactlyOneOf: [LEVEL, WHICH],
    arguments: ADDRESS,
    result: { versions: listOf(SUMMARY, "The versions.") },
  },
  async (args, via) => {
    return newestFirst(await readVersions(via, addressOf(args)));
  },
);

/** {@link listRulesetVersions} with outputs. */
export const listRulesetVersionsOutput = asOutput(listRulesetVersions);

/**
 * How two versions of a ruleset differ, rule by rule; rules with equal refs are the same rule. Makes two requests.
 * Throws an `ApiError` when a request fails, for example because a version does not exist.
 */
export const diffRulesetVersions = lookup<RulesetVersionsDiffArgs, VersionsDifference>(
  {
    name: "diffRulesetVersions",
    text: "How two versions of a ruleset differ, rule by rule.",
    exactlyOneOf: [LEVEL, WHICH],
    arguments: {
      ...ADDRESS,
      from: {
        type: "string",
        text: "Number of the first version, as a string.",
        required: true,
        check: checkVersionText,
      },
      to: {
        type: "string",
        text: "Number of the second version, as a string.",
        required: true,
        check: checkVersionText,
      },
    },
    result: DIFFERENCE,
  },
  async (args, via) => {
    const place = addressOf(args);
    const read = (version: string): Promise<Ruleset> => readRulesetVersion(via, place, version);
    const [before, after] = await Promise.all([read(args.from), read(args.to)]);
    return compareVersions(before, after);
  },
);

/** {@link diffRulesetVersions} with outputs. */
export const diffRulesetVersionsOutput = asOutput(diffRulesetVersions);
