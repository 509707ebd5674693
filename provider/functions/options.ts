import * as pulumi from "@pulumi/pulumi";
import type { Client } from "../client/index.js";
import { Responses, WHOLE_RUN } from "../engine/reads/responses.js";
import { isObject } from "../model/json.js";
import { foreignProvider } from "../resources/guards.js";
import { typeToken } from "../resources/prepare.js";
import { settingsOf, type ProviderSettings } from "../resources/provider.js";
import { checkKnownName, failure, joinFindings, NO_FINDINGS } from "../validation/failure.js";
import { requireValid } from "./arguments.js";

/**
 * Options of a lookup: the `Provider` whose credentials and settings it uses, or a `parent` whose provider it uses.
 * The other options of Pulumi's functions are accepted, and have no effect.
 */
export type LookupOptions = pulumi.InvokeOptions;

const OPTIONS: Readonly<Record<keyof LookupOptions, true>> = {
  provider: true,
  parent: true,
  version: true,
  pluginDownloadURL: true,
  async: true,
};

/** The client of a process that has one already, and what was read with it. */
export class DirectLookup {
  readonly provider?: undefined;
  readonly parent?: undefined;
  /** By request. */
  readonly results = new Responses<unknown>(WHOLE_RUN);

  constructor(readonly client: () => Client) {}
}

/** Which lookup makes a request, and with whose settings: those of a provider, or else of the stack. */
export interface Via {
  readonly functionName: string;
  readonly provider: ProviderSettings | undefined;
  /** In the process of a provider, its own client instead. */
  readonly direct?: DirectLookup;
}

/** Throws ARGUMENTS_INVALID or PROVIDER_MISMATCH for options that a lookup cannot follow. */
export function viaOf(functionName: string, opts: LookupOptions | DirectLookup = {}): Via {
  if (opts instanceof DirectLookup) return { functionName, provider: undefined, direct: opts };
  requireValid(functionName, checkOptions(functionName, opts));
  const provider = opts.provider ?? opts.parent?.getProvider(typeToken("Ruleset"));
  if ((provider as unknown) === undefined || (provider as unknown) === null)
    return { functionName, provider: undefined };
  const settings = settingsOf(provider);
  if (settings === undefined) throw foreignProvider(functionName, provider);
  return { functionName, provider: settings };
}

function checkOptions(functionName: string, opts: unknown): ReturnType<typeof failure> {
  if (!isObject(opts) || pulumi.Resource.isInstance(opts) || pulumi.Output.isInstance(opts))
    return failure([], "its options must be an object such as { provider }");
  const { parent } = opts;
  return joinFindings([
    ...Object.keys(opts).map((name) =>
      checkKnownName([name], `${functionName} has no option`, name, Object.keys(OPTIONS)),
    ),
    parent === undefined || parent === null || pulumi.Resource.isInstance(parent)
      ? NO_FINDINGS
      : failure(["parent"], "must be a resource"),
  ]);
}
