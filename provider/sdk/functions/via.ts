import type { InvokeOptions } from "@pulumi/pulumi";
import type { Client } from "../../../client/index.js";
import { Responses, WHOLE_RUN } from "../../engine/reads/responses.js";
import { stableText } from "../../../core/model/json.js";
import type { CalledLookup } from "./in-program.js";
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
export interface Via extends CalledLookup {
  /** In the process of a provider, its own client instead. */
  readonly direct?: DirectLookup;
}

/** Only in programs: the process of a provider needs no SDK. */
const inProgram = late<typeof import("./in-program.js")>(() => require("./in-program.js"));

/** Throws ARGUMENTS_INVALID or PROVIDER_MISMATCH for options that a lookup cannot follow. */
export function viaOf(functionName: string, opts: LookupOptions | DirectLookup = {}): Via {
  if (opts instanceof DirectLookup) return { functionName, provider: undefined, direct: opts };
  return { functionName, provider: inProgram().providerOf(functionName, opts) };
}

/**
 * Makes a request once per run of the program and provider, however often its result is needed, and shares it with calls made
 * while it is under way. A failure is not kept. Without an engine there is no run, and each call makes a request.
 * @param key identifies the request: equal keys have equal results
 */
export async function requestOnce<T>(
  via: Via,
  key: readonly unknown[],
  send: (client: Client) => Promise<T>,
): Promise<T> {
  const { direct } = via;
  const results = direct === undefined ? inProgram().resultsOfRun(via) : direct.results;
  // A client that cannot be made is a failure of the request.
  const ask = async (): Promise<T> => send(direct === undefined ? await inProgram().clientOf(via) : direct.client());
  if (results === undefined) return ask();
  // Each caller gets its own copy, so that its changes do not affect the others.
  return structuredClone(await results.read(stableText(key), ask)) as T;
}
