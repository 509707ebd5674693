import type { RulesetInput } from "../../../../core/simulator/index.js";

const PHASE = "http_ratelimit";

/** Whether rules count requests, which depends on their order. */
export function hasRateLimits(rulesets: readonly RulesetInput[]): boolean {
  return rulesets.some(({ phase, rules }) => phase === PHASE && rules.length > 0);
}

export function withoutRateLimits(rulesets: readonly RulesetInput[]): readonly RulesetInput[] {
  return rulesets.filter(({ phase }) => phase !== PHASE);
}
