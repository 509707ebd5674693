export type Plan = "free" | "pro" | "business" | "enterprise";
export const PLANS = ["free", "pro", "business", "enterprise"] as const;

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly account: Account;
  /** @default "active" */
  readonly status?: "active" | "pending";
  /** @default "full" */
  readonly type?: string;
  /** @default false */
  readonly paused?: boolean;
  readonly vanityNameServers?: readonly string[];
  /** RFC 3339. */
  readonly createdOn?: string;
  readonly modifiedOn?: string;
}

/** The highest plan of an account's zones, which decides what the account includes; without zones, the lowest. */
export function planOf(accountId: string, zones: readonly Zone[]): Plan {
  const plans = new Set(zones.filter(({ account }) => account.id === accountId).map(({ plan }) => plan));
  return PLANS.findLast((plan) => plans.has(plan)) ?? "free";
}
