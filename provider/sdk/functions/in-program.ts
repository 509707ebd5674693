import * as pulumi from "@pulumi/pulumi";
import type { Client } from "../../../client/index.js";
import { Responses, WHOLE_RUN } from "../../engine/reads/responses.js";
import { isObject, stableText } from "../../../core/model/json.js";
import { ServiceMessages } from "../../../client/service-messages.js";
import { RulesetsError, messageOf } from "../../../core/model/errors.js";
import { foreignProvider } from "../resources/guards.js";
import { typeToken } from "../resources/prepare.js";
import { settingsOf, type ProviderSettings } from "../resources/provider.js";
import { readNames } from "../resources/read-names.js";
import { checkStackSettings, stackSetting } from "../resources/stack-settings.js";
import { longWaits } from "../../long-waits.js";
import { credentialsNote, readSettings, type ConfigReader, type Settings } from "../../settings.js";
import { late } from "../../../core/model/late.js";
import { checkKnownName, failure } from "../../../core/model/failure.js";
import { requireValid } from "./arguments.js";

/** Which look-up a program calls, and with whose settings: those of a provider, or else of the stack. */
export interface CalledLookup {
  readonly functionName: string;
  readonly provider: ProviderSettings | undefined;
}

/** By settings: with the Automation API, programs of several stacks run in one process. Providers may have equal ones. */
const clients = new Map<string, Client>();

/** A client with the configuration of the stack or of the provider, and the environment. Equal settings share a rate limit. */
export async function clientOf(via: CalledLookup): Promise<Client> {
  const config = await configOf(via);
  try {
    const settings = readSettings(config, process.env);
    if (settings.credentials === undefined && via.provider !== undefined)
      throw new RulesetsError(
        "it has no credentials, and does not use those of the stack. Give it apiToken, or email and apiKey.",
        {
          code: "CONFIG_CREDENTIALS_MISSING",
        },
      );
    const key = stableText(settings);
    const known = clients.get(key) ?? connect(settings);
    clients.set(key, known);
    if (via.provider !== undefined) reportCredentials(via.provider, settings);
    return known;
  } catch (error) {
    if (via.provider === undefined || !(error instanceof RulesetsError)) throw error;
    throw new RulesetsError(`${providerWords(via.provider)}: ${error.message}`, { code: error.code });
  }
}

async function configOf({ functionName, provider }: CalledLookup): Promise<ConfigReader> {
  if (provider === undefined) {
    checkStackSettings();
    return stackSetting;
  }
  const who = providerWords(provider);
  const texts = await provider.read().catch((cause: unknown) => {
    const reason = messageOf(cause);
    throw new RulesetsError(`${functionName}: ${who} could not be created: ${reason}`, {
      code: "PROVIDER_UNAVAILABLE",
      cause,
    });
  });
  if (texts !== undefined) return (key) => texts[key];
  throw new RulesetsError(
    `${functionName}: the settings of ${who} are not known in this preview, because they depend on outputs of resources. ` +
      `To continue: use ${functionName}Output, whose result is unknown until then.`,
    { code: "PROVIDER_UNAVAILABLE" },
  );
}

/** Providers whose credentials were reported. */
const reported = new WeakSet<ProviderSettings>();

function reportCredentials(provider: ProviderSettings, settings: Settings): void {
  const note = reported.has(provider) ? undefined : credentialsNote(settings);
  if (note === undefined) return;
  reported.add(provider);
  void pulumi.log[note.channel](`lookups with ${providerWords(provider)}: ${note.text}`);
}

function providerWords({ name }: ProviderSettings): string {
  return `the provider ${JSON.stringify(name)}`;
}

/** Loaded on demand, so that programs that call no function do not wait for it. */
const loadConnect = late<typeof import("../../connect.js")>(() => require("../../connect.js"));

function connect(settings: Settings): Client {
  const messages = new ServiceMessages((_, text) => void pulumi.log.warn(text));
  const onMessage = (message: string): void => {
    messages.report(undefined, message);
  };
  const onWait = longWaits((text) => void pulumi.log.info(`a lookup waits ${text}`));
  return loadConnect().connect(settings, { onMessage, onWait, names: readNames });
}

/** Results by the provider or, for lookups without one, by the connection of the run to its engine. */
const resultsOf = new WeakMap<object, Responses<unknown>>();

/** What this run has read; undefined without an engine. */
export function resultsOfRun({ provider }: CalledLookup): Responses<unknown> | undefined {
  const run = pulumi.runtime.getMonitor() as object | undefined;
  if (run === undefined) return undefined;
  const owner = provider ?? run;
  const results = resultsOf.get(owner) ?? new Responses<unknown>(WHOLE_RUN);
  resultsOf.set(owner, results);
  return results;
}

const OPTIONS: Readonly<Record<keyof pulumi.InvokeOptions, true>> = {
  provider: true,
  parent: true,
  version: true,
  pluginDownloadURL: true,
  async: true,
};

/** The provider that a program's lookup uses; undefined for the settings of the stack. Throws for other options. */
export function providerOf(functionName: string, opts: pulumi.InvokeOptions): ProviderSettings | undefined {
  requireValid(functionName, checkOptions(functionName, opts));
  const provider = opts.provider ?? opts.parent?.getProvider(typeToken("Ruleset"));
  if ((provider as unknown) === undefined || (provider as unknown) === null) return undefined;
  const settings = settingsOf(provider);
  if (settings === undefined) throw foreignProvider(functionName, provider);
  return settings;
}

function checkOptions(functionName: string, opts: unknown): ReturnType<typeof failure> {
  if (!isObject(opts) || pulumi.Resource.isInstance(opts) || pulumi.Output.isInstance(opts))
    return failure([], "its options must be an object such as { provider }");
  const { parent } = opts;
  return [
    ...Object.keys(opts).map((name) =>
      checkKnownName([name], `${functionName} has no option`, name, Object.keys(OPTIONS)),
    ),
    parent === undefined || parent === null || pulumi.Resource.isInstance(parent)
      ? []
      : failure(["parent"], "must be a resource"),
  ].flat();
}
