export type Plan = "free" | "pro" | "business" | "enterprise";

export interface Account {
  readonly id: string;
  readonly name: string;
}

export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly account: Account;
}
