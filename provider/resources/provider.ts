import * as pulumi from "@pulumi/pulumi";
import type { OnConflict } from "../model/options.js";
import { nearest } from "../validation/failure.js";
import { guardArguments, invalid } from "./arguments.js";
import { PACKAGE } from "./prepare.js";

/** Arguments of {@link Provider}: credentials and settings of one account. */
export interface ProviderArgs {
  /** A token; excludes `email` and `apiKey`. */
  readonly apiToken?: pulumi.Input<string | undefined>;
  /** E-mail address of the account, with `apiKey`. */
  readonly email?: pulumi.Input<string | undefined>;
  readonly apiKey?: pulumi.Input<string | undefined>;
  /** With `/client/v4`. @default the real service's */
  readonly baseUrl?: pulumi.Input<string | undefined>;
  /** For one attempt of a request. @default 60 */
  readonly timeoutSeconds?: pulumi.Input<number | undefined>;
  /** Attempts after the first. @default 4 */
  readonly maxRetries?: pulumi.Input<number | undefined>;
  /** Sustained pace. @default just under 1200 requests in five minutes */
  readonly requestsPerSecond?: pulumi.Input<number | undefined>;
  /** What to do about other people's changes where a resource does not say. @default "fail" */
  readonly onConflict?: pulumi.Input<OnConflict | undefined>;
  /** Share of its rules, in percent, that one run may take away from a ruleset. @default any */
  readonly maxRemovedPercent?: pulumi.Input<number | undefined>;
  /** Whether a preview asks the service: when it can, always, or never. @default "auto" */
  readonly previewChecks?: pulumi.Input<"auto" | "require" | "off" | undefined>;
  /** Whether a preview warns about rules that can never run, twins and the like. @default "on" */
  readonly ruleAnalysis?: pulumi.Input<"on" | "off" | undefined>;
  /**
   * Whether a preview has the service rehearse what it would send (`dry_run`), and stops at what the service refuses
   * (`on`) or warns of it (`warn`). The token must be one that may write. @default "off"
   */
  readonly dryRun?: pulumi.Input<"on" | "warn" | "off" | undefined>;
}

const CREDENTIALS = ["apiToken", "email", "apiKey"] as const;
const SECRET = new Set<keyof ProviderArgs>(["apiToken", "apiKey"]);
/** Settings that a provider inherits from the stack configuration. Credentials never do: they stay of one piece. */
const INHERITED = [
  "baseUrl",
  "timeoutSeconds",
  "maxRetries",
  "requestsPerSecond",
  "onConflict",
  "maxRemovedPercent",
  "previewChecks",
  "ruleAnalysis",
  "dryRun",
] as const;

/**
 * Credentials and settings for some of a program's resources, as `opts.provider`. Each provider runs in a process of
 * its own.
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
    const inherited = Object.fromEntries(INHERITED.map((key) => [key, stack.get(key)]));
    const props = Object.fromEntries(
      Object.entries({ ...inherited, ...args }).map(([key, value]) => {
        const text = pulumi
          .all([value as pulumi.Input<string | number | undefined>])
          .apply(([known]) => (known === undefined ? undefined : String(known)));
        return [`rulesets:${key}`, SECRET.has(key as keyof ProviderArgs) ? pulumi.secret(text) : text];
      }),
    );
    super(PACKAGE, name, props, opts);
  }
}

const NAMES: readonly string[] = [...CREDENTIALS, ...INHERITED];

/** A misspelt setting would count for nothing, and the stack's own would count in its place. */
function checkNames(name: string, args: object): void {
  for (const key of Object.keys(args)) {
    if (NAMES.includes(key)) continue;
    const near = nearest(key, NAMES);
    const hint = near === undefined ? `it takes ${NAMES.join(", ")}` : `did you mean ${near}?`;
    throw invalid(`Provider ${name} takes no ${key}; ${hint}`);
  }
}
