import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Props } from "./lifecycle.js";
import type { StackAddress } from "./predecessors.js";

/** What the provider must know of the run of the program. One property, because the SDK takes time for each of a resource. */
export interface ProgramRun {
  readonly preview: boolean;
  /** How many resources the program has declared so far for the provider; undefined without an engine. */
  readonly resources?: number;
  /** Where the state of the stack can be read; undefined if it cannot. */
  readonly stack?: StackAddress;
}

/** What the resource class sends with the arguments. The engine keeps none of it, except the URN and the provider. */
export interface Metadata {
  /** The line of text that loads the provider. */
  readonly __provider: string;
  readonly __urn: string;
  readonly __program: ProgramRun;
  /** `ignoreChanges` as the program writes it. */
  readonly __ignore: readonly string[];
  /** Secrets in the arguments, by the names in their placeholders. */
  readonly __secrets: object;
  /** Names of managed rules that the program has read, by ID. */
  readonly __names: readonly object[];
  /** The resource as messages name it, if it is only read. */
  readonly __get: string;
}

const NAMES = Object.keys({
  __provider: true,
  __urn: true,
  __program: true,
  __ignore: true,
  __secrets: true,
  __names: true,
  __get: true,
} satisfies Readonly<Record<keyof Metadata, true>>);

/** Metadata as the engine passes it on: any of it may be missing. */
export type ReceivedMetadata = { readonly [N in keyof Metadata]?: Json };

/** The metadata among inputs or in a state, where each name is one that the class sends. */
export function metadataIn(props: Props): ReceivedMetadata {
  return props;
}

/** What the inputs say about the run of the program. Without it, nothing must be written. */
export function programRunIn(props: Props): ProgramRun {
  const { __program } = metadataIn(props);
  const { preview, resources, stack } = isObject(__program) ? __program : {};
  const { monitor, name } = isObject(stack) ? stack : {};
  return {
    preview: preview !== false,
    ...(typeof resources === "number" ? { resources } : {}),
    ...(typeof monitor === "string" && typeof name === "string" ? { stack: { monitor, name } } : {}),
  };
}

/** Separates the arguments from the metadata. */
export function splitMetadata(props: Props): { readonly metadata: ReceivedMetadata; readonly args: JsonObject } {
  const entries = Object.entries(props as JsonObject);
  return {
    metadata: Object.fromEntries(entries.filter(([name]) => NAMES.includes(name))),
    args: Object.fromEntries(entries.filter(([name]) => !NAMES.includes(name))),
  };
}
