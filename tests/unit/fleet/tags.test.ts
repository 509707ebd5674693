import { matchesTags, parseTagFilter, type TagFilter } from "../../../tools/fleet/tags";

const filter = (text: string): TagFilter => {
  const found = parseTagFilter(text);
  if (found === undefined) throw new Error(text);
  return found;
};

test.each([
  ["env", true, false],
  ["env=prod", true, false],
  ["env=staging,prod", true, false],
  ["env=staging", false, false],
  ["env=Prod", false, false],
  ["!env", false, true],
  ["!archived", true, true],
  ["env!=prod", false, true],
  ["env!=staging,test", true, true],
  ["env=", false, false],
])("%s: with the tag env=prod %s, without tags %s", (text, tagged, untagged) => {
  expect([matchesTags({ env: "prod" }, [filter(text)]), matchesTags({}, [filter(text)])]).toEqual([tagged, untagged]);
});

test("all filters have to match, and what every object has is no tag", () => {
  expect(matchesTags({ env: "prod", team: "a" }, [filter("env=prod"), filter("team=b")])).toBe(false);
  expect(matchesTags({}, [filter("constructor")])).toBe(false);
});

test.each(["", "a b", "!env=prod", "env~prod", "=prod", "!"])("%j is no filter", (text) => {
  expect(parseTagFilter(text)).toBeUndefined();
});
