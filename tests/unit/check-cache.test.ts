import { CheckCache } from "../../provider/engine/check-cache.js";

const counted = () => {
  const once = new CheckCache();
  let runs = 0;
  const check = (input: unknown, name = "rules"): number => once.get(name, [input], () => (runs += 1));
  return { check, runs: () => runs };
};

test("a check runs once for equal inputs, and its result is kept", () => {
  const { check, runs } = counted();
  expect([check([{ action: "block" }, "p"]), check([{ action: "block" }, "p"])]).toEqual([1, 1]);
  expect(runs()).toBe(1);
});

test.each<[string, unknown, unknown]>([
  ["another value", [{ action: "block" }], [{ action: "log" }]],
  ["another number of values", [1], [1, 1]],
  ["NaN and null, which JSON writes alike", [Number.NaN], [null]],
  ["NaN and its name", [Number.NaN], ["NaN"]],
  ["infinities", [Infinity], [-Infinity]],
  ["a property without a value and none, which JSON writes alike", [{ a: undefined }], [{}]],
])("a check runs again for %s", (_, one, other) => {
  const { check, runs } = counted();
  check(one);
  check(other);
  expect(runs()).toBe(2);
});

test("lists of equal content are equal inputs, however often they are passed", () => {
  const { check, runs } = counted();
  const rules = [{ action: "block" }];
  expect([check(rules), check(rules), check([{ action: "block" }])]).toEqual([1, 1, 1]);
  expect(runs()).toBe(1);
});

test("the order of properties, which the engine changes from call to call, makes no other input", () => {
  const { check, runs } = counted();
  check([{ action: "log", position: { after: "a", id: 1 } }]);
  check([{ position: { id: 1, after: "a" }, action: "log" }]);
  expect(runs()).toBe(1);
});

test("another check of the same input runs", () => {
  const { check, runs } = counted();
  check([1], "rules");
  check([1], "meaning");
  expect(runs()).toBe(2);
});

test("an undefined result is kept too", () => {
  const once = new CheckCache();
  let runs = 0;
  const check = (): undefined => {
    runs += 1;
  };
  once.get("effect", [], check);
  once.get("effect", [], check);
  expect(runs).toBe(1);
});

test("the oldest results are dropped, so that memory does not grow with the program", () => {
  const { check, runs } = counted();
  for (let number = 0; number <= 1000; number += 1) check([number]);
  check([1000]);
  expect(runs()).toBe(1001);
  check([0]);
  expect(runs()).toBe(1002);
});
