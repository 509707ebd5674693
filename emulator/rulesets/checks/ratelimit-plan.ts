import type { Body } from "../../call.js";
import { refuse, shown, type ServiceError } from "../../failure.js";
import type { Plan } from "../../zones/model.js";
import { CHALLENGES } from "../phases.js";
import type { Check } from "./check.js";

/** Periods and timeouts in seconds. */
export const PERIODS = [
  10, 15, 20, 30, 40, 45, 60, 90, 120, 180, 240, 300, 480, 600, 900, 1200, 1800, 2400, 3600, 65_535, 86_400,
];
const ADVANCED = "an higher Advanced Rate Limiting plan is required";

/**
 * Limits for rate limits by plan: the longest period and timeout in seconds, the characteristics (all if missing), and whether
 * a counting expression is allowed.
 *
 * Source: https://developers.cloudflare.com/waf/rate-limiting-rules/#availability.
 */
interface Allowance {
  readonly period: number;
  /** Any number of seconds if missing. */
  readonly timeout?: number;
  readonly characteristics?: readonly string[];
  readonly countingExpression: boolean;
  readonly score: boolean;
}

const ALLOWED: Readonly<Record<Plan, Allowance>> = {
  free: { period: 10, timeout: 10, characteristics: ["ip.src"], countingExpression: false, score: false },
  pro: { period: 60, timeout: 3600, characteristics: ["ip.src"], countingExpression: false, score: false },
  business: {
    period: 600,
    timeout: 86_400,
    characteristics: ["ip.src", "cf.unique_visitor_id"],
    countingExpression: true,
    score: false,
  },
  enterprise: { period: 65_535, countingExpression: true, score: true },
};

/** Parts of a rate limit that the zone's plan does not include. */
export const ratelimitPlanFault: Check = ({ action, ratelimit }, { plan }, at) => {
  if (ratelimit === undefined || plan === undefined) return undefined;
  const allowed = ALLOWED[plan];
  const limit = ratelimit as Body;
  const pointer = `${at}/ratelimit`;
  return (
    periodFault(limit, allowed, pointer) ??
    timeoutFault(limit, allowed, { challenges: CHALLENGES.includes(String(action)), pointer }) ??
    characteristicsFault(limit, allowed, pointer) ??
    countingFault(limit, allowed, pointer)
  );
};

function periodFault({ period }: Body, allowed: Allowance, at: string): ServiceError | undefined {
  if (Number(period) <= allowed.period) return undefined;
  const among = upTo(allowed.period);
  const text = `not entitled to use the period ${String(period)}, can only use a period among ${among}`;
  return refuse(400, undefined, text, `${at}/period`);
}

/** Challenges require throttling (a timeout of 0), and other actions do not allow it. */
function timeoutFault(
  { mitigation_timeout: timeout }: Body,
  { timeout: longest }: Allowance,
  { challenges, pointer }: { readonly challenges: boolean; readonly pointer: string },
): ServiceError | undefined {
  if (longest === undefined || timeout === undefined) return undefined;
  const values = challenges ? [0] : PERIODS.filter((each) => each <= longest);
  if (values.includes(Number(timeout))) return undefined;
  const [only, ...others] = values;
  const text =
    others.length === 0
      ? `not entitled to use a mitigation timeout different from ${String(only)}`
      : `not entitled to use the mitigation timeout ${shown(timeout)}, can only use a mitigation timeout among ${upTo(longest)}`;
  return refuse(400, undefined, text, `${pointer}/mitigation_timeout`);
}

function characteristicsFault({ characteristics }: Body, allowed: Allowance, at: string): ServiceError | undefined {
  const { characteristics: known } = allowed;
  if (known === undefined) return undefined;
  const list = characteristics as readonly string[];
  const index = list.findIndex((each) => each !== "cf.colo.id" && !known.includes(each));
  if (index < 0) return undefined;
  const text = `not entitled: the use of the characteristic ${String(list[index])} is not allowed, ${ADVANCED}`;
  return refuse(400, undefined, text, `${at}/characteristics/${String(index)}`);
}

function countingFault(limit: Body, { countingExpression, score }: Allowance, at: string): ServiceError | undefined {
  // https://github.com/cloudflare/cloudflare-docs/pull/29407 on requests to the origin
  const counting = ["counting_expression", "requests_to_origin"];
  const lacking = [...(countingExpression ? [] : counting), ...(score ? [] : ["score_per_period"])];
  const field = lacking.find((name) => isSet(limit[name]));
  if (field === undefined) return undefined;
  return refuse(400, undefined, `not entitled: the use of ${field} is not allowed, ${ADVANCED}`, `${at}/${field}`);
}

/** An empty counting expression counts as missing, and so does a switch that is off. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== "" && value !== false;
}

function upTo(most: number): string {
  return `[${PERIODS.filter((each) => each <= most).join(" ")}]`;
}
