import { managedDeviations, managedOutcomes } from "../../../core/previous-waf/readiness/managed-rules.js";
import type { RulesetRule, RulesetRuleActionParametersOverrides } from "../../../core/model/generated/rule.js";
import type { PreviousWaf, WafGroup, WafRule } from "../../../core/model/migration.js";

const MANAGED = "efb7b8c949ac4650a09736fc376e9aee";
const NEW_ID = "5de7edfa648c4d6891dc3e7f84534ffa";
const execute = (overrides?: RulesetRuleActionParametersOverrides): RulesetRule => ({
  action: "execute",
  expression: "true",
  actionParameters: { id: MANAGED, ...(overrides === undefined ? {} : { overrides }) },
});
const group = (name: string, mode = "off"): WafGroup => ({
  id: name,
  name: `Cloudflare ${name}`,
  mode,
  rulesCount: 3,
  modifiedRulesCount: 0,
});
const rule = (id: string, mode: string, groupId = "Specials"): WafRule => ({
  id,
  name: `about ${id}`,
  mode,
  defaultMode: "block",
  groupId,
});
const ON = [group("Specials", "on"), group("WordPress", "on")];
const EXECUTED = "Cloudflare's managed rules: the Cloudflare Managed Ruleset is executed.";

/** What is carried over, and what is not, apart from the execution itself. */
const outcomes = (previous: PreviousWaf, ...result: RulesetRule[]) => {
  const all = managedOutcomes(previous, { result, retrieved: result });
  expect(all[0]).toEqual({ carried: true, text: EXECUTED });
  const of = (carried: boolean) => all.slice(1).flatMap((one) => (one.carried === carried ? [one.text] : []));
  return { kept: of(true), lost: of(false) };
};

describe("a group that is off", () => {
  const wordpress = { managedGroups: [group("WordPress")] };

  test.each<[string, RulesetRuleActionParametersOverrides, string]>([
    ["its tag", { categories: [{ category: "wordpress", enabled: false }] }, "rule 1 disables the tag wordpress"],
    ["everything", { enabled: false }, "rule 1 disables every rule"],
  ])("has a counterpart where an override disables %s", (_, overrides, text) => {
    expect(outcomes(wordpress, execute(overrides))).toEqual({
      kept: [`The group "Cloudflare WordPress" is off: ${text}.`],
      lost: [],
    });
  });

  test.each<[string, RulesetRuleActionParametersOverrides | undefined]>([
    ["no override", undefined],
    ["an override of another tag", { categories: [{ category: "drupal", enabled: false }] }],
    [
      "one that a later one undoes",
      {
        categories: [
          { category: "wordpress", enabled: false },
          { category: "wordpress", enabled: true },
        ],
      },
    ],
    ["one that enables its tag alone", { enabled: false, categories: [{ category: "wordpress", enabled: true }] }],
    ["one with another effect", { categories: [{ category: "wordpress", action: "log" }] }],
  ])("is not carried over with %s, and the override to write is shown", (_, overrides) => {
    expect(outcomes(wordpress, execute(overrides)).lost).toEqual([
      'The group "Cloudflare WordPress" is off: not carried over, so its rules will run again. To keep it, add to `adjustments.overrides`:\n' +
        '{ rulesetId: managedRulesets.cloudflareManaged, categories: [{ category: "wordpress", enabled: false }] },',
    ]);
  });

  test("needs a counterpart in every execution", () => {
    const off = execute({ categories: [{ category: "wordpress", enabled: false }] });
    expect(outcomes(wordpress, off, execute()).lost).toHaveLength(1);
    expect(outcomes(wordpress, off, off).kept.join()).toContain("rule 1 disables the tag wordpress, rule 2 disables");
  });

  test("without a tag of its own is reported without one", () => {
    expect(outcomes({ managedGroups: [group("Specials")] }, execute()).lost).toEqual([
      'The group "Cloudflare Specials" is off: not carried over, so its rules will run again. The managed ruleset has no tag for it; look up its rules there, and override those that you do not want.',
    ]);
  });

  test("covers its rules", () => {
    const previous = { managedGroups: [group("WordPress")], managedRules: [rule("100040", "simulate", "WordPress")] };
    const found = outcomes(previous, execute());
    expect([found.kept, found.lost.length]).toEqual([[], 1]);
  });
});

describe("a rule that differs from its default", () => {
  const previous = (...managedRules: WafRule[]): PreviousWaf => ({ managedGroups: ON, managedRules });

  test.each([
    ["simulate", 'action: "log"'],
    ["disable", "enabled: false"],
    ["challenge", 'action: "challenge"'],
  ])("set to %s has no counterpart without overrides, and the override to write is shown", (mode, fields) => {
    expect(outcomes(previous(rule("100040", mode)), execute())).toEqual({
      kept: [],
      lost: [
        `Rule 100040 (about 100040) is set to ${mode} instead of block: no counterpart in the overrides of the managed ruleset. ` +
          "It has a new ID there, and Cloudflare publishes no mapping. To keep it, add to `adjustments.overrides`:\n" +
          `{ rulesetId: managedRulesets.cloudflareManaged, rules: [{ id: "<its new ID>", ${fields} }] },`,
      ],
    });
  });

  test.each(["default", "block"])("does not differ if it is set to %s", (mode) => {
    expect(outcomes(previous(rule("100040", mode)), execute())).toEqual({ kept: [], lost: [] });
  });

  test.each<[string, RulesetRuleActionParametersOverrides, string]>([
    ["under its old ID", { rules: [{ id: "100040", action: "log" }] }, "rule 1 overrides it"],
    [
      "under a new ID",
      { rules: [{ id: NEW_ID, action: "log", enabled: true }] },
      "rule 1 sets 1 rule to the same; compare them, because rules have new IDs",
    ],
    [
      "for the tag of its group",
      { categories: [{ category: "wordpress", action: "log" }] },
      "rule 1 sets the tag wordpress to the same",
    ],
    ["for every rule", { action: "log" }, "rule 1 sets every rule to the same"],
  ])("has a counterpart in an override %s", (_, overrides, text) => {
    const found = outcomes(previous(rule("100040", "simulate", "WordPress")), execute(overrides));
    expect(found).toEqual({
      kept: [`Rule 100040 (about 100040) is set to simulate instead of block: ${text}.`],
      lost: [],
    });
  });

  test("has none if there are fewer overrides with its effect than such rules", () => {
    const three = previous(rule("100040", "simulate"), rule("100041", "simulate"), rule("100042", "disable"));
    const overrides = {
      rules: [
        { id: NEW_ID, action: "log" },
        { id: "f".repeat(32), enabled: false, action: "log" },
      ],
    };
    const { kept, lost } = outcomes(three, execute(overrides));
    expect(kept.map((text) => text.slice(0, 11))).toEqual(["Rule 100042"]);
    expect(lost.map((text) => text.slice(0, 11))).toEqual(["Rule 100040", "Rule 100041"]);
  });

  test("is counted if only its group counts it", () => {
    const counting = [
      { ...group("PHP", "on"), modifiedRulesCount: 2 },
      { ...group("Drupal"), modifiedRulesCount: 2 },
    ];
    const { lost } = outcomes({ managedGroups: counting, managedRules: [rule("1", "simulate", "PHP")] }, execute());
    expect(lost.filter((text) => text.includes("1 rule of 3"))).toEqual([
      'Cloudflare\'s managed rules: 1 rule of 3 in the group "Cloudflare PHP" was changed from the default, and the service does not say which; look in the dashboard.',
    ]);
    expect(lost).toHaveLength(3);
  });
});

describe("the execution of the managed ruleset", () => {
  test("that the program leaves out is reported, instead of its groups and rules", () => {
    const previous = { managedGroups: [group("WordPress")], managedRules: [rule("1", "simulate")] };
    expect(managedOutcomes(previous, { result: [], retrieved: [execute()] })).toEqual([
      {
        carried: false,
        text: "Cloudflare's managed rules: the retrieved configuration executes the Cloudflare Managed Ruleset, but the program leaves it out.",
      },
    ]);
    expect(managedOutcomes(previous, { result: [], retrieved: [] })).toEqual([]);
  });

  test("that the configuration drops altogether is reported, and the reverse", () => {
    expect(managedDeviations({ managedGroups: ON }, [], "pro")).toEqual([
      "Cloudflare's managed rules are on, but the retrieved configuration does not execute the Cloudflare Managed Ruleset.",
    ]);
    expect(managedDeviations({ managedGroups: [group("PHP")] }, [execute()], "pro")).toEqual([
      "Every group of Cloudflare's managed rules is off, but the retrieved configuration executes the Cloudflare Managed Ruleset.",
    ]);
    expect(managedDeviations({ managedGroups: ON }, [execute()], "pro")).toEqual([]);
    expect(managedDeviations({ managedGroups: [group("PHP")] }, [], "pro")).toEqual([]);
    expect(managedDeviations({ managedGroups: ON }, [], "free")).toEqual([]);
    expect(managedDeviations({}, [], "pro")).toEqual([]);
  });
});
