import { interleavingText } from "../../../provider/ownership/shared-messages.js";

const text = (rules: string): string =>
  interleavingText(Array.from(rules, (rule) => ({ own: rule === "." ? undefined : JSON.stringify(rule) })));

test.each([
  ["", "no rules"],
  ["..a......", '1–2 others, 3 "a" (yours), 4–9 others'],
  [".ab", "1 other, 2–3 yours"],
  ["a", '1 "a" (yours)'],
  [
    ".a.b.c.d.e.f",
    '1 other, 2 "a" (yours), 3 other, 4 "b" (yours), 5 other, 6 "c" (yours), 7 other, 8 "d" (yours), … 12 "f" (yours)',
  ],
])("%j: %s", (rules, expected) => {
  expect(text(rules)).toBe(expected);
});
