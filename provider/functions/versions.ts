import * as pulumi from "@pulumi/pulumi";
import { RulesetsError } from "../model/errors.js";
import { shortRulesetId, type Scope } from "../model/ids.js";
import type { RulesetSummary } from "../model/ruleset.js";
import { isVersion, newestFirst } from "../model/versions.js";
import { compareVersions, type VersionsDifference } from "../rules/compare-versions.js";
import { checkId } from "../validation/checks/ids.js";
import { failureText } from "../validation/failure.js";
import { rulesetVersion, versionsOf, type Versioned } from "./rulesets.js";

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
  return newestFirst(await versionsOf(placeOf(args)));
}

/** {@link listRulesetVersions} of values that are not known yet. */
export function listRulesetVersionsOutput(
  args: pulumi.Input<{ readonly [N in keyof RulesetVersionsArgs]: pulumi.Input<RulesetVersionsArgs[N]> }>,
): pulumi.Output<RulesetSummary[]> {
  return pulumi.output(args).apply((known) => listRulesetVersions(known as RulesetVersionsArgs));
}

/**
 * How two versions of a ruleset differ, rule by rule; rules are the same where their refs are. Two requests.
 * Throws an `ApiError` when the service refuses, such as for a version that is not there.
 */
export async function diffRulesetVersions(args: RulesetVersionsDiffArgs): Promise<VersionsDifference> {
  const place = placeOf(args);
  for (const name of ["from", "to"] as const) {
    if (typeof args[name] !== "string" || !isVersion(args[name]))
      throw invalid(`${name} must be the number of a version as a text, such as "12".`);
  }
  const [before, after] = await Promise.all([rulesetVersion(place, args.from), rulesetVersion(place, args.to)]);
  return compareVersions(before, after);
}

/** {@link diffRulesetVersions} of values that are not known yet. */
export function diffRulesetVersionsOutput(
  args: pulumi.Input<{ readonly [N in keyof RulesetVersionsDiffArgs]: pulumi.Input<RulesetVersionsDiffArgs[N]> }>,
): pulumi.Output<VersionsDifference> {
  return pulumi.output(args).apply((known) => diffRulesetVersions(known as RulesetVersionsDiffArgs));
}

function placeOf({ zoneId, accountId, rulesetId, phase }: RulesetVersionsArgs): Versioned {
  if ((zoneId === undefined) === (accountId === undefined)) throw invalid("give exactly one of zoneId and accountId.");
  if ((rulesetId === undefined) === (phase === undefined)) throw invalid("give exactly one of rulesetId and phase.");
  const scope: Scope =
    zoneId === undefined ? { level: "accounts", id: accountId ?? "" } : { level: "zones", id: zoneId };
  const id = rulesetId === undefined ? undefined : shortRulesetId(rulesetId);
  const [fault] = [
    ...checkId([zoneId === undefined ? "accountId" : "zoneId"], scope.id).failures,
    ...(id === undefined ? [] : checkId(["rulesetId"], id).failures),
  ];
  if (fault !== undefined) throw invalid(`${failureText(fault)}.`);
  if (id !== undefined) return { scope, rulesetId: id };
  if (typeof phase !== "string" || !/^[a-z0-9_]+$/.test(phase)) throw invalid("phase must be the name of a phase.");
  return { scope, phase };
}

function invalid(text: string): RulesetsError {
  return new RulesetsError(text, { code: "ARGUMENTS_INVALID" });
}
