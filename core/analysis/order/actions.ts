import { orderOf, type Order } from "./order.js";

/**
 * How firmly an action keeps a request from the origin. `log` and `score` let it through, `execute` runs rules that may stop it;
 * an action that is not listed stops nothing.
 */
const FIRMNESS: Readonly<Record<string, number>> = {
  log: 1,
  score: 2,
  js_challenge: 3,
  managed_challenge: 4,
  challenge: 5,
  execute: 6,
  block: 7,
  force_connection_close: 7,
};

const FIRMNESS_OF_A_CHALLENGE = 3;

/** The firmness of an action, from 0 (stops nothing) to 7 (blocks). */
export function firmnessOf(action: string | undefined): number {
  return action !== undefined && Object.hasOwn(FIRMNESS, action) ? (FIRMNESS[action] ?? 0) : 0;
}

/** Whether a rule with the action itself keeps requests from the origin, or challenges them. */
export function stopsRequests(action: string): boolean {
  return action !== "execute" && firmnessOf(action) >= FIRMNESS_OF_A_CHALLENGE;
}

/** How two actions compare. */
export function orderOfActions(before: string, after: string): Order {
  return orderOf(firmnessOf(before), firmnessOf(after));
}
