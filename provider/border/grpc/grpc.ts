import type { ServiceDefinition, ServiceError } from "@grpc/grpc-js";
import { Any } from "google-protobuf/google/protobuf/any_pb.js";
import * as generated from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import * as Messages from "@pulumi/pulumi/proto/provider_pb.js";
import { Status } from "@pulumi/pulumi/proto/status_pb.js";
import type { JsonObject } from "../../../core/model/json.js";
import Grpc = require("../sdk-grpc.js");
import { keepingStructs, structJson, structMessage, type StructMessage } from "./struct-messages.js";

// The bundle has gRPC and Pulumi's messages as the SDK has them.
export { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
export { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb.js";
export { Grpc, Messages };

/** The service, whose messages about resources keep their structures as they came. */
export const ResourceProviderService: ServiceDefinition = keepingStructs(generated.ResourceProviderService);

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
export function toServiceError({ message, partial }: Failed): Partial<ServiceError> {
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
