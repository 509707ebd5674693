import { LongRun } from "../../../client/long-run.js";
import type { Pace } from "../../../client/http/index.js";
import { formatDuration } from "../../../client/http/index.js";

/** A service that allows `free` requests at once, and then one every two seconds. */
const paced = (requests: number, { waiting = 0, free = 0 } = {}): Pace => ({
  requests,
  waiting,
  forecast: (further) => Math.max(0, waiting + further - free) * 2000,
  limitWords: () => "the service allows 150 requests in 5 minutes",
});
const watched = () => {
  const messages: string[] = [];
  const run = new LongRun({ start: (text) => messages.push(text), progress: (text) => messages.push(text) });
  return { run, messages };
};

test("a run with a long wait reports the number of requests and the time once, and then its progress in tenths", () => {
  const { run, messages } = watched();
  run.update(paced(3, { waiting: 2 }), { further: 1998 });
  for (let made = 4; made <= 2003; made += 1) run.update(paced(made), { further: 2003 - made });
  expect(messages[0]).toBe(
    "about 2,000 requests are still to be made, and the service allows 150 requests in 5 minutes: " +
      "this run will wait about 67 minutes.",
  );
  expect(messages.slice(1, 3)).toEqual([
    "201 of about 2,003 requests made, about 61 minutes to wait",
    "401 of about 2,003 requests made, about 54 minutes to wait",
  ]);
  expect(messages).toHaveLength(11);
  expect(messages.at(-1)).toBe("2,003 of about 2,003 requests made, no more waiting");
});

test("a growing forecast does not reduce the progress", () => {
  const { run, messages } = watched();
  run.update(paced(10), { further: 90 });
  run.update(paced(20), { further: 380 });
  run.update(paced(30), { further: 90 });
  expect(messages.slice(1)).toEqual(["30 of about 120 requests made, about 3 minutes to wait"]);
});

test("half a minute is not reported as long, nor is an unknown wait", () => {
  const { run, messages } = watched();
  run.update(paced(1), { further: 15 });
  run.update({ ...paced(1), forecast: () => undefined }, { further: 1000 });
  expect(messages).toEqual([]);
  run.update(paced(1), { further: 16 });
  expect(messages).toHaveLength(1);
});

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
