import { sameJson, stableText } from "../../../core/model/json.js";
import { fc, runs } from "../../support/properties.js";

/** Values as they are in inputs and states: JSON, with members that may be undefined and maps without a prototype. */
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, undefined, true, false, 0, -0, 1, "", "a", "__proto__"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "toString", "constructor"), tie("value"), { maxKeys: 3 }),
  ),
})).value;

it("finds values equal exactly if their canonical texts are equal", () => {
  fc.assert(
    fc.property(values, values, (a, b) => {
      expect(sameJson(a, b)).toBe(stableText(a) === stableText(b));
    }),
    { numRuns: runs(2000) },
  );
});

it("ignores the order of keys, members that are undefined, and prototypes", () => {
  const map = Object.assign(Object.create(null) as object, { toString: "x", a: [1] });
  expect(sameJson({ a: [1], b: undefined, toString: "x" }, map)).toBe(true);
  expect(sameJson({ a: 1 }, Object.create({ a: 1 }))).toBe(false);
  expect(sameJson([1, 2], [2, 1])).toBe(false);
});

it("tells a member that is null from a missing one", () => {
  expect(sameJson({ a: null }, { b: null })).toBe(false);
  expect(sameJson({ a: null }, {})).toBe(false);
  expect(sameJson({ a: null }, { a: null })).toBe(true);
});
