import * as pulumi from "@pulumi/pulumi";
import type { RulesetsClient } from "../client/index.js";
import { RulesetsError } from "../model/errors.js";
import { shortRulesetId, type Scope } from "../model/ids.js";
import type { Ruleset, RulesetSummary } from "../model/ruleset.js";
import { isVersion, newestFirst } from "../model/versions.js";
import { compareVersions, type VersionsDifference } from "../rules/compare-versions.js";
import { checkId } from "../validation/checks/ids.js";
import { failureText } from "../validation/failure.js";
import { stackClient } from "./stack-client.js";

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
  const place = placeOf(args);
  const { rulesets } = await stackClient();
  const versions = await ("phase" in place
    ? rulesets.listEntrypointVersions(place.scope, place.phase)
    : rulesets.listVersions(place.scope, place.rulesetId));
  return newestFirst(versions);
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
  const { rulesets } = await stackClient();
  const [before, after] = await Promise.all([
    readVersion(rulesets, place, args.from),
    readVersion(rulesets, place, args.to),
  ]);
  return compareVersions(before, after);
}

/** {@link diffRulesetVersions} of values that are not known yet. */
export function diffRulesetVersionsOutput(
  args: pulumi.Input<{ readonly [N in keyof RulesetVersionsDiffArgs]: pulumi.Input<RulesetVersionsDiffArgs[N]> }>,
): pulumi.Output<VersionsDifference> {
  return pulumi.output(args).apply((known) => diffRulesetVersions(known as RulesetVersionsDiffArgs));
}

type Place = { readonly scope: Scope } & ({ readonly rulesetId: string } | { readonly phase: string });

function readVersion(rulesets: RulesetsClient, place: Place, version: string): Promise<Ruleset> {
  return "phase" in place
    ? rulesets.getEntrypointVersion(place.scope, place.phase, version)
    : rulesets.getVersion(place.scope, place.rulesetId, version);
}

function placeOf({ zoneId, accountId, rulesetId, phase }: RulesetVersionsArgs): Place {
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
