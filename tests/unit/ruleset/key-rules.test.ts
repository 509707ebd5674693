import { keyRules } from "../../../provider/kinds/rulesets/check/inputs.js";
import { keyedEntries } from "../../../core/rules/keyed.js";
import { block } from "../../support/rules.js";

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `r${String(index)}`);
const input = (count: number) => {
  const refs = names(count);
  return {
    wanted: refs.map((ref) => block("new", `http.host eq "${ref}"`, { enabled: true })),
    refs,
    before: keyedEntries(refs.map((ref) => ({ ref, rule: block("old", `http.host eq "${ref}"`, { enabled: false }) }))),
    keepsOrder: false,
    secretPathsIn: () => [],
    secretsBefore: {},
  };
};

test("ignored fields keep their old values, each in its own rule", () => {
  const { rules } = keyRules({
    ...input(3),
    ignored: [
      { ref: "r0", steps: ["enabled"] },
      { ref: "r1", steps: ["description"] },
      { ref: "r1", steps: ["enabled"] },
      { ref: "gone", steps: ["enabled"] },
    ],
  });
  expect(Object.values(rules)).toMatchObject([
    { description: "new", enabled: false },
    { description: "old", enabled: false },
    { description: "new", enabled: true },
  ]);
});

test("the work grows with the number of ignored fields, not with that of rules times fields", () => {
  const count = 400;
  let reads = 0;
  const ignored = names(count).map((ref) =>
    Object.defineProperty({ ref, steps: ["enabled"] }, "ref", {
      get: () => {
        reads += 1;
        return ref;
      },
    }),
  );
  const { rules } = keyRules({ ...input(count), ignored });
  expect(Object.values(rules).every((rule) => typeof rule !== "string" && rule.enabled === false)).toBe(true);
  expect(reads).toBeLessThanOrEqual(5 * count);
});
