import * as pulumi from "@pulumi/pulumi";
import { expression, from, inParts, split, stages, until, type Rule } from "../../../provider/index.js";
import { promiseOf } from "../../../provider/sdk/resources/promise-of.js";

const rule: Rule = { ref: "a", action: "block", expression: 'http.host eq "a" or ssl' };
const value = <T>(given: pulumi.Input<T>) => promiseOf(pulumi.output(given) as pulumi.Output<unknown>);

test("conditions are added in brackets that keep the meaning", () => {
  expect(split(until(rule, "1970-01-01"), 5)).toEqual({
    ...rule,
    expression:
      '(http.host eq "a" or ssl) and http.request.timestamp.sec lt 86400 and hash_in_range(0, 100, cf.random_seed) lt 5',
  });
  expect(from({ ...rule, expression: "true" }, "1970-01-01T00:00:05Z").expression).toBe(
    "http.request.timestamp.sec ge 5",
  );
});

test("a rule keeps its type and its other arguments", () => {
  const alone = { zoneId: "z", phase: "http_ratelimit", action: "log", expression: "ssl" } as const;
  expect(until(alone, "1970-01-01")).toEqual({ ...alone, expression: "ssl and http.request.timestamp.sec lt 86400" });
});

test("the first stage only logs, without the parameters of its action, and the last is the rule", () => {
  const skip: Rule = { ...rule, action: "skip", actionParameters: { ruleset: "current" }, logging: { enabled: true } };
  expect(stages(skip, "log")).toEqual({ ...rule, action: "log" });
  expect(stages(skip, "full")).toBe(skip);
  expect(stages(rule, 5)).toEqual(split(rule, 5));
});

test("an expression that is an output stays one, and a secret stays secret", async () => {
  const ended = until({ ...rule, expression: expression`http.host eq ${pulumi.secret("a")}` }, "1970-01-01");
  expect(await value(ended.expression)).toBe('http.host eq "a" and http.request.timestamp.sec lt 86400');
  expect(await pulumi.isSecret(pulumi.output(ended.expression))).toBe(true);
});

test("a share of a rate limit counts all matching requests, unless it says what it counts", async () => {
  const limit = { characteristics: ["cf.colo.id"], period: 60, requestsPerPeriod: 10 };
  expect(await value(split({ ...rule, ratelimit: limit }, 5).ratelimit)).toEqual({
    ...limit,
    countingExpression: rule.expression,
  });
  const own = { ...limit, countingExpression: "ssl" };
  expect(await value(split({ ...rule, ratelimit: own }, 5).ratelimit)).toEqual(own);
});

test.each([0, 100, 0.5, NaN])("a share is not %d %%", (percent) => {
  expect(() => split(rule, percent)).toThrow("the share must be a whole number of percent from 1 to 99");
});

test.each(["2026-02-30", "2026-12", "2026-12-31T18:00", "2026-12-31T18:00:00+01:00", ""])("%j is no time", (date) => {
  expect(() => until(rule, date)).toThrow(`until: ${JSON.stringify(date)} must be a day or a time in UTC`);
  expect(() => from(rule, date)).toThrow("from: ");
});

test("a rule that is too long becomes several, each with a ref of its own and the same conditions", async () => {
  const paths = Array.from({ length: 400 }, (_, index) => `/path/${String(index)}`);
  const long: Rule = { ref: "bad", action: "block", expression: expression`http.request.uri.path in ${paths} and ssl` };
  const parts = (await value(inParts(until(long, "1970-01-01")))) as readonly { ref: string; expression: string }[];
  expect(parts.length).toBeGreaterThan(1);
  expect(parts[0]?.ref).toBe("bad");
  expect(parts.slice(1).every(({ ref }) => /^bad-part-[01]*1$/.test(ref))).toBe(true);
  expect(parts.flatMap(({ expression: text }) => text.match(/"[^"]*"/g) ?? []).sort()).toEqual(
    paths.map((path) => JSON.stringify(path)).sort(),
  );
  for (const part of parts) expect(part.expression).toMatch(/ and ssl and http\.request\.timestamp\.sec lt 86400$/);
  expect(await value(inParts(rule))).toEqual([rule]);
});

test("a rule that may not act twice, or has no ref, cannot become several", () => {
  const { ref: _ref, ...unnamed } = rule;
  expect(() => inParts(unnamed)).toThrow("requires ref");
  const parameters = { headers: { a: { operation: "remove" } } };
  expect(() => inParts({ ref: "a", action: "rewrite", expression: "ssl", actionParameters: parameters })).toThrow(
    "is not for the action rewrite",
  );
});
