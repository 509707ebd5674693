import type { Body } from "../../call.js";
import { invalidValue, refuse } from "../../failure.js";
import type { Check } from "./check.js";
import { PERIODS, ratelimitPlanFault } from "./ratelimit-plan.js";

const PHASE = "http_ratelimit";

/** Required parts of a rate limit, and where it is allowed. */
export const ratelimitFault: Check = (rule, context, at) => {
  const pointer = `${at}/ratelimit`;
  const ratelimit = rule.ratelimit as Body | undefined;
  if (context.phase !== PHASE)
    return ratelimit === undefined
      ? undefined
      : refuse(400, undefined, `ratelimit is not allowed in the phase ${context.phase}`, pointer);
  if (rule.action === "execute") return undefined;
  if (ratelimit === undefined) return refuse(400, undefined, "ratelimit is required", pointer);
  const { period, mitigation_timeout: timeout } = ratelimit;
  if (!PERIODS.includes(Number(period)))
    return invalidValue(period, "period", `it must be one of ${PERIODS.join(", ")}`, { pointer: `${pointer}/period` });
  if (typeof timeout === "number" && timeout < 0)
    return invalidValue(timeout, "mitigation_timeout", "it must be 0 or more", {
      pointer: `${pointer}/mitigation_timeout`,
    });
  return (
    characteristicsFault(ratelimit, pointer) ??
    countingFault(ratelimit, pointer) ??
    ratelimitPlanFault(rule, context, at)
  );
};

function characteristicsFault({ characteristics }: Body, at: string) {
  const list = characteristics as readonly string[];
  const pointer = `${at}/characteristics`;
  if (!list.includes("cf.colo.id"))
    return refuse(
      400,
      20155,
      "characteristics field is missing 'cf.colo.id', this is required as ratelimiting counting is processed at colocation level only",
      pointer,
    );
  if (list.includes("ip.src") && list.includes("cf.unique_visitor_id"))
    return invalidValue(list, "characteristics", "ip.src and cf.unique_visitor_id are mutually exclusive", { pointer });
  return undefined;
}

/** What is counted: requests, or a score from the origin. */
function countingFault(ratelimit: Body, at: string) {
  const { requests_per_period: requests, score_per_period: score } = ratelimit;
  if (requests === undefined && score === undefined)
    return refuse(400, undefined, "requests_per_period is required", `${at}/requests_per_period`);
  if (score !== undefined && ratelimit.score_response_header_name === undefined)
    return refuse(400, undefined, "score_response_header_name is required", `${at}/score_response_header_name`);
  return undefined;
}
