import { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { sanitize } from "../../../provider/border/sanitize.js";
import { fc, runs } from "../../support/properties.js";

test("property: the result can always be stored by the engine, and nothing is thrown", () => {
  const anything = fc.object({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
    withNullPrototype: true,
    withObjectString: true,
    values: [
      fc.anything(),
      fc.constant(undefined),
      fc.constant(Number.NaN),
      fc.constant(() => 1),
      fc.constant(Symbol("x")),
    ],
  });
  fc.assert(
    fc.property(anything, (value) => {
      const clean = sanitize(value);
      expect(() => Struct.fromJavaScript({ clean })).not.toThrow();
      expect(sanitize(clean)).toEqual(clean);
    }),
  );
});

test("plain JSON is unchanged", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.stringify(sanitize(value))).toBe(JSON.stringify(value).replaceAll("-0,", "0,"));
    }),
    { examples: [[{ a: [null, 1, "x", { b: true }] }]], numRuns: runs(50) },
  );
});

test("cycles are cut, and dates and maps become plain values", () => {
  const circle: Record<string, unknown> = { a: 1 };
  circle.self = circle;
  expect(sanitize(circle)).toEqual({ a: 1, self: null });
  expect(sanitize({ at: new Date(0), map: new Map([["a", 1]]), set: new Set([1]), gone: undefined })).toEqual({
    at: "1970-01-01T00:00:00.000Z",
    map: { a: 1 },
    set: [1],
  });
});
