import type { DeployedRule } from "../../../core/model/ruleset.js";
import { applyOverrides } from "../../../core/managed/apply-overrides.js";
import { fc } from "../../support/properties.js";

const rule = (id: string, categories: readonly string[], more: Partial<DeployedRule> = {}): DeployedRule => ({
  ...{ id, ref: id, version: "1", action: "block", description: id, categories },
  ...more,
});

test("an override of a rule wins over its tags, the last tag over the first, and these over the ruleset", () => {
  const rules = [
    rule("own", ["a", "b"]),
    rule("tagged", ["a", "b"]),
    rule("plain", [], { enabled: false, wire: { score_threshold: 40 } }),
  ];
  const made = applyOverrides(rules, {
    action: "log",
    enabled: true,
    sensitivityLevel: "low",
    categories: [
      { category: "b", action: "challenge", enabled: false },
      { category: "a", action: "js_challenge" },
    ],
    rules: [{ id: "own", action: "managed_challenge", scoreThreshold: 25 }],
  });
  expect(
    made.map(({ id, action, enabled, sensitivityLevel, scoreThreshold }) => [
      id,
      action,
      enabled,
      sensitivityLevel,
      scoreThreshold,
    ]),
  ).toEqual([
    ["own", "managed_challenge", false, "low", 25],
    ["tagged", "js_challenge", false, "low", undefined],
    ["plain", "log", true, "low", 40],
  ]);
  expect(made.map(({ overriddenBy }) => overriddenBy)).toEqual([
    { action: "rule", enabled: "tag b", sensitivityLevel: "ruleset", scoreThreshold: "rule" },
    { action: "tag a", enabled: "tag b", sensitivityLevel: "ruleset" },
    { action: "ruleset", enabled: "ruleset", sensitivityLevel: "ruleset" },
  ]);
});

test("without overrides a rule keeps Cloudflare's defaults", () => {
  expect(applyOverrides([rule("r", ["a"], { enabled: false })])).toEqual([
    { id: "r", description: "r", categories: ["a"], action: "block", enabled: false, overriddenBy: {} },
  ]);
});

test("an override of a tag without rules, or of a missing rule, changes nothing", () => {
  const tag = fc.constantFrom("a", "b");
  fc.assert(
    fc.property(fc.array(fc.uniqueArray(tag)), (tags) => {
      const rules = tags.map((categories, index) => rule(String(index), categories));
      const elsewhere = { categories: [{ category: "c", action: "log" }], rules: [{ id: "x", enabled: false }] };
      expect(applyOverrides(rules, elsewhere)).toEqual(applyOverrides(rules));
    }),
  );
});
