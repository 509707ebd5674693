import type { ServiceDefinition } from "@grpc/grpc-js";
import { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import type { JsonObject } from "../../../core/model/json.js";
import { decodeStruct, encodeEntries, separateStructs, type MapString } from "./struct-wire.js";

/** A structure in a message. */
export type StructMessage = InstanceType<typeof Struct>;

/** A structure of a message that has been received. It is decoded when it is needed. */
class ReceivedStruct extends Struct {
  constructor(readonly bytes: Uint8Array) {
    super();
  }
}

interface Writer {
  writeBytes(field: number, bytes: Uint8Array): void;
}

/** A structure of a message to send: when a message is sent, it asks its structures for their entries. */
class EncodedStruct extends Struct {
  private readonly entries: readonly Uint8Array[];

  constructor(value: object) {
    super();
    this.entries = encodeEntries(value);
  }

  override getFieldsMap(): ReturnType<StructMessage["getFieldsMap"]> {
    const entries = {
      getLength: () => this.entries.length,
      serializeBinary: (field: number, writer: Writer) => {
        for (const entry of this.entries) writer.writeBytes(field, entry);
      },
    };
    // The library needs no more of a map to serialize it.
    return entries as unknown as ReturnType<StructMessage["getFieldsMap"]>;
  }
}

/** A structure to send. */
export function structMessage(value: object): StructMessage {
  return new EncodedStruct(value);
}

/** The JSON of a structure in a message. */
export function structJson(message: StructMessage, mapString?: MapString): JsonObject {
  return decodeStruct(message instanceof ReceivedStruct ? message.bytes : message.serializeBinary(), mapString);
}

/** The structures of the engine's requests about resources: their numbers, and what sets them. */
const STRUCTS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  check: { 2: "setOlds", 3: "setNews", 9: "setOldOutputs" },
  diff: { 3: "setOlds", 4: "setNews", 6: "setOldInputs" },
  create: { 2: "setProperties" },
  read: { 3: "setProperties", 4: "setInputs" },
  update: { 3: "setOlds", 4: "setNews", 8: "setOldInputs" },
  delete: { 3: "setProperties", 5: "setOldInputs" },
};

type Message = Readonly<Record<string, (part: ReceivedStruct) => void>>;

/** A service whose requests about resources keep their structures as they came. */
export function keepingStructs(service: ServiceDefinition): ServiceDefinition {
  const calls = Object.entries(service).map(([name, call]) => {
    const setters = STRUCTS[name];
    if (setters === undefined) return [name, call] as const;
    const fields = new Set(Object.keys(setters).map(Number));
    const requestDeserialize = (bytes: Buffer): unknown => {
      const { structs, rest } = separateStructs(bytes, fields);
      const message = call.requestDeserialize(rest) as Message;
      for (const [field, content] of structs) message[setters[field] ?? ""]?.(new ReceivedStruct(content));
      return message;
    };
    return [name, { ...call, requestDeserialize }] as const;
  });
  return Object.fromEntries(calls);
}
