import { readNumber, readProperty } from "../../simulator/read-property.js";
import { joinOrders, orderOf, type Order } from "./order.js";

/** What decides which requests a rate limit counts together. */
const COUNTED = ["characteristics", "countingExpression", "requestsToOrigin", "scoreResponseHeaderName"] as const;

/**
 * How two rate limits compare that see the same requests. A client that exceeds one also exceeds another one that counts the same
 * way and allows no more, in no shorter a period. `mixed` if they count differently.
 */
export function orderOfLimits(before: object, after: object): Order {
  if (countingKey(before) !== countingKey(after)) return "mixed";
  const numbers = (name: string): readonly [number, number] | undefined => {
    const [was, is] = [readNumber(before, name), readNumber(after, name)];
    return was === undefined && is === undefined ? undefined : [was ?? 0, is ?? 0];
  };
  const more = (name: string): Order => orderOf(...(numbers(name) ?? [0, 0]));
  const fewer = (name: string): Order => orderOf(...(reversed(numbers(name)) ?? [0, 0]));
  return joinOrders([fewer("requestsPerPeriod"), fewer("scorePerPeriod"), more("period"), more("mitigationTimeout")]);
}

/** Equal for rate limits that count the same requests together. */
function countingKey(ratelimit: object): string {
  return JSON.stringify(COUNTED.map((name) => readProperty(ratelimit, name) ?? null));
}

function reversed(pair: readonly [number, number] | undefined): readonly [number, number] | undefined {
  return pair === undefined ? undefined : [pair[1], pair[0]];
}
