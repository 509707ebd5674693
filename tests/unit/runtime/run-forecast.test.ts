import type { Pace } from "../../../provider/client/index.js";
import { RunForecast } from "../../../provider/runtime/run-forecast.js";

/** A service that allows `free` requests at once, and then one every two seconds. */
class Paced implements Pace {
  requests = 0;
  waiting = 0;
  constructor(private readonly free: number) {}
  forecast(further: number): number {
    return Math.max(0, this.requests + this.waiting + further - this.free) * 2000;
  }
  limitWords(): string {
    return "the service allows few";
  }
}

/** A run of resources one by one, with the same number of requests each; the messages, and after how many resources. */
const run = (
  resources: number,
  { preview = false, reads = 1, writes = 1, free = 100, declared = resources, changed = resources, refresh = 0 } = {},
) => {
  const messages: (readonly [after: number, text: string])[] = [];
  let begun = 0;
  const note = (text: string): void => void messages.push([begun, text]);
  const forecast = new RunForecast({ start: note, progress: () => undefined });
  const pace = new Paced(free);
  const request = (count: number): void => {
    for (let left = count; left > 0; left -= 1) {
      pace.requests += 1;
      forecast.updatePace(pace);
    }
  };
  request(refresh);
  for (let index = 0; index < resources; index += 1) {
    const urn = String(index);
    begun += 1;
    forecast.countCheck(urn, { count: declared, preview });
    const isWritten = index < changed;
    if (isWritten) request(reads);
    forecast.countDecision(urn, isWritten);
    if (preview || !isWritten) continue;
    forecast.countWrite(urn);
    request(writes);
  }
  return messages;
};

test("a run forecasts its requests once a tenth of its resources shows what one costs", () => {
  const [first, ...more] = run(100);
  expect(first?.[0]).toBe(10);
  // Ninety more at the average of the first ten: nine made two requests each, and the tenth one so far.
  expect(first?.[1]).toBe(
    "about 171 requests are still to be made, and the service allows few: this run will wait about 3 minutes.",
  );
  expect(more).toEqual([]);
});

test("an unchanged program forecasts no requests, however many resources it declares", () => {
  expect(run(10_000, { changed: 0 })).toEqual([]);
});

test("the first few of many resources are not extrapolated to all", () => {
  expect(run(1000, { changed: 3 })).toEqual([]);
});

test("with few resources the forecast waits for ten of them, or for all", () => {
  expect(run(40, { free: 0, reads: 3 })[0]?.[0]).toBeLessThan(10);
  expect(run(40, { free: 25 })[0]?.[0]).toBe(10);
  expect(run(4, { free: 60, writes: 20 })[0]?.[0]).toBe(4);
});

test("a quota that is used up is reported immediately, whatever is known about the other resources", () => {
  expect(run(1000, { free: 0, changed: 30 })[0]?.[0]).toBeLessThan(20);
});

test("a preview of the whole program forecasts the requests of `up`, before the confirmation", () => {
  expect(run(80, { preview: true, free: 100 })).toEqual([
    [80, "`pulumi up` will make about 160 requests, and the service allows few: it will wait about 5 minutes."],
  ]);
  expect(run(80, { preview: true, free: 1000 })).toEqual([]);
});

test("a preview of part of the program forecasts nothing", () => {
  expect(run(80, { preview: true, declared: 81 })).toEqual([]);
});

test("requests of a preceding refresh do not count as the cost of a resource", () => {
  expect(run(200, { refresh: 90, changed: 0 })).toEqual([]);
});

test("reports only the queued requests when no program runs", () => {
  expect(run(0, { refresh: 120 })[0]?.[1]).toContain(
    "The number of requests that follow is not known, because no program runs.",
  );
});
