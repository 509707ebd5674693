import { Limiter, parseRateHeader } from "../../../provider/http/limiter.js";

function clockAt(start: number) {
  const clock = { time: start, now: () => clock.time, sleep: () => Promise.resolve() };
  return clock;
}

/** Sends as fast as the limiter allows, and returns how many requests went out within a time. */
function sentWithin(seconds: number, limiter: Limiter, clock: { time: number }): number {
  const end = clock.time + seconds * 1000;
  let sent = 0;
  for (;;) {
    const wait = limiter.reserve();
    clock.time += wait;
    if (clock.time > end) return sent;
    sent += 1;
  }
}

test("stays under 1200 requests in any five minutes, however many are asked for", () => {
  const clock = clockAt(0);
  const limiter = new Limiter({ clock });
  expect(sentWithin(300, limiter, clock)).toBeLessThan(1200);
  expect(sentWithin(300, limiter, clock)).toBeLessThan(1200);
});

test("lets a burst through at once", () => {
  const limiter = new Limiter({ clock: clockAt(0) });
  expect(Array.from({ length: 100 }, () => limiter.reserve())).toEqual(Array.from({ length: 100 }, () => 0));
});

test("keeps the pace a user sets", () => {
  const clock = clockAt(0);
  const limiter = new Limiter({ clock, requestsPerSecond: 2 });
  expect(sentWithin(60, limiter, clock)).toBeLessThanOrEqual(123);
});

test("holds everything back while the service asks for a pause", () => {
  const clock = clockAt(0);
  const limiter = new Limiter({ clock });
  limiter.pause(9000);
  expect(limiter.reserve()).toBe(9000);
  clock.time = 9000;
  expect(limiter.reserve()).toBe(0);
});

test("spreads what is left of the service's window, and is free again in the next", () => {
  const clock = clockAt(0);
  const limiter = new Limiter({ clock });
  limiter.observe({ remaining: 10, resetSeconds: 30 });
  expect([limiter.reserve(), limiter.reserve(), limiter.reserve()]).toEqual([0, 3000, 6000]);
  limiter.observe({ remaining: 1000, resetSeconds: 300 });
  expect(limiter.reserve()).toBe(0);
});

test("waits for the next window when nothing is left", () => {
  const limiter = new Limiter({ clock: clockAt(0) });
  limiter.observe({ remaining: 0, resetSeconds: 12 });
  expect(limiter.reserve()).toBe(12_000);
});

test("reads the rate header of the service", () => {
  expect(parseRateHeader('"default";r=50;t=30')).toEqual({ remaining: 50, resetSeconds: 30 });
  expect(parseRateHeader(undefined)).toBeUndefined();
  expect(parseRateHeader("nonsense")).toBeUndefined();
});
