import { longWaits } from "../../provider/long-waits.js";

test("long waits are reported, and once for all requests that wait for the same moment", () => {
  const lines: string[] = [];
  let now = 0;
  const onWait = longWaits(
    (text) => lines.push(text),
    () => now,
  );
  for (const ms of [9_999, 60_000, 60_300, 69_000]) onWait(ms, "to stay under the rate limit");
  now = 50_000;
  onWait(10_000, "to stay under the rate limit");
  onWait(300_000, "to stay under the rate limit");
  expect(lines).toEqual(["60 s to stay under the rate limit", "300 s to stay under the rate limit"]);
});
