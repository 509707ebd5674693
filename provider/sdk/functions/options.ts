import type { InvokeOptions } from "@pulumi/pulumi";
import type { Client } from "../../../client/index.js";
import { Responses, WHOLE_RUN } from "../../engine/reads/responses.js";
import type { ProviderSettings } from "../resources/provider.js";
import { late } from "../../../core/model/late.js";

/**
 * Options of a lookup: the `Provider` whose credentials and settings it uses, or a `parent` whose provider it uses.
 * The other options of Pulumi's functions are accepted, and have no effect.
 */
export type LookupOptions = InvokeOptions;

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

/** Only in programs: the process of a provider needs no SDK. */
const loadProgramLookup = late<typeof import("./program-lookup.js")>(() => require("./program-lookup.js"));

/** Throws ARGUMENTS_INVALID or PROVIDER_MISMATCH for options that a lookup cannot follow. */
export function viaOf(functionName: string, opts: LookupOptions | DirectLookup = {}): Via {
  if (opts instanceof DirectLookup) return { functionName, provider: undefined, direct: opts };
  return { functionName, provider: loadProgramLookup().providerOf(functionName, opts) };
}
