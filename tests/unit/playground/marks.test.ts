import type { Severity } from "../../../core/language/index";
import { movedMarks, segmentsOf, severitiesOfLines, type Mark } from "../../../apps/playground/page/marks";

const mark = (start: number, end: number, severity: Severity = "warning"): Mark => ({
  span: { start, end },
  severity,
});

const shown = (text: string, ...marks: Mark[]): string =>
  segmentsOf(marks, text)
    .map(({ part, severity }) => (severity === undefined ? part : `<${severity} ${part}>`))
    .join("");

describe("underlined parts", () => {
  test.each([
    ["no mark", [], "abcdef"],
    ["one", [mark(1, 3)], "a<warning bc>def"],
    ["two that touch", [mark(0, 2), mark(2, 4)], "<warning ab><warning cd>ef"],
    ["one in another", [mark(0, 6), mark(2, 4, "error")], "<warning ab><error cd><warning ef>"],
    ["a warning in an error", [mark(0, 6, "error"), mark(2, 4)], "<error ab><error cd><error ef>"],
    ["something that is missing at the end", [mark(6, 6)], "abcde<warning f>"],
    ["something that is missing at the start", [mark(0, 0)], "<warning a>bcdef"],
    ["the text has become shorter", [mark(4, 9)], "abcd<warning ef>"],
  ] as const)("%s", (_, marks, expected) => {
    expect(shown("abcdef", ...marks)).toBe(expected);
  });
});

test("a line has the worst severity of what begins in it", () => {
  const text = "one\ntwo\nthree\n";
  const marks = [mark(9, 10, "error"), mark(4, 14), mark(8, 9)];
  expect([...severitiesOfLines(marks, text)]).toEqual([
    [2, "warning"],
    [3, "error"],
  ]);
});

describe("marks while somebody types", () => {
  const marks = [mark(0, 3), mark(4, 7), mark(8, 11)];
  test.each([
    ["in front of all", "one two six", "x one two six", ["one", "two", "six"]],
    ["in one of them", "one two six", "one twwo six", ["one", "six"]],
    ["at the end", "one two six", "one two six!", ["one", "two", "six"]],
    ["everything", "one two six", "", []],
  ])("%s", (_, before, after, kept) => {
    const moved = movedMarks(marks, before, after);
    expect(moved.map(({ span }) => after.slice(span.start, span.end))).toEqual(kept);
  });
});
