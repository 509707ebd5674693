import { makeRequest } from "../../../core/language/index";
import { compileExpression } from "../../../core/language/index";
import { expressionLength } from "../../../core/language/length";
import { momentWords, parseMoment } from "../../../core/model/rollout";
import { expiryOf } from "../../../core/rules/written/expiry";
import { rolloutWords, stageOf, windowOf } from "../../../core/rules/written/rollout";
import { splitExpression } from "../../../core/rules/written/split";
import { UNKNOWN } from "../../../core/model/unknown";
import { fc, runs } from "../../support/properties.js";

const seconds = (text: string): number => Date.parse(text) / 1000;

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
        const parts = splitExpression(`ssl and ${list}`) ?? [];
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
            (splitExpression(`http.host in {${some.join(" ")}}`) ?? []).map((part) => [part.suffix, part.expression]),
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
    const parts = splitExpression(text) ?? [];
    expect(parts.length).toBeGreaterThanOrEqual(2);
    for (const { expression } of parts)
      expect(expression).toMatch(
        /^ip\.src\.asnum in \{[\d ]+\} and http\.host in \{"a" "b"\} and \(ssl or cf\.client\.bot\)$/,
      );
  });

  test("needs a list that is not negated", () => {
    const numbers = Array.from({ length: 1200 }, (_, index) => String(1000 + index)).join(" ");
    expect(splitExpression(`not ip.src.asnum in {${numbers}}`)).toBeUndefined();
    expect(splitExpression(`http.host eq "${"a".repeat(5000)}"`)).toBeUndefined();
  });
});
