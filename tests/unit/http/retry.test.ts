import { backoffMs, decideRetry, isAmbiguous, retryAfterMs, type Outcome } from "../../../client/http/retry.js";

const now = Date.parse("2026-01-01T00:00:00Z");
const answered = (status: number, retryAfter?: string): Outcome => ({ kind: "answered", status, retryAfter });
const decide = (method: string, outcome: Outcome, attempts = 1) =>
  decideRetry({ method, outcome, attempts, maxRetries: 2, now, random: 0 });

describe("what to do after an attempt", () => {
  test.each<[string, Outcome, string]>([
    ["GET", answered(200), "done"],
    ["GET", answered(404), "done"],
    ["PUT", answered(400), "done"],
    ["GET", answered(500), "again"],
    ["GET", answered(429), "again"],
    ["GET", { kind: "broken" }, "again"],
    ["DELETE", answered(503), "again"],
    ["DELETE", { kind: "broken" }, "again"],
    ["PUT", answered(429), "again"],
    ["POST", answered(429), "again"],
    ["POST", { kind: "refused" }, "again"],
    ["PUT", { kind: "refused" }, "again"],
    ["PUT", answered(502), "failed"],
    ["POST", answered(500), "failed"],
    ["POST", { kind: "broken" }, "failed"],
    ["PATCH", { kind: "broken" }, "failed"],
  ])("%s after %j: %s", (method, outcome, kind) => {
    expect(decide(method, outcome).kind).toBe(kind);
  });

  test("gives up after the last retry", () => {
    expect(decide("GET", answered(503), 2).kind).toBe("again");
    expect(decide("GET", answered(503), 3).kind).toBe("failed");
  });

  test("retries a 429 after the time the server names", () => {
    expect(decide("GET", answered(429, "7"))).toEqual({ kind: "again", afterMs: 7000 });
    for (const date of [
      "Thu, 01 Jan 2026 00:00:09 GMT",
      "Thursday, 01-Jan-26 00:00:09 GMT",
      "Thu Jan  1 00:00:09 2026",
    ])
      expect(decide("GET", answered(429, date))).toEqual({ kind: "again", afterMs: 9000 });
  });

  test("waits at most as long as the quota of the service lasts, and sends nothing again where it asks for more", () => {
    expect(decide("GET", answered(429, "310"))).toEqual({ kind: "again", afterMs: 310_000 });
    for (const header of [
      "311",
      "999999",
      "9".repeat(400),
      "Fri, 01 Jan 2027 00:00:00 GMT",
      "Fri, 01 Jan 2027 00:00:00",
    ])
      for (const status of [429, 503])
        expect([header, decide("GET", answered(status, header)).kind]).toEqual([header, "failed"]);
  });

  test("backs off where the time that the service names is none or over, by a clock of its own", () => {
    for (const header of ["0", "-5", "soon", "Wed, 31 Dec 2025 00:00:00 GMT"])
      expect([header, decide("GET", answered(429, header))]).toEqual([header, { kind: "again", afterMs: 500 }]);
  });

  test("reports which writes may have succeeded", () => {
    expect(isAmbiguous("PUT", answered(502))).toBe(true);
    expect(isAmbiguous("POST", { kind: "broken" })).toBe(true);
    expect(isAmbiguous("POST", { kind: "refused" })).toBe(false);
    expect(isAmbiguous("PUT", answered(429))).toBe(false);
    expect(isAmbiguous("GET", answered(500))).toBe(false);
    expect(isAmbiguous("PUT", answered(400))).toBe(false);
  });
});

test("backs off exponentially with jitter, up to thirty seconds", () => {
  expect([1, 2, 3].map((attempt) => backoffMs(attempt, 0))).toEqual([500, 1000, 2000]);
  expect(backoffMs(20, 0)).toBe(30_000);
  expect(backoffMs(1, 1)).toBe(375);
});

test("ignores a Retry-After header without a valid time", () => {
  expect(retryAfterMs(undefined, now)).toBeUndefined();
  // `Date.parse` accepts most of these as dates.
  for (const header of ["soon", "", "-5", "1.5", "2026-01-02", "-0", "7 s", "Sunday -5", "Mon 5"])
    expect([header, retryAfterMs(header, now)]).toEqual([header, undefined]);
  expect(retryAfterMs("Wed, 31 Dec 2025 00:00:00 GMT", now)).toBe(0);
});
