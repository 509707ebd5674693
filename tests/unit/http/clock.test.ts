import { systemClock } from "../../../client/http/clock.js";

describe("a pause longer than a timer can run", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test("lasts as long as requested", async () => {
    const month = 30 * 24 * 3600 * 1000;
    let over = false;
    void systemClock.sleep(month).then(() => (over = true));
    await jest.advanceTimersByTimeAsync(month - 1);
    expect(over).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(over).toBe(true);
  });
});
