import { isChallenge } from "../../../core/simulator/challenges.js";
import plans from "../../../schema/plans.json";
import { isObject, ownValue } from "../../../core/model/json.js";
import type { Path } from "../../../core/model/path.js";
import { isUnknown } from "../../../core/model/unknown.js";

const ALL: readonly string[] = plans.plans;
const LARGEST = "enterprise";
const { characteristics, parameters, ...longest } = plans.ratelimit;

/** A feature of a rate limit that not every plan includes. */
interface RatelimitUse {
  /** Equal for uses of one kind, whatever their values. */
  readonly name: string;
  readonly what: string;
  readonly least: string;
  readonly path: Path;
}

type Ratelimit = Readonly<Record<string, unknown>>;

/**
 * Features of a rule's rate limit that depend on the plan: its period, its timeout, its characteristics, and what it counts.
 *
 * Source: https://developers.cloudflare.com/waf/rate-limiting-rules/#availability.
 */
export function ratelimitUses(rule: Readonly<Record<string, unknown>>, path: Path): RatelimitUse[] {
  const { ratelimit, action } = rule;
  if (!isObject(ratelimit)) return [];
  const at = (name: string, what: string, least: string | undefined): RatelimitUse[] =>
    least === undefined || least === ALL[0] ? [] : [{ name, what, least, path: [...path, "ratelimit", name] }];
  return [
    ...at("period", ...periodUse(ratelimit)),
    ...at("mitigationTimeout", ...timeoutUse(ratelimit, action)),
    ...characteristicUses(ratelimit, path),
    ...Object.entries(parameters).flatMap(([name, least]) =>
      isSet(ratelimit[name]) ? at(name, `the rate limit parameter ${name}`, least) : [],
    ),
  ];
}

function periodUse({ period }: Ratelimit): [string, string | undefined] {
  if (typeof period !== "number") return ["", undefined];
  return [`a rate limit period of ${String(period)} seconds`, smallest(period, longest.period)];
}

/** Below the largest plan, a challenge cannot have a timeout, and any other action must have one. */
function timeoutUse({ mitigationTimeout: timeout }: Ratelimit, action: unknown): [string, string | undefined] {
  if (typeof timeout !== "number" || typeof action !== "string" || isUnknown(action)) return ["", undefined];
  if (isChallenge(action))
    return ["a mitigation timeout other than 0 for challenges", timeout === 0 ? undefined : LARGEST];
  if (timeout === 0) return [`throttling (mitigationTimeout 0) with the action ${action}`, LARGEST];
  return [`a mitigation timeout of ${String(timeout)} seconds`, smallest(timeout, longest.mitigationTimeout)];
}

function characteristicUses({ characteristics: list }: Ratelimit, path: Path): RatelimitUse[] {
  if (!Array.isArray(list)) return [];
  return (list as unknown[]).flatMap((each, index) => {
    // Another check refuses names that are not fields.
    if (typeof each !== "string" || isUnknown(each)) return [];
    const least = ownValue(characteristics, each) ?? LARGEST;
    const place = [...path, "ratelimit", "characteristics", index];
    return least === ALL[0] ? [] : [{ name: each, what: `the rate limit characteristic ${each}`, least, path: place }];
  });
}

/** The smallest plan whose limit allows a number; undefined if none does. */
function smallest(value: number, limits: readonly (number | null)[]): string | undefined {
  return ALL[limits.findIndex((limit) => limit === null || value <= limit)];
}

/** An empty counting expression counts as not set, and so does a switch that is off. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== "" && value !== false && !isUnknown(value);
}
