import { joined } from "../../language/print/combine.js";

/** One range for all shares: a larger one then contains every smaller one. */
export const SHARE_RANGE = { low: 0, high: 100 } as const;

/** The condition that draws a share of the requests. */
export function shareCondition(percent: number): string {
  const { low, high } = SHARE_RANGE;
  return `hash_in_range(${String(low)}, ${String(high)}, cf.random_seed) lt ${String(percent)}`;
}

/** The condition that a first or a last moment adds, in seconds since 1970. */
export function windowCondition(field: "from" | "until", seconds: number): string {
  return `http.request.timestamp.sec ${field === "from" ? "ge" : "lt"} ${String(seconds)}`;
}

/** An expression that also requires a condition. */
export function withCondition(expression: string, condition: string): string {
  const text = expression.trim();
  return text === "true" ? condition : joined("and", [text, condition]);
}
