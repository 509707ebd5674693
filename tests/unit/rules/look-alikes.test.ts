import { contentOf } from "../../../core/rules/content.js";
import { mayBeSame } from "../../../core/rules/rule.js";
import { LookAlikes } from "../../../core/rules/look-alikes.js";
import { Pool } from "../../../core/rules/pool.js";
import type { Json, JsonObject } from "../../../core/model/json.js";
import { UNKNOWN } from "../../../core/model/unknown.js";
import { anyRule } from "../../support/any-rules.js";
import { fc } from "../../support/properties.js";

/** The same value with some of its leaves and members unknown. */
function withUnknowns(value: Json, choose: () => boolean): Json {
  if (choose()) return UNKNOWN;
  if (Array.isArray(value)) return (value as Json[]).map((item) => withUnknowns(item, choose));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withUnknowns(item ?? null, choose)] as const),
  );
}

test("finds the same first match for a rule with unknowns as a comparison with all of them", () => {
  const several = fc.array(anyRule, { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(several, several, fc.infiniteStream(fc.nat(3)), (known, others, random) => {
      const contents = known.map(contentOf);
      const alike = new LookAlikes(contents, new Set(contents.keys()));
      for (const rule of [...known, ...others]) {
        const wanted = Object.fromEntries(
          Object.entries(contentOf(rule)).map(([key, item]) => [
            key,
            withUnknowns(item ?? null, () => random.next().value === 0),
          ]),
        ) as JsonObject;
        const expected = contents.findIndex((content) => mayBeSame(content, wanted));
        expect(alike.first(wanted)).toBe(expected < 0 ? undefined : expected);
      }
    }),
  );
});

test("finds a rule by its known values, even with very many combinations of unknowns", () => {
  const contents = Array.from({ length: 40 }, (_, index) => ({
    action: "rewrite",
    expression: `ip.src eq 192.0.2.${String(index)}`,
    actionParameters: { headers: Array.from({ length: 40 }, (_item, at) => `h${String(at)}`) },
  }));
  const alike = new LookAlikes(contents, new Set(contents.keys()));
  contents.forEach((content, index) => {
    const headers = content.actionParameters.headers.map((header, at) => (at === index ? UNKNOWN : header));
    expect(alike.first({ ...content, actionParameters: { headers } })).toBe(index);
  });
});

test("a pool hands out its members in order, each once until it is free again", () => {
  const free = new Set([3, 1, 2]);
  const pool = new Pool(free);
  for (const member of [3, 1, 2]) pool.add("a", member);
  expect(pool.first("a")).toBe(3);
  free.delete(3);
  free.delete(1);
  expect(pool.first("a")).toBe(2);
  free.delete(2);
  expect(pool.first("a")).toBeUndefined();
  expect(pool.first("constructor")).toBeUndefined();
});
