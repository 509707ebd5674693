/** Where an expression stands. `counting` is a rate limit's counting expression: a filter that sees the response. */
export type Slot = "filter" | "counting" | "value";

/** What a value expression has to be. */
export type WantedType = "String" | "Array<String>" | "Integer" | "Boolean";

export type Plan = "free" | "pro" | "business" | "enterprise";

/** What a list holds. Hostname lists fit texts, ASN lists integers. */
export type ListKind = "ip" | "hostname" | "asn";

/** What is known about the place of an expression. What is left out is not checked. */
export interface CheckOptions {
  /** @default "filter" */
  readonly slot?: Slot;
  /** For a value: the type that the parameter takes. Without it, everything but a String gets a warning. */
  readonly type?: WantedType;
  readonly phase?: string;
  readonly plan?: Plan;
  /** The lists of the account, by name without `$`; managed lists (`cf.…`) need not be among them. */
  readonly lists?: Readonly<Record<string, ListKind>>;
  /**
   * Refuse what the catalogue, the phase, the plan or the lists do not know, as a server does that knows all. Otherwise
   * that warns, since the service grows.
   * @default false
   */
  readonly strict?: boolean;
}
