import { coreDeviations, coreOverrides } from "../../../core/previous-waf/readiness/core-rule-set.js";
import { owasp, type OwaspOptions } from "../../../provider/sdk/writing/owasp.js";
import type { RulesetRule } from "../../../core/model/generated/rule.js";
import type { WafGroup, WafPackage, WafRule } from "../../../core/model/migration.js";

const core = (more: Partial<WafPackage>): WafPackage => ({
  id: "c",
  name: "Core",
  detectionMode: "anomaly",
  ...more,
});
const executed = (paranoiaLevel: 1 | 2 | 3 | 4, scoreThreshold: number, action: OwaspOptions["action"] = "block") =>
  owasp({ paranoiaLevel, scoreThreshold, action }) as unknown as RulesetRule;

describe("sensitivity as documented", () => {
  test.each([
    ["high", 2, 40],
    ["medium", 1, 25],
    ["low", 1, 40],
    ["default", 2, 40],
    [undefined, 2, 40],
  ] as const)("%s becomes PL%i with score threshold %i, and nothing is reported", (sensitivity, level, threshold) => {
    const before = core({ actionMode: "block", ...(sensitivity === undefined ? {} : { sensitivity }) });
    expect(coreDeviations(before, [executed(level, threshold)], "business")).toEqual([]);
  });

  test.each([
    [
      "high",
      executed(1, 40),
      "Sensitivity high of the core rule set is documented to become PL2, score threshold 40 (medium); the retrieved configuration has PL1, score threshold 40 (medium).",
    ],
    [
      "low",
      executed(1, 25),
      "Sensitivity low of the core rule set is documented to become PL1, score threshold 40 (medium); the retrieved configuration has PL1, score threshold 25 (high).",
    ],
    [
      "medium",
      executed(2, 25),
      "Sensitivity medium of the core rule set is documented to become PL1, score threshold 25 (high); the retrieved configuration has PL2, score threshold 25 (high). The documentation also says PL2 for all.",
    ],
  ])("%s with another level or threshold is reported", (sensitivity, rule, text) => {
    expect(coreDeviations(core({ sensitivity, actionMode: "block" }), [rule], "business")).toEqual([text]);
  });

  test("a threshold without an override is that of the ruleset", () => {
    const rule = executed(2, 40) as { actionParameters: { overrides: { rules?: unknown } } };
    delete rule.actionParameters.overrides.rules;
    expect(coreDeviations(core({ sensitivity: "high" }), [rule as unknown as RulesetRule], "pro")).toEqual([]);
  });

  test("an undocumented sensitivity is not reported", () => {
    expect(coreDeviations(core({ sensitivity: "extreme" }), [executed(1, 60)], "pro")).toEqual([]);
  });

  test.each<[string, OwaspOptions["action"], string[]]>([
    ["simulate", "log", []],
    ["challenge", "challenge", []],
    [
      "block",
      "log",
      ["Action block of the core rule set is documented to become block; the retrieved configuration has log."],
    ],
  ])("action %s as %s", (actionMode, action, texts) => {
    expect(coreDeviations(core({ sensitivity: "high", actionMode }), [executed(2, 40, action)], "pro")).toEqual(texts);
  });

  test("a core rule set that was on and is not executed is reported, and the reverse", () => {
    const on = core({ sensitivity: "high" });
    expect(coreDeviations(on, [], "pro")).toEqual([
      "The core rule set is on, but the retrieved configuration does not execute it.",
    ]);
    expect(coreDeviations(on, [], "free")).toEqual([]);
    const off = core({ sensitivity: "off" });
    expect(coreDeviations(off, [], "pro")).toEqual([]);
    expect(coreDeviations(off, [executed(2, 40)], "pro")).toEqual([
      "The core rule set is off, but the retrieved configuration executes it.",
    ]);
  });
});

describe("groups and rules of the core rule set that differ from their default", () => {
  const group = (more: Partial<WafGroup>): WafGroup => ({
    id: "g",
    name: "Bad Robots",
    mode: "on",
    rulesCount: 12,
    modifiedRulesCount: 0,
    ...more,
  });
  const rule = (more: Partial<WafRule>): WafRule => ({ id: "950001", name: "SQL", mode: "on", groupId: "g", ...more });

  test("are empty where nothing was changed", () => {
    expect(coreOverrides({ coreGroups: [group({})], coreRules: [rule({})] })).toEqual([]);
    expect(coreOverrides({})).toEqual([]);
  });

  test.each<[string, Parameters<typeof coreOverrides>[0], string[]]>([
    [
      "a group that is off",
      { coreGroups: [group({ mode: "off" })] },
      ['Core rule set: the group "Bad Robots" is off; its rules will run again.'],
    ],
    [
      "a rule that is off",
      { coreRules: [rule({ mode: "off" })] },
      ["Core rule set: rule 950001 (SQL) is off; it will run again."],
    ],
    [
      "a rule that is on, and off by default",
      { coreRules: [rule({ mode: "on", defaultMode: "off" })] },
      ["Core rule set: rule 950001 (SQL) is set to on instead of off; the core ruleset decides what it does."],
    ],
    [
      "a rule with another action than the default",
      {
        coreRules: [rule({ mode: "block", defaultMode: "challenge" }), rule({ mode: "default", defaultMode: "block" })],
      },
      ["Core rule set: rule 950001 (SQL) is set to block instead of challenge; the core ruleset decides what it does."],
    ],
    [
      "rules that only their group counts",
      { coreGroups: [group({ modifiedRulesCount: 3 })], coreRules: [rule({ mode: "off" })] },
      [
        "Core rule set: rule 950001 (SQL) is off; it will run again.",
        'Core rule set: 2 rules of 12 in the group "Bad Robots" were changed from the default, and the service does not say which or how; look in the dashboard.',
      ],
    ],
    [
      "one rule that only its group counts",
      { coreGroups: [group({ modifiedRulesCount: 1 })], coreRules: [rule({ groupId: "other", mode: "off" })] },
      [
        "Core rule set: rule 950001 (SQL) is off; it will run again.",
        'Core rule set: 1 rule of 12 in the group "Bad Robots" was changed from the default, and the service does not say which; look in the dashboard.',
      ],
    ],
    [
      "changed rules that are also listed are reported once",
      { coreGroups: [group({ modifiedRulesCount: 1 })], coreRules: [rule({ mode: "off" })] },
      ["Core rule set: rule 950001 (SQL) is off; it will run again."],
    ],
  ])("%s", (_, previous, texts) => {
    expect(coreOverrides(previous)).toEqual(texts);
  });
});
