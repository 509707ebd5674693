import { makeRequest } from "../../../language/index";
import { compileExpression } from "../../../language/index";
import { expressionLength } from "../../../language/length";
import { momentWords, parseMoment, parseStage } from "../../../provider/model/rollout";
import { expiryOf } from "../../../provider/rules/written/expiry";
import { resolveRule } from "../../../provider/rules/written/resolve";
import { recoverWritten } from "../../../provider/rules/written/recover";
import { rolloutWords, stageOf, windowOf } from "../../../provider/rules/written/rollout";
import { splitExpression } from "../../../provider/rules/written/split";
import type { JsonObject } from "../../../provider/model/json";
import { UNKNOWN } from "../../../provider/model/unknown";
import { fc, runs } from "../../support/properties.js";

const same = (text: string): string => text;
const seconds = (text: string): number => Date.parse(text) / 1000;

describe("what a deployed rule says of its time and stage", () => {
  const time = (op: string, text: string) => `http.request.timestamp.sec ${op} ${String(seconds(text))}`;
  const share = "hash_in_range(0, 100, cf.random_seed) lt 5";
  const until = time("lt", "2027-01-01T00:00:00Z");
  test.each([
    [`ssl and ${until}`, { expression: "ssl", until: "2026-12-31" }],
    [until, { expression: "true", until: "2026-12-31" }],
    [`(ssl or cf.client.bot) and ${until}`, { expression: "ssl or cf.client.bot", until: "2026-12-31" }],
    [`ssl and ${time("lt", "2026-12-31T18:00:00Z")}`, { expression: "ssl", until: "2026-12-31T18:00:00Z" }],
    [
      `ssl and ${time("ge", "2026-12-01T00:00:00Z")} and ${until} and ${share}`,
      { expression: "ssl", from: "2026-12-01", until: "2026-12-31", stage: "5%" },
    ],
    [`ssl and ${share}`, { expression: "ssl", stage: "5%" }],
    [`ssl and ${share} and ${until}`, { expression: `ssl and ${share}`, until: "2026-12-31" }],
    // A condition of its own comes before those that fields add.
    [
      `${time("ge", "2020-01-01T00:00:00Z")} and ssl and ${until}`,
      { expression: `${time("ge", "2020-01-01T00:00:00Z")} and ssl`, until: "2026-12-31" },
    ],
  ])("%s", (expression, expected) => {
    const rule = { ref: "a", action: "block", expression };
    expect(recoverWritten(rule)).toEqual({ ...rule, ...expected });
    expect(resolveRule(recoverWritten(rule))).toEqual([rule]);
  });

  test.each([
    ["a time in the middle", `ssl and ${until} and cf.client.bot`],
    ["a time in an or", `ssl or ${until}`],
    ["another spelling", `ssl && ${until}`],
    ["another operator", `ssl and ${time("le", "2027-01-01T00:00:00Z")}`],
    ["another range", "ssl and hash_in_range(0, 10, cf.random_seed) lt 5"],
    ["an end beyond the calendar", "ssl and http.request.timestamp.sec lt 99999999999999"],
    ["what is no expression", `ssl and and ${until}`],
  ])("is left in the expression if it is %s", (_what, expression) => {
    const rule = { ref: "a", action: "block", expression };
    expect(recoverWritten(rule)).toBe(rule);
  });

  test("is left in the expression if a stage would need a ref, except in a resource of its own", () => {
    const rule = { action: "block", expression: `ssl and ${share}` };
    expect(recoverWritten(rule)).toBe(rule);
    expect(recoverWritten(rule, { isSingle: true })).toEqual({ action: "block", expression: "ssl", stage: "5%" });
  });

  test("of a rate limit, is a stage only if all matching requests are counted", () => {
    const limit = (ratelimit: JsonObject) => ({ ref: "a", action: "block", expression: `ssl and ${share}`, ratelimit });
    expect(recoverWritten(limit({ period: 60, countingExpression: "ssl" }))).toEqual({
      ...{ ref: "a", action: "block", expression: "ssl", stage: "5%", ratelimit: { period: 60 } },
    });
    expect(recoverWritten(limit({ period: 60, countingExpression: "not ssl" }))).toMatchObject({ stage: "5%" });
    expect(recoverWritten(limit({ period: 60 }))).not.toHaveProperty("stage");
  });

  test("is what a program wrote, whatever that was", () => {
    const moment = fc.oneof(
      fc.integer({ min: 0, max: 40_000 }).map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10)),
      fc.integer({ min: 0, max: 4_000_000_000 }).map((at) => new Date(at * 1000).toISOString().replace(".000Z", "Z")),
    );
    const base = fc.constantFrom(
      "ssl",
      "true",
      "ssl or cf.client.bot",
      "(ssl)",
      "not ssl and cf.client.bot",
      until,
      share,
    );
    const fields = { from: moment, until: moment, stage: fc.integer({ min: 1, max: 99 }).map((n) => `${String(n)}%`) };
    fc.assert(
      fc.property(base, fc.record(fields, { requiredKeys: [] }), (expression, given) => {
        const [deployed = {}] = resolveRule({ ref: "a", action: "block", expression, ...given });
        expect(resolveRule(recoverWritten(deployed))).toEqual([deployed]);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe("a stage", () => {
  test.each([
    ["log", { kind: "log" }],
    ["full", { kind: "full" }],
    ["1%", { kind: "share", percent: 1 }],
    ["25 %", { kind: "share", percent: 25 }],
    ["99%", { kind: "share", percent: 99 }],
  ])("%s", (text, stage) => {
    expect(parseStage(text)).toEqual(stage);
  });
  test.each(["0%", "00%", "100%", "5", "0.5%", "5%%", "Log", ""])("is not %j", (text) => {
    expect(parseStage(text)).toBeUndefined();
  });
});

describe("a moment", () => {
  test.each([
    ["2026-12-31", "2026-12-31T00:00:00Z", "2027-01-01T00:00:00Z"],
    ["2028-02-29", "2028-02-29T00:00:00Z", "2028-03-01T00:00:00Z"],
    ["2026-12-31T18:00:00Z", "2026-12-31T18:00:00Z", "2026-12-31T18:00:00Z"],
  ])("%s begins at %s and ends at %s", (text, from, until) => {
    expect(parseMoment(text, "from")).toBe(seconds(from));
    expect(parseMoment(text, "until")).toBe(seconds(until));
  });
  test.each([
    "2026-02-29",
    "2026-13-01",
    "2026-1-1",
    "26-01-01",
    "2026-12-31T24:00:00Z",
    "2026-12-31T18:00:00",
    "tomorrow",
    "",
  ])("is not %j", (text) => {
    expect(parseMoment(text, "until")).toBeUndefined();
  });
  test.each([
    ["2026-12-31", "until", "the end of 2026-12-31 (UTC)"],
    ["2026-12-31", "from", "the start of 2026-12-31 (UTC)"],
    ["2026-12-31T18:00:00Z", "until", "2026-12-31 18:00:00 (UTC)"],
  ] as const)("%s as %s is %s in words", (text, field, words) => {
    expect(momentWords(parseMoment(text, field) ?? 0, field)).toBe(words);
  });
});

describe("what a deployed expression says", () => {
  test.each([
    ["ssl and http.request.timestamp.sec lt 100", { until: 100 }],
    ["(ssl and http.request.timestamp.sec <= 99) and (http.request.timestamp.sec > 9)", { from: 10, until: 100 }],
    ["http.request.timestamp.sec lt 100 and http.request.timestamp.sec lt 50", { until: 50 }],
    ["ssl or http.request.timestamp.sec lt 100", {}],
    ["not http.request.timestamp.sec lt 100", {}],
    ["http.request.timestamp.sec ne 100", {}],
    ["http.request.timestamp.sec lt", {}],
  ])("%s applies in %j", (expression, window) => {
    expect(windowOf({ expression })).toEqual(window);
  });

  test.each([
    ["block", "ssl and hash_in_range(0, 100, cf.random_seed) lt 5", { kind: "share", percent: 5 }],
    ["block", "ssl or hash_in_range(0, 100, cf.random_seed) lt 5", { kind: "full" }],
    ["block", "ssl and hash_in_range(0, 10, cf.random_seed) lt 5", { kind: "full" }],
    ["block", "ssl and hash_in_range(0, 100, http.host) lt 5", { kind: "full" }],
    ["log", "ssl", { kind: "log" }],
  ])("%s when %s is at the stage %j", (action, expression, stage) => {
    expect(stageOf({ action, expression })).toEqual(stage);
  });

  test("is said of an edit only where its action does not show it", () => {
    const log = { action: "log", expression: "ssl" };
    const some = { action: "block", expression: "ssl and hash_in_range(0, 100, cf.random_seed) lt 5" };
    expect(rolloutWords(log, some)).toBe("log only → 5 % of matching requests");
    expect(rolloutWords(undefined, some)).toBe("applies to 5 % of matching requests");
    expect(rolloutWords(log, { action: "block", expression: "ssl" })).toBeUndefined();
    expect(rolloutWords(log, log)).toBeUndefined();
    expect(rolloutWords({ action: "block", expression: UNKNOWN }, log)).toBeUndefined();
  });

  test("is the end of a rule", () => {
    const until = seconds("2027-01-01T00:00:00Z");
    const rule = { action: "block", expression: `ssl and http.request.timestamp.sec lt ${String(until)}` };
    const day = 86_400;
    expect(expiryOf(rule, until - 8 * day, 7)).toBeUndefined();
    expect(expiryOf(rule, until - 7 * day, 7)?.text).toBe("it expires in 7 days, at the end of 2026-12-31 (UTC)");
    expect(expiryOf(rule, until - 2 * day + 1, 7)?.text).toBe("it expires in 47 hours, at the end of 2026-12-31 (UTC)");
    expect(expiryOf(rule, until - 60, 7)?.text).toBe("it expires in less than an hour, at the end of 2026-12-31 (UTC)");
    expect(expiryOf(rule, until, 7)).toMatchObject({
      kind: "expired",
      text: "it expired at the end of 2026-12-31 (UTC)",
    });
    expect(expiryOf({ ...rule, enabled: false }, until, 7)).toBeUndefined();
  });
});

describe("a rule of a program", () => {
  const rule = { ref: "a", action: "block", expression: 'http.host eq "a" or ssl' };

  test("gets its conditions in brackets that keep the meaning", () => {
    expect(resolveRule({ ...rule, until: "1970-01-01", stage: "5%" })).toEqual([
      {
        ...rule,
        expression:
          '(http.host eq "a" or ssl) and http.request.timestamp.sec lt 86400 and hash_in_range(0, 100, cf.random_seed) lt 5',
      },
    ]);
    expect(resolveRule({ ...rule, expression: "true", stage: "5%" })[0]?.expression).toBe(
      "hash_in_range(0, 100, cf.random_seed) lt 5",
    );
    expect(resolveRule({ ...rule, stage: "full" })).toEqual([rule]);
    expect(resolveRule(rule)).toEqual([rule]);
  });

  test("gets no condition twice", () => {
    const fields = { from: "2026-01-01", until: "2026-12-31", stage: "5%" };
    const [once] = resolveRule({ ...rule, ...fields });
    expect(resolveRule({ ...once, ...fields })).toEqual([once]);
  });

  test("only logs without the parameters of its action", () => {
    const skip = { ...rule, action: "skip", actionParameters: { ruleset: "current" }, logging: { enabled: true } };
    expect(resolveRule({ ...skip, stage: "log" })).toEqual([{ ...rule, action: "log" }]);
  });

  test("is not known while one of the values is not", () => {
    expect(resolveRule({ ...rule, until: UNKNOWN })).toEqual([{ ...rule, expression: UNKNOWN }]);
    expect(resolveRule({ ...rule, stage: UNKNOWN })).toEqual([{ ...rule, action: UNKNOWN, expression: UNKNOWN }]);
    expect(resolveRule({ ...rule, expression: UNKNOWN, split: true })).toEqual([{ ...rule, expression: UNKNOWN }]);
  });

  test("with a fault stays as it is, for the check to name it", () => {
    for (const fault of [
      { until: "soon" },
      { stage: "half" },
      { from: "2026-02-02", until: "2026-01-01" },
      { split: 1 },
    ])
      expect(resolveRule({ ...rule, ...fault })).toEqual([{ ...rule, ...fault }]);
  });

  test("leaves when its time is over, if asked to", () => {
    const expired = { ...rule, until: "2026-01-01" };
    expect(resolveRule(expired, { expiredAt: seconds("2026-01-01T23:59:59Z") })).toHaveLength(1);
    expect(resolveRule(expired, { expiredAt: seconds("2026-01-02T00:00:00Z") })).toEqual([]);
  });
});

describe("an expression that is split", () => {
  const host = fc.stringMatching(/^[a-z]{8,30}$/).map((text) => `"${text}.example.com"`);
  const hosts = (most: number) => fc.uniqueArray(host, { minLength: 150, maxLength: most });
  const membersOf = (expression: string): string[] => expression.match(/"[a-z]+\.example\.com"/g) ?? [];

  test("matches what the whole matches, in parts that each fit", () => {
    fc.assert(
      fc.property(hosts(400), fc.constantFrom("or", "set"), fc.nat(), (all, form, at) => {
        const list =
          form === "set"
            ? `http.host in {${all.join(" ")}}`
            : `(${all.map((one) => `http.host eq ${one}`).join(" or ")})`;
        const parts = splitExpression(`ssl and ${list}`, same) ?? [];
        expect(parts.every(({ expression }) => expressionLength(expression) <= 4000)).toBe(true);
        expect(parts.flatMap(({ expression }) => membersOf(expression)).sort()).toEqual([...all].sort());
        expect(new Set(parts.map(({ suffix }) => suffix)).size).toBe(parts.length);
        const one = all[at % all.length]?.slice(1, -1) ?? "";
        for (const url of [`https://${one}/`, `http://${one}/`, "https://other.example.com/"]) {
          const matching = parts.filter(({ expression }) =>
            compileExpression(expression).matches(makeRequest({ url })),
          );
          expect(matching).toHaveLength(url === `https://${one}/` ? 1 : 0);
        }
      }),
      { numRuns: runs(20) },
    );
  });

  const longHosts = fc
    .uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{8}$/), fc.integer({ min: 500, max: 1900 })), {
      ...{ minLength: 2, maxLength: 12, selector: ([text]: [string, number]) => text },
    })
    .map((all) => all.map(([text, length]) => `"${text.padEnd(length, "x")}.example.com"`));
  test.each([
    ["many members", hosts(400), 2],
    // One that fits beside no other may add several.
    ["few long members", longHosts, Infinity],
  ])("of %s changes one part when a member comes, and at most adds others", (_what, members, most) => {
    let changes = 0;
    fc.assert(
      fc.property(members, (all) => {
        const [added, ...before] = all;
        const write = (some: readonly (string | undefined)[]) =>
          new Map(
            (splitExpression(`http.host in {${some.join(" ")}}`, same) ?? []).map((part) => [
              part.suffix,
              part.expression,
            ]),
          );
        const [old, now] = [write(before), write([...before, added])];
        const changed = Array.from(now.keys()).filter((suffix) => old.get(suffix) !== now.get(suffix));
        changes += changed.length;
        expect(changed.length).toBeLessThanOrEqual(most);
        expect(changed.filter((suffix) => old.has(suffix)).length).toBeLessThanOrEqual(1);
        // No part loses its name, and the first has that of the rule.
        expect(Array.from(old.keys()).filter((suffix) => !now.has(suffix))).toEqual([]);
        expect(now.has("")).toBe(true);
      }),
      { numRuns: runs(60) },
    );
    expect(changes).toBeGreaterThan(0);
  });

  test("is split at its longest list, and repeats the other conditions", () => {
    const numbers = Array.from({ length: 1200 }, (_, index) => String(1000 + index)).join(" ");
    const text = `(ip.src.asnum in {${numbers}}) and http.host in {"a" "b"} and (ssl or cf.client.bot)`;
    const parts = splitExpression(text, same) ?? [];
    expect(parts.length).toBeGreaterThanOrEqual(2);
    for (const { expression } of parts)
      expect(expression).toMatch(
        /^ip\.src\.asnum in \{[\d ]+\} and http\.host in \{"a" "b"\} and \(ssl or cf\.client\.bot\)$/,
      );
  });

  test("needs a list that is not negated", () => {
    const numbers = Array.from({ length: 1200 }, (_, index) => String(1000 + index)).join(" ");
    expect(splitExpression(`not ip.src.asnum in {${numbers}}`, same)).toBeUndefined();
    expect(splitExpression(`http.host eq "${"a".repeat(5000)}"`, same)).toBeUndefined();
  });
});
