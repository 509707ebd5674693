import { formatDuration } from "../../../core/model/words.js";

test.each([
  [1, "1 second"],
  [89_000, "89 seconds"],
  [90_000, "2 minutes"],
  [3_600_000, "60 minutes"],
  [5_400_000, "1.5 hours"],
  [36_000_000, "10 hours"],
])("%i ms are %s", (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});
