import * as pulumi from "@pulumi/pulumi";
import { ownValue } from "../model/json.js";
import type { OnConflict } from "../model/options.js";
import { findNearest } from "../validation/failure.js";
import { guardArguments, invalid } from "./arguments.js";
import { PACKAGE } from "./prepare.js";

/** Arguments of {@link Provider}: credentials and settings of one account. */
export interface ProviderArgs {
  /** A token; excludes `email` and `apiKey`. */
  readonly apiToken?: pulumi.Input<string | undefined>;
  /** E-mail address of the account, with `apiKey`. */
  readonly email?: pulumi.Input<string | undefined>;
  readonly apiKey?: pulumi.Input<string | undefined>;
  /** Including `/client/v4`. @default the real service's */
  readonly baseUrl?: pulumi.Input<string | undefined>;
  /** Timeout of one attempt of a request. @default 60 */
  readonly timeoutSeconds?: pulumi.Input<number | undefined>;
  /** Attempts after the first. @default 4 */
  readonly maxRetries?: pulumi.Input<number | undefined>;
  /** Maximum average of requests per second. @default the service's limit; if it reports none, 1200 in five minutes */
  readonly requestsPerSecond?: pulumi.Input<number | undefined>;
  /** Where previews look up CAA records, such as `127.0.0.1:5353`. @default the machine's own DNS server */
  readonly dnsServer?: pulumi.Input<string | undefined>;
  /** What to do about changes made outside the stack, unless a resource overrides it. @default "fail" */
  readonly onConflict?: pulumi.Input<OnConflict | undefined>;
  /** Percentage of its rules that one run may remove from a ruleset. @default 100 */
  readonly maxRemovedPercent?: pulumi.Input<number | undefined>;
  /** Whether a preview makes requests: when it can, always, or never. @default "auto" */
  readonly previewChecks?: pulumi.Input<"auto" | "require" | "off" | undefined>;
  /** Whether a preview warns about rules that can never run, duplicates and similar mistakes. @default "on" */
  readonly ruleAnalysis?: pulumi.Input<"on" | "off" | undefined>;
  /**
   * Whether a preview sends its writes as dry runs (`dry_run`), and then fails (`on`) or warns (`warn`) if the service
   * rejects one. The token must have write permission. @default "off"
   */
  readonly dryRun?: pulumi.Input<"on" | "warn" | "off" | undefined>;
}

/**
 * Where a setting comes from unless the program gives it: some are inherited from the stack configuration. Credentials are
 * not, so that two sets are never mixed.
 */
const SETTINGS: Readonly<Record<keyof ProviderArgs, "inherited" | "credential" | "secret credential">> = {
  apiToken: "secret credential",
  email: "credential",
  apiKey: "secret credential",
  baseUrl: "inherited",
  timeoutSeconds: "inherited",
  maxRetries: "inherited",
  requestsPerSecond: "inherited",
  dnsServer: "inherited",
  onConflict: "inherited",
  maxRemovedPercent: "inherited",
  previewChecks: "inherited",
  ruleAnalysis: "inherited",
  dryRun: "inherited",
};
/** The names of the arguments, which are those of the settings in the stack configuration. */
export const SETTING_NAMES: readonly string[] = Object.keys(SETTINGS);

/**
 * Credentials and settings for some of a program's resources, as `opts.provider`. Each provider runs in a separate process.
 *
 * @example
 * ```ts
 * const other = new Provider("other", { apiToken: config.requireSecret("otherToken") });
 * new PhaseEntrypoint("waf", { zoneId, phase: "http_ratelimit", rules: [] }, { provider: other });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts: pulumi.ResourceOptions = {}) {
    guardArguments("Provider", name, args);
    checkNames(name, args);
    const stack = new pulumi.Config("rulesets");
    const names = SETTING_NAMES.filter((key) => ownValue(SETTINGS, key) === "inherited");
    const inherited = Object.fromEntries(names.map((key) => [key, stack.get(key)]));
    const props = Object.fromEntries(
      Object.entries({ ...inherited, ...args }).map(([key, value]) => {
        const text = pulumi
          .all([value as pulumi.Input<string | number | undefined>])
          .apply(([known]) => (known === undefined ? undefined : String(known)));
        return [`rulesets:${key}`, ownValue(SETTINGS, key) === "secret credential" ? pulumi.secret(text) : text];
      }),
    );
    super(PACKAGE, name, props, opts);
  }
}

/** Refuses unknown settings: a misspelled one would have no effect, and the stack's would be used instead. */
function checkNames(name: string, args: object): void {
  for (const key of Object.keys(args)) {
    if (SETTING_NAMES.includes(key)) continue;
    const near = findNearest(key, SETTING_NAMES);
    const hint = near === undefined ? `its arguments are ${SETTING_NAMES.join(", ")}` : `did you mean ${near}?`;
    throw invalid(`Provider ${name} has no argument ${key}; ${hint}`);
  }
}
