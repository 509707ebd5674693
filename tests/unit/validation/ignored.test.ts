import { checkIgnoredRefs, findingText } from "../../../provider/validation/index.js";

const refs = (word: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${word}-${String(index)}`);

test("a similar ref is suggested for the first of many unknown ones, and each is reported", () => {
  const fields = refs("rulle", 30).map((ref) => ({ ref, steps: ["enabled"] }));
  const texts = checkIgnoredRefs(fields, refs("rule", 30)).map(findingText);
  expect(texts).toHaveLength(30);
  expect(texts[0]).toBe('ignoreChanges: there is no rule with the ref "rulle-0"; did you mean rule-0?');
  expect(texts.filter((text) => text.includes("did you mean"))).toHaveLength(20);
  expect(texts[29]).toBe('ignoreChanges: there is no rule with the ref "rulle-29"');
});
