import { createRequire } from "node:module";
import type * as grpc from "@grpc/grpc-js";
import type * as errors from "@pulumi/pulumi/proto/provider_pb";
import type * as pluginMessages from "@pulumi/pulumi/proto/plugin_pb";
import type { JsonObject } from "../model/json.js";
import { keepingStructs, structJson, structMessage, type StructMessage } from "./struct-messages.js";

/** gRPC, and Pulumi's messages, as `@pulumi/pulumi` has them among its own dependencies: the same ones as its SDK uses. */
const load = createRequire(require.resolve("@pulumi/pulumi"));

export const Grpc = load("@grpc/grpc-js") as typeof grpc;
export const Messages = load("@pulumi/pulumi/proto/provider_pb.js") as typeof errors;
export const { PluginInfo } = load("@pulumi/pulumi/proto/plugin_pb.js") as typeof pluginMessages;
const generated = load("@pulumi/pulumi/proto/provider_grpc_pb.js") as {
  readonly ResourceProviderService: grpc.ServiceDefinition;
};
/** The service, whose messages about resources keep their structures as they came. */
export const ResourceProviderService: grpc.ServiceDefinition = keepingStructs(generated.ResourceProviderService);
export const { Empty } = load(
  "google-protobuf/google/protobuf/empty_pb.js",
) as typeof import("google-protobuf/google/protobuf/empty_pb.js");
const { Any } = load(
  "google-protobuf/google/protobuf/any_pb.js",
) as typeof import("google-protobuf/google/protobuf/any_pb.js");
const { Status } = load("@pulumi/pulumi/proto/status_pb.js") as { readonly Status: new () => StatusMessage };

interface StatusMessage {
  setCode(code: number): void;
  setMessage(text: string): void;
  addDetails(detail: InstanceType<typeof Any>): void;
  serializeBinary(): Uint8Array;
}

export { structMessage as toStruct };

/** The engine's markers for values that are not known yet, one for each type: strings, booleans, numbers, lists, objects. */
const UNKNOWNS: ReadonlySet<unknown> = new Set([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);
const [UNKNOWN = ""] = UNKNOWNS as ReadonlySet<string>;

const withOneMarker = (text: string): string => (UNKNOWNS.has(text) ? UNKNOWN : text);

/** A structure as JSON, with one marker for all values that are not known yet. */
export function fromStruct(message: StructMessage | undefined): JsonObject {
  return message === undefined ? {} : structJson(message, withOneMarker);
}

/** What the engine gets when a call fails: a text, and what is known of an object that may be incomplete. */
export interface Failed {
  readonly message: string;
  readonly partial?: { readonly id: string; readonly properties: object; readonly reasons: readonly string[] };
}

/** A failed call as gRPC passes it on. The details carry the state of an object that was written in part. */
export function toServiceError({ message, partial }: Failed): Partial<grpc.ServiceError> {
  const code = Grpc.status.UNKNOWN;
  if (partial === undefined) return { code, message, details: message };
  const detail = new Messages.ErrorResourceInitFailed();
  detail.setId(partial.id);
  detail.setProperties(structMessage(partial.properties));
  detail.setReasonsList([...partial.reasons]);
  const any = new Any();
  any.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = new Status();
  status.setCode(code);
  status.setMessage(message);
  status.addDetails(any);
  const metadata = new Grpc.Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return { code, message, details: message, metadata };
}
