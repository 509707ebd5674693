import { readNumber } from "../../simulator/read-property.js";
import type { AnalysisContext } from "../analysis-context.js";
import { not } from "../formula/formula.js";
import { firmnessOf } from "../order/actions.js";
import { isAtLeastAsStrict } from "../order/order.js";
import { orderOfLimits } from "../order/rate-limits.js";
import type { Step } from "../program/steps.js";

/** Requests at certain times, in milliseconds from the first one. */
export interface Schedule {
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
 * only a limit with that period; and a pause after a burst shows which limit stops its clients for longer.
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
  return { repeats, schedules: [...spread, ...afterPause].slice(0, MOST_SCHEDULES) };
}

/**
 * Finds for each changed rate limit one in the other version that sees the same requests and is at least as strict, so that a
 * client which exceeds the one exceeds the other. Each is used once: two limits do not count for one.
 */
export function findStricterLimits(
  limits: readonly Step[],
  others: readonly Step[],
  world: AnalysisContext,
): ReadonlyMap<Step, Step> {
  const free = new Set(others);
  const found = new Map<Step, Step>();
  for (const step of limits) {
    const other = Array.from(free).find((one) => isAtLeastAsStrictAs(one, step) && seesAllOf(one, step, world));
    if (other === undefined) continue;
    free.delete(other);
    found.set(step, other);
  }
  return found;
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

/** Whether every request that one step counts is counted by the other one. */
function seesAllOf(one: Step, step: Step, world: AnalysisContext): boolean {
  return world.isImpossible(step.seen, not(one.seen));
}
