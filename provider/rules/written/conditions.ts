import { joined } from "../../../language/print/combine.js";
import type { Stage } from "../../model/rollout.js";

/** One range for all shares: a larger one then contains every smaller one. */
export const SHARE_RANGE = { low: 0, high: 100 } as const;

/** The condition that a stage adds; undefined for one that adds none. */
export function stageCondition(stage: Stage | undefined): string | undefined {
  if (stage?.kind !== "share") return undefined;
  const { low, high } = SHARE_RANGE;
  return `hash_in_range(${String(low)}, ${String(high)}, cf.random_seed) lt ${String(stage.percent)}`;
}

/** The conditions that a first and a last moment add, in seconds since 1970. */
export function windowConditions({ from, until }: { readonly from?: number; readonly until?: number }): string[] {
  return [
    ...(from === undefined ? [] : [`http.request.timestamp.sec ge ${String(from)}`]),
    ...(until === undefined ? [] : [`http.request.timestamp.sec lt ${String(until)}`]),
  ];
}

/** An expression that also requires some conditions. */
export function withConditions(expression: string, conditions: readonly string[]): string {
  if (conditions.length === 0) return expression;
  return joined("and", expression.trim() === "true" ? conditions : [expression.trim(), ...conditions]);
}
