// Generated from core/model/settings.ts by `npm run generate`. Edit it instead.

import type * as pulumi from "@pulumi/pulumi";

/** Arguments of `Provider`: credentials and settings of one account. */
export interface ProviderArgs {
  /** A token; excludes `email` and `apiKey`. */
  readonly apiToken?: pulumi.Input<string | undefined>;
  /** E-mail address of the account, with `apiKey`. */
  readonly email?: pulumi.Input<string | undefined>;
  /** The global API key of the account, with `email`. */
  readonly apiKey?: pulumi.Input<string | undefined>;
  /** Address of the API, including `/client/v4`. @default the real service's */
  readonly baseUrl?: pulumi.Input<string | undefined>;
  /** Timeout of one attempt of a request, in seconds. @default 60 */
  readonly timeoutSeconds?: pulumi.Input<number | undefined>;
  /** Attempts after the first one. @default 4 */
  readonly maxRetries?: pulumi.Input<number | undefined>;
  /** Most requests per second, on average. @default the service's limit; if it reports none, 1200 in five minutes */
  readonly requestsPerSecond?: pulumi.Input<number | undefined>;
  /** Where previews look up CAA records, such as `127.0.0.1:5353`. @default the machine's own DNS server */
  readonly dnsServer?: pulumi.Input<string | undefined>;
  /** What to do about changes made outside the stack, unless a resource overrides it. @default "fail" */
  readonly onConflict?: pulumi.Input<"fail" | "overwrite" | undefined>;
  /** Percentage of its rules that one run may remove from a ruleset. @default no limit */
  readonly maxRemovedPercent?: pulumi.Input<number | undefined>;
  /** Whether previews query the service: if they can, always, or never. @default "auto" */
  readonly previewChecks?: pulumi.Input<"auto" | "require" | "off" | undefined>;
  /** Whether previews show how rules interact, such as rules that never run. @default "on" */
  readonly ruleAnalysis?: pulumi.Input<"on" | "off" | undefined>;
  /**
   * Whether previews send their writes as dry runs (`dry_run`), and fail (`on`) or warn (`warn`) if the service rejects
   * one. The token needs write permission.
   * @default "off"
   */
  readonly dryRun?: pulumi.Input<"on" | "warn" | "off" | undefined>;
  /** How many days before a rule expires previews start to warn. @default 7 */
  readonly expiryWarningDays?: pulumi.Input<number | undefined>;
}
