import * as pulumi from "@pulumi/pulumi";
import { ownValue } from "../model/json.js";
import type { OnConflict } from "../model/options.js";
import { SETTING_NAMES, type SettingName, unknownSetting } from "../settings.js";
import { guardArguments, invalid } from "./arguments.js";
import { PACKAGE } from "./prepare.js";
import { isKnown, promiseOf } from "./promise-of.js";
import { checkStackSettings, stackSetting } from "./stack-settings.js";

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
  /** Whether the next `up` removes rules whose `until` is over. @default false: previews only report them */
  readonly removeExpired?: pulumi.Input<boolean | undefined>;
  /** For how many days before the end of a rule previews warn about it. @default 7 */
  readonly expiryWarningDays?: pulumi.Input<number | undefined>;
  /**
   * Files of invariants, or folders with `*.invariants.yaml`, separated by commas and relative to the folder of the program: a
   * preview fails if a change violates one. @default none
   */
  readonly invariants?: pulumi.Input<string | undefined>;
  /** Whether a preview fails or warns if a change makes an invariant undecided. @default "fail" */
  readonly invariantsUnknown?: pulumi.Input<"fail" | "warn" | undefined>;
  /**
   * What a preview does if Cloudflare released other managed rules than `managed.lock.json` beside the program has: warn, fail
   * (`require`, also without the file), or nothing.
   * @default "warn"
   */
  readonly managedLock?: pulumi.Input<"warn" | "require" | "off" | undefined>;
  /**
   * A time such as `7d`: previews replay the requests that the analytics of a zone have of it through the rules that change, and
   * say how many would be treated differently. @default none are replayed
   */
  readonly replay?: pulumi.Input<string | undefined>;
}

/**
 * Where a setting comes from unless the program gives it: some are inherited from the stack configuration. Credentials are
 * not, so that two sets are never mixed.
 */
const SETTINGS: Readonly<Record<keyof ProviderArgs & SettingName, "inherited" | "credential" | "secret credential">> = {
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
  removeExpired: "inherited",
  expiryWarningDays: "inherited",
  invariants: "inherited",
  invariantsUnknown: "inherited",
  managedLock: "inherited",
  replay: "inherited",
};
/** A setting by its key, such as `rulesets:apiToken`. */
type Texts = Readonly<Record<string, string | undefined>>;

/** The settings of a provider, for lookups: these run in the program, and not in the process of the provider. */
export interface ProviderSettings {
  readonly name: string;
  /** Unknown as long as a setting is, in a preview. */
  readonly whenKnown: () => pulumi.Output<boolean>;
  /** Waits until the provider has been created. Undefined if a setting is not known, in a preview. */
  readonly read: () => Promise<Texts | undefined>;
}

/** The same in all copies of this package, of which a program and its libraries may have several. */
const SETTINGS_OF = Symbol.for("pulumi-rulesets.settings");

/** The settings of a {@link Provider}; undefined for anything else. */
export function settingsOf(provider: unknown): ProviderSettings | undefined {
  return pulumi.Resource.isInstance(provider)
    ? (provider as { readonly [SETTINGS_OF]?: ProviderSettings })[SETTINGS_OF]
    : undefined;
}

/**
 * Credentials and settings for some of a program's resources and lookups, as `opts.provider`. The resources of each provider
 * are handled in a separate process.
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
    checkStackSettings();
    const names = SETTING_NAMES.filter((key) => SETTINGS[key] === "inherited");
    const inherited = Object.fromEntries(names.map((key) => [key, stackSetting(`rulesets:${key}`)]));
    const props = Object.fromEntries(
      Object.entries({ ...inherited, ...args }).map(([key, value]) => {
        const text = pulumi
          .all([value as pulumi.Input<string | number | boolean | undefined>])
          .apply(([known]) => (known === undefined ? undefined : String(known)));
        return [`rulesets:${key}`, ownValue(SETTINGS, key) === "secret credential" ? pulumi.secret(text) : text];
      }),
    );
    super(PACKAGE, name, props, opts);
    // Made when a lookup needs them: an output that fails is reported even if nothing uses it.
    const texts = (): pulumi.Output<Texts> => pulumi.output(props);
    const settings: ProviderSettings = {
      name,
      whenKnown: () => pulumi.unsecret(texts()).apply(() => true),
      read: async () => {
        // Fails if the provider cannot be created.
        await promiseOf(this.urn);
        const known = texts();
        return (await isKnown(known)) ? promiseOf(known) : undefined;
      },
    };
    Object.defineProperty(this, SETTINGS_OF, { value: settings });
  }
}

/** Refuses unknown settings: a misspelled one would have no effect, and the stack's would be used instead. */
function checkNames(name: string, args: object): void {
  for (const key of Object.keys(args)) {
    const hint = unknownSetting(key, "its arguments are");
    if (hint !== undefined) throw invalid(`Provider ${name} has no argument ${key}; ${hint}`);
  }
}
