import type { Json, JsonObject } from "../../core/model/json.js";
import type { Props } from "./lifecycle.js";

/**
 * What a resource class of a dynamic provider sends with the arguments: its host passes nothing else. Inputs and states keep the URN
 * and the provider of it.
 */
export interface Metadata {
  /** The line of text that loads the provider. */
  readonly __provider: string;
  readonly __urn: string;
  /** The run of the program, see `programText`. */
  readonly __program: string;
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
type ReceivedMetadata = { readonly [N in keyof Metadata]?: Json };

/** The metadata among inputs or in a state, where each name is one that the class sends. */
export function metadataIn(props: Props): ReceivedMetadata {
  return props;
}

/** Separates the arguments from the metadata. */
export function splitMetadata(props: Props): { readonly metadata: ReceivedMetadata; readonly args: JsonObject } {
  const entries = Object.entries(props as JsonObject);
  return {
    metadata: Object.fromEntries(entries.filter(([name]) => NAMES.includes(name))),
    args: Object.fromEntries(entries.filter(([name]) => !NAMES.includes(name))),
  };
}
