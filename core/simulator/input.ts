import type { HttpRequest, RequestInput } from "../language/index.js";
import type { Limits } from "./limits.js";
import type { Program } from "./program.js";
import type { RedirectInput } from "./redirect-list.js";
import type { RulesetInput } from "./ruleset-input.js";
import type { UrlNormalization } from "./url-normalization.js";

/** What is known about the zone that receives the request. */
export interface ZoneInput {
  /** Selects the entry points of one zone. */
  readonly id?: string;
  /** `cf.zone.name` */
  readonly name?: string;
  /** `cf.zone.plan` */
  readonly plan?: "free" | "pro" | "business" | "enterprise";
  /** How the zone normalises URLs. @default as in a new zone: `{ type: "cloudflare", scope: "incoming" }` */
  readonly urlNormalization?: UrlNormalization;
}

/** The values of `cf.zone.plan`. */
export const PLAN_VALUES = { free: "FREE", pro: "PRO", business: "BIZ", enterprise: "ENT" } as const;

/** The origin's response. Without it, response phases are not run. */
export interface OriginResponse {
  readonly status: number;
  /** A list has the values of a header that was sent several times, such as `Set-Cookie`. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

export interface SimulateInput {
  readonly zone?: string | ZoneInput;
  /** The rulesets: entry points of the account and the zone, and custom rulesets. */
  readonly rulesets?: readonly RulesetInput[];
  /** The rulesets, compiled once for many requests. */
  readonly program?: Program | { readonly program: Program };
  readonly request: HttpRequest | RequestInput;
  readonly response?: OriginResponse;
  /** The redirects of lists, by list name. Any other list is unknown. */
  readonly redirectLists?: Readonly<Record<string, readonly RedirectInput[]>>;
  /** The time in milliseconds since 1970, also of a request without a timestamp. @default the request's timestamp, or 0 */
  readonly clock?: number | (() => number);
  /** Whether to keep the trace. Without it, `trace` and `matched` are empty, and a simulation takes a fraction of the time. @default true */
  readonly trace?: boolean;
  /** The counters returned by the previous call. @default none */
  readonly limits?: Limits;
}
