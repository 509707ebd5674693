import plans from "../../schema/plans.json";
import type { JsonObject } from "../model/json.js";
import { REF_PREFIX, type Conversion, type NewRule, type Note } from "./new-rules.js";
import { unprotectedBy } from "./page-rules.js";
import type { OldRules, RateLimit } from "./old-rules.js";
import { allOf, conditionOf, quoted } from "./pattern.js";

const RATE_LIMITS = "http_ratelimit";

/** https://developers.cloudflare.com/waf/reference/legacy/old-rate-limiting/ and …/upgrade/ */
const DIFFERENCES =
  "the previous version left out known search engines and counted IPv6 clients by /64; that counters agree is not compared";

/** The values that plans have, the least first: https://developers.cloudflare.com/waf/rate-limiting-rules/#availability */
const PERIODS = [10, 60, 120, 300, 600, 3600];
const TIMEOUTS = [10, 60, 120, 300, 600, 3600, 86_400];

/** Converts previous rate limits. Their periods become the nearest that the plan has, as in the vendor's own upgrade. */
export function convertRateLimits(old: OldRules, plan: string | undefined): Pick<Conversion, "rules" | "notes"> {
  const notes: Note[] = [];
  const rank = plans.plans.indexOf(plan ?? "enterprise");
  const off = unprotectedBy(old.pageRules, plan).map((reach) => `not ${reach}`);
  const nearest = (limit: RateLimit, name: string, value: number, possible: readonly number[]): number => {
    const found = plan === undefined || plan === "enterprise" || value === 0 ? value : nearestOf(value, possible);
    const text = `its ${name} of ${String(value)} s becomes ${String(found)} s, the nearest that the plan has`;
    if (found !== value) notes.push({ rule: limit, text, kind: "lacks" });
    return found;
  };
  const most = (values: readonly number[], limit: number | null | undefined): readonly number[] =>
    values.filter((one) => one <= (limit ?? Infinity));
  const rules = old.rateLimits.map((limit): NewRule => {
    notes.push({ rule: limit, text: DIFFERENCES, kind: "lacks" });
    const methods = limit.methods?.map(quoted).join(" ");
    const match = [
      conditionOf(limit.pattern),
      ...(methods === undefined ? [] : [`http.request.method in {${methods}}`]),
      ...limit.bypass.map((one) => `not ${conditionOf(one)}`),
      ...off,
    ];
    const expression = match.join(" and ");
    const period = nearest(limit, "period", limit.period, most(PERIODS, plans.ratelimit.period[rank]));
    const mitigationTimeout = nearest(
      limit,
      "timeout",
      limit.timeout,
      most(TIMEOUTS, plans.ratelimit.mitigationTimeout[rank]),
    );
    const { response, statuses, mode } = limit;
    const ratelimit: JsonObject = {
      characteristics: ["cf.colo.id", limit.isByNat ? "cf.unique_visitor_id" : "ip.src"],
      period,
      requestsPerPeriod: limit.threshold,
      mitigationTimeout: mode === "block" || mode === "log" ? mitigationTimeout : 0,
      ...(limit.countsCached ? {} : { requestsToOrigin: true }),
      ...(statuses.length === 0
        ? {}
        : { countingExpression: allOf([...match, `http.response.code in {${statuses.join(" ")}}`]) }),
    };
    const content = { statusCode: 429, contentType: response?.contentType ?? "", content: response?.content ?? "" };
    return {
      phase: RATE_LIMITS,
      ref: `${REF_PREFIX}rate-limit-${limit.id.slice(0, 12)}`,
      description: `From the previous rate limit ${limit.pattern.text}`,
      action: mode,
      expression,
      ...(mode === "block" && response !== undefined ? { actionParameters: { response: content } } : {}),
      ratelimit,
      from: [limit.id],
    };
  });
  return { rules, notes };
}

function nearestOf(value: number, possible: readonly number[]): number {
  const closer = (best: number, one: number): number => (Math.abs(one - value) < Math.abs(best - value) ? one : best);
  return possible.reduce(closer, possible[0] ?? value);
}
