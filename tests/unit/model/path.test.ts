import { isOfType } from "../../../provider/engine/named-type.js";
import { DESCRIPTIONS } from "../../../provider/kinds/descriptions.js";
import { isAroundAny, isPath, isPathList, pathsIn, type Path } from "../../../core/model/path.js";
import { fc } from "../../support/properties.js";

test.each([
  [["rules", 2, "expression"], true],
  [[], true],
  ["rules", false],
  [[["rules"]], false],
  [[null], false],
  [undefined, false],
])("%j as a path", (value, expected) => {
  expect(isPath(value)).toBe(expected);
});

test("a list of paths contains nothing else", () => {
  expect(isPathList([["name"], []])).toBe(true);
  expect(isPathList([["name"], "name"])).toBe(false);
  expect(pathsIn([["name"], "name", [{}], ["rules", 0]])).toEqual([["name"], ["rules", 0]]);
  expect(pathsIn({ name: ["name"] })).toEqual([]);
});

test("a path is around others if it contains one of them or is contained in it", () => {
  const path = fc.array(fc.constantFrom("a", "b", 0, 1), { maxLength: 4 });
  const contains = (outer: Path, inner: Path): boolean => outer.every((step, index) => inner[index] === step);
  fc.assert(
    fc.property(fc.array(path, { maxLength: 4 }), path, (paths, one) => {
      expect(isAroundAny(paths)(one)).toBe(paths.some((other) => contains(one, other) || contains(other, one)));
    }),
  );
});

describe.each(DESCRIPTIONS.filter(({ checked }) => "__secretPaths" in checked))("a $type", ({ checked }) => {
  const type = "__secretPaths" in checked ? checked.__secretPaths.type : "string";
  const wrapped = (paths: unknown): unknown => (typeof type !== "string" && "map" in type ? { ref: paths } : paths);

  test("records where it has secrets as paths, and reads nothing else as such", () => {
    expect(isOfType(type, wrapped([["expression"], ["actionParameters", "headers", 0]]))).toBe(true);
    for (const paths of [["expression"], [[{}]], [null], "expression"])
      expect(isOfType(type, wrapped(paths))).toBe(false);
  });
});
