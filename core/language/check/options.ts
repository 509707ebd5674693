/** How an expression is used. `counting` is the counting expression of a rate limit: a filter with response fields. */
export type Slot = "filter" | "counting" | "value";

/**
 * The type that a parameter expects of its value expression. `Scalar`: a String, or an Integer, a Boolean or an IP address, which
 * the service writes as text. `Any`: what a rate limit counts by, also a condition.
 */
export type WantedType = "String" | "Scalar" | "Any" | "Array<String>" | "Integer" | "Boolean";

/** From the smallest to the largest. */
export const PLANS = ["free", "pro", "business", "enterprise"] as const;
export type Plan = (typeof PLANS)[number];

/** What a list contains: hostname lists are for String fields, ASN lists for Integer fields. */
export type ListKind = "ip" | "hostname" | "asn";

/** What is known about the use of an expression. Whatever is missing is not checked. */
export interface CheckOptions {
  /** @default "filter" */
  readonly slot?: Slot;
  /** The expected type of a value. Without it, any type except String causes a warning. */
  readonly type?: WantedType;
  readonly phase?: string;
  readonly plan?: Plan;
  /** The lists of the account, by name without `$`. Managed lists (`cf.…`) are always known. */
  readonly lists?: Readonly<Record<string, ListKind>>;
  /**
   * Report unknown names, and names that the plan or the lists do not allow, as errors. By default these are
   * warnings, because the service keeps adding fields and functions.
   * @default false
   */
  readonly strict?: boolean;
}
