import {
  checkExpression,
  isError,
  PLANS,
  type CheckOptions,
  type LocatedFinding,
  type Plan,
} from "../language/index.js";

/** How the filter of an invariant is read: whatever rules of the firewall can read is about a request; responses are not. */
export const REQUESTS = {
  slot: "filter",
  strict: true,
  phase: "http_request_firewall_custom",
} as const satisfies CheckOptions;

/** What is wrong with the filter of an invariant that is about zones with some plans; on any plan, if there are none. */
export function requestFaults(text: string, plans: Iterable<Plan> = []): readonly LocatedFinding[] {
  const plan = lowestOf(plans);
  return checkExpression(text, plan === undefined ? REQUESTS : { ...REQUESTS, plan }).filter(isError);
}

/** The plan that includes the least. */
export function lowestOf(plans: Iterable<Plan>): Plan | undefined {
  const given = new Set(plans);
  return PLANS.find((plan) => given.has(plan));
}
