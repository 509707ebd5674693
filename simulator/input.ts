import type { HttpRequest, RequestInput } from "../language/index.js";
import type { Limits } from "./limits.js";
import type { Program } from "./program.js";

/** A rule as a program writes it (camelCase) or as the API answers it (snake_case). */
export interface RuleInput {
  readonly ref?: string;
  readonly id?: string;
  readonly description?: string;
  readonly action: string;
  /** Rules of managed rulesets come without. Whether such a rule matches is not known. */
  readonly expression?: string;
  /** @default true */
  readonly enabled?: boolean;
  readonly actionParameters?: object;
  readonly action_parameters?: object;
  readonly ratelimit?: object;
  readonly exposedCredentialCheck?: object;
  readonly exposed_credential_check?: object;
}

export interface RulesetInput {
  /** What `execute` and `skip` name it by. */
  readonly id?: string;
  readonly name?: string;
  /** `root` is the entry point of an account, `zone` that of a zone. @default "root" with an account ID, else "zone" */
  readonly kind?: string;
  readonly phase: string;
  readonly zoneId?: string;
  readonly accountId?: string;
  readonly rules: readonly RuleInput[];
}

/** What is known of the zone that the request comes to. */
export interface ZoneInput {
  /** Picks the entry points of one zone, and leaves out those of others. */
  readonly id?: string;
  /** `cf.zone.name` */
  readonly name?: string;
  /** `cf.zone.plan` */
  readonly plan?: "free" | "pro" | "business" | "enterprise";
}

/** What the origin answers. Without it, response phases are not run. */
export interface OriginResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SimulateInput {
  readonly zone?: string | ZoneInput;
  /** The rulesets: entry points of the account and the zone, and custom rulesets. */
  readonly rulesets?: readonly RulesetInput[];
  /** The rulesets, compiled once for many requests. */
  readonly program?: Program | { readonly program: Program };
  readonly request: HttpRequest | RequestInput;
  readonly response?: OriginResponse;
  /** The time in milliseconds since 1970. @default the request's timestamp, or 0 */
  readonly clock?: number | (() => number);
  /** The counters that the call before answered. @default none */
  readonly limits?: Limits;
}
