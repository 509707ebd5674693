import { markdownProse } from "../../../core/model/markdown.js";

test.each([
  ["the code of a sentence stays as it is", "`a_b` may change c_d", "`a_b` may change c\\_d"],
  ["a backtick without a partner begins no code", "`<b> and c_d", "\\`&lt;b&gt; and c\\_d"],
])("%s", (_, text, escaped) => {
  expect(markdownProse(text)).toBe(escaped);
});
