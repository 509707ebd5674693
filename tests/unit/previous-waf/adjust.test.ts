import { adjust, typedRules, withRules, type Adjustments } from "../../../core/previous-waf/adjust.js";
import { compareDigest, configDigest, isDigest } from "../../../core/previous-waf/digest.js";
import { coreLevel, plannedWords } from "../../../core/previous-waf/readiness/words.js";
import { managedRulesets, SCORING_RULE } from "../../../core/managed/rulesets.js";
import type { JsonObject } from "../../../core/model/json.js";
import type { RetrievedConfig } from "../../../core/model/migration.js";

const empty = { id: "", version: "", ref: "", description: "", enabled: true };
const current = { ruleset: "current" };
const skip = { ...empty, action: "skip", expression: "ssl", description: "partner", action_parameters: current };
const execute = (action_parameters: object) => ({ ...empty, action: "execute", expression: "true", action_parameters });
const managed = execute({ id: managedRulesets.cloudflareManaged });
const level = (number: number) => ({ category: `paranoia-level-${String(number)}`, enabled: false });
const core = execute({
  id: managedRulesets.owaspCore,
  overrides: {
    categories: [level(4)],
    rules: [{ id: SCORING_RULE, score_threshold: 40, action: "challenge" }],
  },
});
const config: RetrievedConfig = { name: "default", rules: [skip, managed, core] };
const overridesOf = (adjustments: Adjustments, index: number): JsonObject =>
  (adjust(config, adjustments).config.rules[index]?.action_parameters as { overrides: JsonObject }).overrides;

describe("adjustments", () => {
  test("without any, the retrieved configuration is unchanged, including empty IDs", () => {
    expect(adjust(config, {}).config).toEqual(config);
    expect(adjust(config, {}).config.rules[0]).toBe(skip);
  });

  test("drop and disable rules by what they execute, describe or match, and leave the others unchanged", () => {
    const { config: after, unmatched } = adjust(config, {
      drop: [{ executes: managedRulesets.cloudflareManaged }],
      disable: [{ description: "partner", expression: "ssl" }],
    });
    expect(after.rules).toEqual([{ ...skip, enabled: false }, core]);
    expect(after.rules[1]).toBe(core);
    expect(unmatched).toEqual([]);
  });

  test("merge an override of a rule or tag with the retrieved one", () => {
    const off = { id: "0123456789abcdef0123456789abcdef", enabled: false };
    const rules = [{ id: SCORING_RULE, scoreThreshold: 60 }, off];
    const overrides = [{ rulesetId: managedRulesets.owaspCore, rules, categories: [level(3)] }];
    expect(overridesOf({ overrides }, 2)).toEqual({
      categories: [level(4), level(3)],
      rules: [{ id: SCORING_RULE, score_threshold: 60, action: "challenge" }, off],
    });
  });

  test("switch everything to log with one override, including the action of the score", () => {
    const all = { overrides: [{ action: "log" }] };
    expect(overridesOf(all, 1)).toEqual({ action: "log" });
    expect(overridesOf(all, 2)).toEqual({
      action: "log",
      categories: [level(4)],
      rules: [{ id: SCORING_RULE, score_threshold: 40, action: "log" }],
    });
    expect(adjust(config, all).config.rules[0]).toBe(skip);
  });

  test("disable a ruleset or a tag, or change its sensitivity", () => {
    const set = { enabled: false, categories: [{ category: "wordpress", enabled: true }] };
    const overrides = [{ rulesetId: managedRulesets.cloudflareManaged, sensitivityLevel: "low", ...set }];
    expect(overridesOf({ overrides }, 1)).toEqual({ sensitivity_level: "low", ...set });
  });

  test("give a detailed override precedence over a general one", () => {
    const after = overridesOf({ overrides: [{ action: "log", rules: [{ id: SCORING_RULE, action: "block" }] }] }, 2);
    expect(after.rules).toEqual([{ id: SCORING_RULE, score_threshold: 40, action: "block" }]);
  });

  test("add own rules before and after the retrieved ones, in the format of the API", () => {
    const rule = { action: "skip", expression: "true", actionParameters: current };
    const wire = { action: "skip", expression: "true", action_parameters: current };
    const last = { ...rule, description: "last" };
    expect(adjust(config, { append: [last], prepend: [rule] }).config.rules).toEqual([
      wire,
      ...config.rules,
      { ...wire, description: "last" },
    ]);
  });

  test("without a match list what exists", () => {
    const { unmatched } = adjust(config, {
      drop: [{ description: "nobody" }],
      disable: [{}],
      overrides: [{ rulesetId: managedRulesets.free, action: "log" }],
    });
    expect(unmatched.map(({ path }) => path.join("."))).toEqual([
      "adjustments.drop.0",
      "adjustments.disable.0",
      "adjustments.overrides.0",
    ]);
    expect(unmatched[0]?.reason).toContain('{"action":"skip","description":"partner","expression":"ssl"}');
  });

  test("final rules keep the name of the retrieved configuration", () => {
    const rules = [{ action: "skip", expression: "ssl", actionParameters: current }];
    expect(withRules({ name: "zone", rules: [] }, rules)).toEqual({
      name: "zone",
      rules: [{ action: "skip", expression: "ssl", action_parameters: current }],
    });
  });
});

describe("digests", () => {
  test("are the same for the same configuration, whatever the order of its keys", () => {
    const turned = {
      rules: config.rules.map((rule) => Object.fromEntries(Object.entries(rule).reverse())),
      name: "default",
    };
    expect(configDigest(turned as unknown as RetrievedConfig)).toBe(configDigest(config));
    expect(isDigest(configDigest(config))).toBe(true);
    expect([isDigest("sha256:abc"), isDigest("c1.12")]).toEqual([false, false]);
  });

  test("show which rules of a later configuration differ", () => {
    const reviewed = configDigest(config);
    expect(compareDigest(reviewed, config)).toBeUndefined();
    const changed = { ...config, rules: [skip, { ...managed, enabled: false }, core, skip] };
    expect(compareDigest(reviewed, changed)).toEqual({ added: [1, 3], gone: [2], reordered: false });
    const turned = { ...config, rules: [managed, skip, core] };
    expect(compareDigest(reviewed, turned)).toEqual({ added: [], gone: [], reordered: true });
  });
});

describe("descriptions", () => {
  test("describe rules for a security engineer", () => {
    expect(typedRules(config).map(plannedWords)).toEqual([
      'skip the rules after it "partner" when ssl',
      "execute Cloudflare Managed Ruleset on all requests",
      "execute Cloudflare OWASP Core Ruleset (PL3, score threshold 40 (medium), action challenge) on all requests",
    ]);
  });

  test.each([
    [{ rulesets: [managedRulesets.owaspCore] }, "skip Cloudflare OWASP Core Ruleset when ssl"],
    [{ rules: { [managedRulesets.free]: ["a", "b"] } }, "skip 2 rules of Cloudflare Managed Free Ruleset when ssl"],
    [
      { phases: ["http_ratelimit"], products: ["waf", "bic"] },
      "skip phases http_ratelimit and products waf, bic when ssl",
    ],
    [{ phase: "current", products: ["waf"] }, "skip the rest of the phase and products waf when ssl"],
  ])("describe what a skip rule skips: %j", (actionParameters, text) => {
    expect(plannedWords({ action: "skip", expression: "ssl", actionParameters })).toBe(text);
  });

  test("read the level of the core ruleset from the rule, never from a table", () => {
    const [, , rule] = typedRules(config);
    expect(rule === undefined ? undefined : coreLevel(rule)).toEqual({
      paranoiaLevel: 3,
      scoreThreshold: 40,
      action: "challenge",
    });
  });
});
