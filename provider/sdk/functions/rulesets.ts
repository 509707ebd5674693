import { ApiError } from "../../../core/model/errors.js";
import { entrypointKind, scopeWords, shortRulesetId, type Scope } from "../../../core/model/ids.js";
import type { Kind, Phase } from "../../../core/model/generated/rule.js";
import { noVersionText } from "../../../core/model/versions.js";
import { EVERY_KIND, type Ruleset, type RulesetSummary } from "../../../core/model/ruleset.js";
import {
  ADDRESS,
  checkPhase,
  checkText,
  checkVersion,
  checkWord,
  LEVEL,
  notFound,
  SCOPE,
  scopeOf,
  WHICH,
  type ScopeArgs,
} from "./arguments.js";
import { asOutput, lookup } from "./lookup.js";
import { listOf, READ_RULESET, SUMMARY } from "./results.js";
import { requestOnce, type Via } from "./via.js";

/** Arguments of {@link listRulesets}. */
export interface ListRulesetsArgs extends ScopeArgs {
  readonly kind?: Kind | (string & {});
  readonly phase?: Phase | (string & {});
  /** The full name. */
  readonly name?: string;
}

/**
 * The rulesets that are visible from a zone or an account, without their rules: its own, Cloudflare's managed ones, and in a
 * zone the custom ones of its account. Reads all pages; all {@link listRulesets} calls of a run share one read per zone or
 * account. Returns an empty list if there are none. The operation:
 * https://developers.cloudflare.com/api/resources/rulesets/methods/list/.
 *
 * @example
 * ```ts
 * const limited = (await listRulesets({ zoneId, kind: "zone", phase: "http_ratelimit" })).length > 0;
 * ```
 */
export const listRulesets = lookup<ListRulesetsArgs, RulesetSummary[]>(
  {
    name: "listRulesets",
    text:
      "The rulesets that are visible from a zone or an account, without their rules: its own, Cloudflare's managed ones, and in a " +
      "zone the custom ones of its account.",
    exactlyOneOf: [LEVEL],
    arguments: {
      ...SCOPE,
      kind: { type: "string", text: "Only rulesets of this kind.", check: checkWord(EVERY_KIND) },
      phase: { type: "string", text: "Only rulesets of this phase.", check: checkPhase },
      name: { type: "string", text: "Only rulesets with this full name.", check: checkText },
    },
    result: { rulesets: listOf(SUMMARY, "The rulesets.") },
  },
  async (args, via) => {
    const { kind, phase, name } = args;
    return (await listAllRulesets(via, scopeOf(args))).filter(
      (ruleset) =>
        (kind === undefined || ruleset.kind === kind) &&
        (phase === undefined || ruleset.phase === phase) &&
        (name === undefined || ruleset.name === name),
    );
  },
);

/** {@link listRulesets} with outputs. */
export const listRulesetsOutput = asOutput(listRulesets);

/** Every ruleset of a scope, read once for all lookups of a run. */
export function listAllRulesets(via: Via, scope: Scope): Promise<RulesetSummary[]> {
  return requestOnce(via, ["rulesets", scope], ({ rulesets }) => rulesets.list(scope));
}

/** The current version of a ruleset, with its rules. */
export function readRulesetById(via: Via, scope: Scope, id: string): Promise<Ruleset> {
  return requestOnce(via, ["ruleset", scope, id], ({ rulesets }) => rulesets.get(scope, id));
}

/** Arguments of {@link getEntrypoint}. */
export interface GetEntrypointArgs extends ScopeArgs {
  readonly phase: Phase | (string & {});
}

/**
 * The entry point of a phase with its rules, whoever manages it. Throws LOOKUP_NOT_FOUND if the phase has none, and lists the
 * phases that have one; if that is to be expected, call {@link listRulesets} first. The operation:
 * https://developers.cloudflare.com/api/resources/rulesets/subresources/phases/methods/get/.
 */
export const getEntrypoint = lookup<GetEntrypointArgs, Ruleset>(
  {
    name: "getEntrypoint",
    text: "The entry point of a phase with its rules, whoever manages it. Fails if the phase has none.",
    exactlyOneOf: [LEVEL],
    arguments: { ...SCOPE, phase: { type: "string", text: "The phase.", required: true, check: checkPhase } },
    result: READ_RULESET,
  },
  async (args, via) => {
    const { phase } = args;
    const scope = scopeOf(args);
    return orIfMissing(
      requestOnce(via, ["entrypoint", scope, phase], ({ rulesets }) => rulesets.getEntrypoint(scope, phase)),
      () => noEntrypoint(via, scope, phase),
    );
  },
);

/** {@link getEntrypoint} with outputs. */
export const getEntrypointOutput = asOutput(getEntrypoint);

async function noEntrypoint(via: Via, scope: Scope, phase: string): Promise<never> {
  const kind = entrypointKind(scope);
  const others = (await listAllRulesets(via, scope)).filter((ruleset) => ruleset.kind === kind);
  const text = others.map((ruleset) => ruleset.phase).sort();
  return notFound(
    `${scopeWords(scope)} has no entry point in the phase ${phase}. ` +
      (text.length === 0 ? "It has no entry points." : `It has entry points in ${text.join(", ")}.`),
  );
}

/** Arguments of {@link getRulesetVersion}. */
export interface GetRulesetVersionArgs extends ScopeArgs {
  /** Excludes `phase`. */
  readonly rulesetId?: string;
  /** The phase of an entry point; excludes `rulesetId`. */
  readonly phase?: Phase | (string & {});
  /** As a number or a string. */
  readonly version: string | number;
}

/**
 * One version of a ruleset or an entry point, with its rules. Throws LOOKUP_NOT_FOUND for a version that does not exist, and
 * lists those that do. The operation:
 * https://developers.cloudflare.com/api/resources/rulesets/subresources/versions/methods/get/.
 */
export const getRulesetVersion = lookup<GetRulesetVersionArgs, Ruleset>(
  {
    name: "getRulesetVersion",
    text: "One version of a ruleset or an entry point, with its rules.",
    exactlyOneOf: [LEVEL, WHICH],
    arguments: {
      ...ADDRESS,
      version: { type: "string", text: "A number as a string.", required: true, check: checkVersion },
    },
    result: READ_RULESET,
  },
  async (args, via) => {
    const scope = scopeOf(args);
    const version = String(args.version);
    const { rulesetId, phase = "" } = args;
    const place = addressOf(args);
    return orIfMissing(readRulesetVersion(via, place, version), async () => {
      const what = rulesetId === undefined ? `the entry point of ${phase}` : `ruleset ${rulesetId}`;
      return notFound(`${noVersionText(`${what} of ${scopeWords(scope)}`, version, await readVersions(via, place))}.`);
    });
  },
);

/** {@link getRulesetVersion} with outputs. */
export const getRulesetVersionOutput = asOutput(getRulesetVersion);

/** A ruleset of a zone or an account, by its ID or by the phase whose entry point it is. */
type AddressArgs = ScopeArgs & { readonly rulesetId?: string; readonly phase?: string };

/** The ruleset that checked arguments name. */
export function addressOf(args: AddressArgs): RulesetAddress {
  const { rulesetId, phase = "" } = args;
  const scope = scopeOf(args);
  return rulesetId === undefined ? { scope, phase } : { scope, rulesetId: shortRulesetId(rulesetId) };
}

/** A ruleset by its ID, or the entry point of a phase. */
type RulesetAddress = { readonly scope: Scope } & ({ readonly rulesetId: string } | { readonly phase: string });

/** One version with its rules. */
export function readRulesetVersion(via: Via, place: RulesetAddress, version: string): Promise<Ruleset> {
  return requestOnce(via, ["version", place, version], ({ rulesets }) =>
    "phase" in place
      ? rulesets.getEntrypointVersion(place.scope, place.phase, version)
      : rulesets.getVersion(place.scope, place.rulesetId, version),
  );
}

/** Every version, without rules. */
export function readVersions(via: Via, place: RulesetAddress): Promise<RulesetSummary[]> {
  return requestOnce(via, ["versions", place], ({ rulesets }) =>
    "phase" in place
      ? rulesets.listEntrypointVersions(place.scope, place.phase)
      : rulesets.listVersions(place.scope, place.rulesetId),
  );
}

/** The result of a request, or of `missing` if the service responds that the object does not exist. */
export async function orIfMissing<T>(response: Promise<T>, missing: () => Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof ApiError && error.code === "API_NOT_FOUND") return missing();
    throw error;
  }
}
