import { readProperty, readNumber } from "../../simulator/read-property.js";
import { not, or, type Formula } from "../formula/formula.js";
import type { Step } from "../program/steps.js";

/** A client over the higher of two limits that count the same is also over the lower one. */
export function limitOrder(steps: readonly Step[]): readonly Formula[] {
  const groups = new Map<string, { readonly most: number; readonly over: Formula }[]>();
  for (const { rule, over } of steps) {
    const most = readNumber(rule.ratelimit, "requestsPerPeriod");
    if (over === undefined || most === undefined) continue;
    const counted = ["characteristics", "period", "mitigationTimeout", "countingExpression", "requestsToOrigin"];
    const key = JSON.stringify([
      rule.place.expression,
      ...counted.map((name) => readProperty(rule.ratelimit, name) ?? null),
    ]);
    groups.set(key, [...(groups.get(key) ?? []), { most, over }]);
  }
  return Array.from(groups.values()).flatMap((group) => {
    const sorted = group.toSorted((a, b) => a.most - b.most);
    return sorted.slice(1).flatMap(({ most, over }, index) => {
      const lower = sorted[index];
      if (lower === undefined || lower.most === most) return [];
      return [or([not(over), lower.over])];
    });
  });
}

/** How many requests are needed to exceed every limit. */
export function repeatsFor(steps: readonly Step[]): number {
  return Math.max(0, ...steps.map(({ rule }) => readNumber(rule.ratelimit, "requestsPerPeriod") ?? 0));
}
