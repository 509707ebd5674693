import { readNumber } from "../../simulator/read-property.js";
import type { AnalysisContext } from "../analysis-context.js";
import { not, or, TRUE, type Formula } from "../formula/formula.js";
import { firmnessOf } from "../order/actions.js";
import { isAtLeastAsStrict } from "../order/order.js";
import { orderOfLimits } from "../order/rate-limits.js";
import type { Step } from "../program/steps.js";
import { findReaching } from "./reaching.js";
import type { RulesVersion } from "./rules-version.js";

/** Requests at certain times, in milliseconds from the first one. */
interface Schedule {
  readonly words: string;
  readonly times: readonly number[];
}

/** How rate limits are put to the test. */
export interface LimitTests {
  /** How many requests are needed to exceed every limit. */
  readonly repeats: number;
  /** Other ways to send requests than all at once. */
  readonly schedules: readonly Schedule[];
}

/** A limit above this is not exceeded in a test. */
const MOST_REQUESTS = 1200;

const MOST_SCHEDULES = 8;

/**
 * How to tell two versions of rate limits apart: a burst exceeds the lower limit; requests that are spread over a period exceed
 * only a limit with that period; a pause after a burst shows which limit stops its clients for longer; and more requests after
 * that exceed only a limit whose counter was not reset.
 */
export function limitTests(all: readonly Step[], changed: readonly Step[]): LimitTests {
  const repeats = Math.max(0, ...all.map(({ rule }) => readNumber(rule.ratelimit, "requestsPerPeriod") ?? 0));
  const limits = changed.flatMap(({ rule: { ratelimit } }) => ratelimit ?? []);
  const burst = Array.from({ length: Math.min(repeats, MOST_REQUESTS) + 1 }, () => 0);
  const pauses = new Set(
    limits.flatMap((limit) => [readNumber(limit, "mitigationTimeout") ?? 0, readNumber(limit, "period") ?? 0]),
  );
  const spread = limits.flatMap((limit): Schedule[] => {
    const [requests, period] = [readNumber(limit, "requestsPerPeriod"), readNumber(limit, "period")];
    if (requests === undefined || period === undefined || requests > MOST_REQUESTS) return [];
    const times = Array.from({ length: requests + 1 }, (_, at) => Math.floor((at * period * 1000) / (requests + 1)));
    return [{ words: `${String(requests + 1)} requests in ${String(period)} seconds`, times }];
  });
  const afterPause = Array.from(pauses).flatMap((seconds): Schedule[] =>
    seconds === 0
      ? []
      : [
          {
            words: `${String(seconds)} seconds after ${String(burst.length)} requests`,
            times: [...burst, seconds * 1000],
          },
        ],
  );
  return { repeats, schedules: [...resumed(limits), ...spread, ...afterPause].slice(0, MOST_SCHEDULES) };
}

/** A burst that exceeds only the lower of two limits, and after its timeout as many requests as the other one still allows. */
function resumed(limits: readonly object[]): readonly Schedule[] {
  const known = limits.flatMap((limit) => {
    const [requests, timeout] = [readNumber(limit, "requestsPerPeriod"), readNumber(limit, "mitigationTimeout") ?? 0];
    return requests === undefined || requests > MOST_REQUESTS || timeout === 0 ? [] : [{ requests, timeout }];
  });
  return known.flatMap((low) =>
    known.flatMap((high): Schedule[] => {
      if (low.requests >= high.requests) return [];
      const [first, more] = [low.requests + 1, high.requests - low.requests];
      const words = `${String(first)} requests, and ${String(more)} more after ${String(low.timeout)} seconds`;
      return [{ words, times: Array.from({ length: first + more }, (_, at) => (at < first ? 0 : low.timeout * 1000)) }];
    }),
  );
}

/**
 * How a rate limit is made up for by one of the other version. `always`: whatever the first one stops, the other one stops.
 * `by-order`: the numbers of the other one are at least as strict, but its counter is reset at other times, when the first one may
 * be ahead of it. `where-seen`: the same, for requests that the other one sees.
 */
type LimitCover = "always" | "by-order" | "where-seen";

export const OTHER_MOMENTS =
  "changing a limit resets its counters, so a single request may be treated the opposite way";

/** A rate limit of one version, and one of the other version that makes up for it. */
export interface LimitPair {
  readonly limit: Counting;
  readonly other: Counting;
  readonly cover: LimitCover;
}

/** A rate limit, and the version that it is in. */
export interface Counting {
  readonly step: Step;
  readonly version: RulesVersion;
}

/** Finds for each rate limit one in the other version that makes up for it. Each is used once: two limits do not count for one. */
export function coverLimits(
  limits: readonly Counting[],
  others: readonly Counting[],
  world: AnalysisContext,
): readonly LimitPair[] {
  const free = new Set(others);
  const found = new Map<Counting, LimitPair>();
  const coverBy = (cover: LimitCover, covers: (one: Counting, limit: Counting) => boolean): void => {
    for (const limit of limits) {
      const isCovering = (one: Counting): boolean => isAtLeastAsStrictAs(one.step, limit.step) && covers(one, limit);
      const other = found.has(limit) ? undefined : Array.from(free).find(isCovering);
      if (other === undefined) continue;
      free.delete(other);
      found.set(limit, { limit, other, cover });
    }
  };
  coverBy("always", (one, limit) => staysInStep(one, limit, world));
  coverBy("by-order", (one, limit) => countsAllOf(one, limit, world));
  coverBy("where-seen", () => true);
  return Array.from(found.values());
}

/** That a client which exceeds a limit by repeating a request exceeds a stricter one, too, if that also sees the request. */
export function exceedsBoth({ limit: { step }, other: { step: other } }: LimitPair): Formula {
  return or([not(step.seen), not(step.over ?? TRUE), not(other.seen), other.over ?? TRUE]);
}

function isAtLeastAsStrictAs(one: Step, step: Step): boolean {
  const [mine, own] = [one.rule, step.rule];
  return (
    one.phase === step.phase &&
    one.level === step.level &&
    mine.input.opaque === own.input.opaque &&
    mine.ratelimit !== undefined &&
    own.ratelimit !== undefined &&
    firmnessOf(mine.place.action) >= firmnessOf(own.place.action) &&
    isAtLeastAsStrict(orderOfLimits(own.ratelimit, mine.ratelimit))
  );
}

/**
 * Whether the counters of two limits are reset at the same times: both see the same requests, in the same period, and both
 * stop clients at the same moments and for as long, or none of them stops clients beyond the period.
 */
function staysInStep(one: Counting, limit: Counting, world: AnalysisContext): boolean {
  const [mine, own] = [one.step.rule.ratelimit ?? {}, limit.step.rule.ratelimit ?? {}];
  const isSame = (name: string): boolean => readNumber(mine, name) === readNumber(own, name);
  const hasNoTimeout = [mine, own].every((limit) => (readNumber(limit, "mitigationTimeout") ?? 0) === 0);
  return (
    isSame("period") &&
    (orderOfLimits(own, mine) === "same" || hasNoTimeout) &&
    countsAllOf(one, limit, world) &&
    countsAllOf(limit, one, world)
  );
}

/**
 * A later rate limit that counts what a changed one lets through, so that it no longer counts the same requests; undefined if
 * there is none.
 */
export function findLaterLimit(
  step: Step,
  own: RulesVersion,
  other: RulesVersion,
  world: AnalysisContext,
): Step | undefined {
  const isSame = (one: Step, as: Step): boolean =>
    one.effect.key === as.effect.key && seesAllOf(one, as, world) && seesAllOf(as, one, world);
  const later = own.steps.filter(
    (one) => one.over !== undefined && own.isBefore(step, one) && one.phase === step.phase,
  );
  return later.find((one) => {
    if (world.isImpossible(step.seen, one.seen)) return false;
    const [twins, places] = [other.withEffectOf(one), other.withEffectOf(step)];
    return !twins.some(
      (twin) => isSame(twin, one) && places.some((at) => isSame(at, step) && other.isBefore(at, twin)),
    );
  });
}

/** Whether one limit counts every request that reaches the other one and is counted by it. */
function countsAllOf(one: Counting, { step, version }: Counting, world: AnalysisContext): boolean {
  const more = [step.seen, not(one.step.seen)];
  return world.isImpossible(...more) || findReaching([[version, step]], more, world).kind === "unsat";
}

/** Whether one step matches every request that the other one matches. */
function seesAllOf(one: Step, step: Step, world: AnalysisContext): boolean {
  return world.isImpossible(step.seen, not(one.seen));
}
