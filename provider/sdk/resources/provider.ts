import * as pulumi from "@pulumi/pulumi";
import { ownValue } from "../../../core/model/json.js";
import { type Setting, SETTING_NAMES, SETTINGS } from "../../../core/model/settings.js";
import { unknownSetting } from "../../settings.js";
import { guardArguments, invalid } from "./arguments.js";
import type { ProviderArgs } from "./generated/provider-args.js";
import { PACKAGE } from "./prepare.js";
import { isKnown, promiseOf } from "./promise-of.js";
import { checkStackSettings, stackSetting } from "./stack-settings.js";

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

/** The key of the settings, equal in all copies of this package, of which a program and its libraries may have several. */
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
    const all: Readonly<Record<string, Setting>> = SETTINGS;
    // Credentials are not inherited from the stack configuration, so that two sets are never mixed.
    const names = SETTING_NAMES.filter((key) => all[key]?.credential !== true);
    const inherited = Object.fromEntries(names.map((key) => [key, stackSetting(`rulesets:${key}`)]));
    const props = Object.fromEntries(
      Object.entries({ ...inherited, ...args }).map(([key, value]) => {
        const text = pulumi
          .all([value as pulumi.Input<string | number | boolean | undefined>])
          .apply(([known]) => (known === undefined ? undefined : String(known)));
        return [`rulesets:${key}`, ownValue(all, key)?.secret === true ? pulumi.secret(text) : text];
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
