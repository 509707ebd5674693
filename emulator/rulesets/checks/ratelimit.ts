import type { Body } from "../../call.js";
import { invalidValue, refuse } from "../../failure.js";
import { withoutStrings } from "../without-strings.js";
import type { Check } from "./check.js";
import { listsIn } from "./lists.js";
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
    restrictionFault(rule, context, at) ??
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
  const header = list.find((name) => name.startsWith("http.request.headers[") && name !== name.toLowerCase());
  if (header !== undefined)
    return invalidValue(header, "characteristics", "a header must be in lower case", { pointer });
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

const RESPONSE_FIELD = /\b(?:http|cf)\.response\./;

/** https://developers.cloudflare.com/waf/rate-limiting-rules/parameters/#configuration-restrictions */
const restrictionFault: Check = ({ expression, ratelimit }, { level }, at) => {
  const { counting_expression: counting, requests_to_origin: toOrigin } = ratelimit as Body;
  const [inFilter, inCounting] = [expression, counting ?? ""].map((text) =>
    listsIn(text).filter((name) => !name.startsWith("cf.")),
  );
  const pointer = `${at}/ratelimit`;
  if (level === "accounts" && inFilter?.[0] !== undefined)
    return invalidValue(expression, "expression", "it uses a list at the account level", {
      pointer: `${at}/expression`,
    });
  if (toOrigin === true && [...(inFilter ?? []), ...(inCounting ?? [])].length > 0)
    return invalidValue(true, "requests_to_origin", "the rule uses a list", {
      pointer: `${pointer}/requests_to_origin`,
    });
  if (inCounting?.[0] !== undefined && RESPONSE_FIELD.test(withoutStrings(counting)))
    return invalidValue(counting, "counting_expression", "it uses a list and fields of the response", {
      pointer: `${pointer}/counting_expression`,
    });
  return undefined;
};
