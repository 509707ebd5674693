import { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { Messages, ResourceProviderService, fromStruct, toStruct } from "../../../provider/border/grpc/grpc.js";
import type { JsonObject } from "../../../core/model/json.js";
import { UNKNOWN } from "../../../core/model/unknown.js";
import type { StructMessage } from "../../../provider/border/grpc/struct-messages.js";
import { decodeStruct } from "../../../provider/border/grpc/struct-wire.js";
import { anyText, fc } from "../../support/properties.js";

/** Pulumi's own classes are the witness of the wire format. */
const witness = (value: object) => Struct.fromJavaScript(value as Parameters<typeof Struct.fromJavaScript>[0]);

const { json } = fc.letrec<{ readonly json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true }),
    fc.integer(),
    anyText(),
    fc.string({ minLength: 100, maxLength: 400 }),
    fc.array(tie("json"), { maxLength: 5 }),
    fc.dictionary(
      anyText().filter((key) => key !== "__proto__"),
      tie("json"),
      { maxKeys: 5, noNullPrototype: true },
    ),
  ),
}));
const objects = fc.dictionary(
  anyText().filter((key) => key !== "__proto__"),
  json,
  { noNullPrototype: true },
);

test("structures are decoded as Pulumi's classes decode them", () => {
  fc.assert(
    fc.property(objects, (value) => {
      expect(decodeStruct(witness(value).serializeBinary())).toEqual(value);
    }),
  );
});

test("structures are encoded so that Pulumi's classes decode them", () => {
  fc.assert(
    fc.property(objects, (value) => {
      const response = new Messages.CheckResponse();
      response.setInputs(toStruct(value));
      const received = Messages.CheckResponse.deserializeBinary(response.serializeBinary());
      expect(received.getInputs()?.toJavaScript() ?? {}).toEqual(value);
    }),
  );
});

test("a text of any length is encoded", () => {
  for (const length of [0, 1, 127, 128, 255, 256, 16_383, 16_384, 3_000_000]) {
    const text = "x".repeat(length);
    expect(fromStruct(toStruct({ text, after: [length] }))).toEqual({ text, after: [length] });
  }
});

test("a key called __proto__ is a key", () => {
  const value = JSON.parse('{"__proto__": {"a": 1}, "b": 2}') as object;
  const decoded = fromStruct(toStruct(value));
  expect(Object.entries(decoded)).toEqual([
    ["__proto__", { a: 1 }],
    ["b", 2],
  ]);
  expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
});

test("what is not JSON is refused", () => {
  expect(() => toStruct({ a: [undefined] })).toThrow("a structure cannot contain undefined");
});

test("every marker of a value that is not known becomes one marker", () => {
  const markers = [UNKNOWN, "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", "dd056dcd-154b-4c76-9bd3-c8f88648b5ff"];
  expect(fromStruct(witness({ markers }))).toEqual({ markers: [UNKNOWN, UNKNOWN, UNKNOWN] });
});

/** Every structure of the requests about resources, by the names of the classes. */
const REQUESTS = {
  check: ["CheckRequest", ["Olds", "News", "OldOutputs"]],
  diff: ["DiffRequest", ["Olds", "News", "OldInputs"]],
  create: ["CreateRequest", ["Properties"]],
  read: ["ReadRequest", ["Properties", "Inputs"]],
  update: ["UpdateRequest", ["Olds", "News", "OldInputs"]],
  delete: ["DeleteRequest", ["Properties", "OldInputs"]],
} as const;

test.each(Object.entries(REQUESTS))("the engine's request to %s arrives whole", (call, [name, parts]) => {
  const request = new Messages[name]() as unknown as Record<string, (value?: unknown) => unknown> & {
    serializeBinary(): Uint8Array;
  };
  request.setUrn?.("urn:a");
  request.setName?.("a");
  request.setTimeout?.(2.5);
  request.setPreview?.(true);
  request.setIgnorechangesList?.(["rules"]);
  for (const part of parts) request[`set${part}`]?.(witness({ part, list: [1, { a: "ü" }], [UNKNOWN]: null }));
  const expected = Messages[name].deserializeBinary(request.serializeBinary()).toObject() as Record<string, unknown>;
  const received = ResourceProviderService[call]?.requestDeserialize(Buffer.from(request.serializeBinary())) as Record<
    string,
    () => StructMessage | undefined
  >;
  const isStruct = (field: string) => parts.some((part) => field === `${part.charAt(0).toLowerCase()}${part.slice(1)}`);
  for (const part of parts)
    expect<JsonObject>(fromStruct(received[`get${part}`]?.())).toEqual({
      part,
      list: [1, { a: "ü" }],
      [UNKNOWN]: null,
    });
  const others = Object.entries((received as unknown as { toObject(): object }).toObject()).filter(
    ([field]) => !isStruct(field),
  );
  expect(Object.fromEntries(others)).toEqual(
    Object.fromEntries(Object.entries(expected).filter(([field]) => !isStruct(field))),
  );
  // What the classes know of structures is all that is kept as it came.
  const setters = Object.keys(expected).filter((field) => typeof expected[field] === "object" && isStruct(field));
  expect(setters).toHaveLength(parts.length);
});
