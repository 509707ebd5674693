import { compileVersions, rulesetName, type RulesetInput } from "../../../core/simulator/index.js";
import { ruleName } from "../../../core/simulator/names.js";
import { ruleNames } from "../../../core/simulator/rule-names.js";

const PHASE = "http_request_firewall_custom";
const ID = "433c9dd7000000000000000000000001";
const rule = (named: object) => ({ action: "block", expression: "ssl", ...named });
const zone = (zoneId: string, ...rules: object[]): RulesetInput => ({ zoneId, phase: PHASE, rules: rules.map(rule) });
const account = (...rules: object[]): RulesetInput => ({ accountId: "a1", phase: PHASE, rules: rules.map(rule) });

describe("a rule is named", () => {
  test.each([
    ["by its description", { description: "Block admin", ref: "admin", id: ID }, "Block admin"],
    ["by its ref if it has no description", { description: " \n", ref: "admin", id: ID }, "admin"],
    ["by its ID if it has nothing else", { ref: "", id: ID }, ID],
    ["by nothing if it has nothing", {}, undefined],
    ["in one line", { description: " Block\n\tadmin  pages " }, "Block admin pages"],
    ["without signs that forge output", { description: "a\u001b[31mb\u202ec\ud800" }, "a\ufffd[31mb\ufffdc\ufffd"],
    ["with at most 80 signs", { description: "😀".repeat(90) }, `${"😀".repeat(79)}…`],
  ])("%s", (_how, named, expected) => {
    expect(ruleName(named)).toBe(expected);
  });
});

describe("names of rules that are shown together", () => {
  const names = (...rulesets: RulesetInput[]) => ruleNames(rulesets).flat();

  test("are quoted, and say the place of a rule without a name", () => {
    expect(names(zone("z1", { description: 'Block "admin"' }, {}))).toEqual([
      '"Block \\"admin\\""',
      `rule 2 of ${PHASE}`,
    ]);
  });

  test("tell rules with the same description apart: by ref, by ID, by place, or by number", () => {
    const description = "Block admin";
    expect(
      names(zone("z1", { description, ref: "a" }, { description, ref: ID, id: ID }, { description }, { ref: "b" })),
    ).toEqual(['"Block admin" [ref a]', '"Block admin" [ID 433c9dd7…]', `"Block admin" [rule 3 of ${PHASE}]`, '"b"']);
    const same = { description, ref: "a" };
    expect(names(zone("z1", same), account(same))).toEqual(['"Block admin" [ref a] #1', '"Block admin" [ref a] #2']);
  });

  test("are the same in different zones, whose rules never meet", () => {
    const same = { description: "Block admin" };
    expect(names(zone("z1", same), zone("z2", same))).toEqual(['"Block admin"', '"Block admin"']);
  });

  test("stay the same in the other version of an edit that adds a rule with the same description", () => {
    const [before, after] = [
      [zone("z1", { description: "Block admin", ref: "a" })],
      [zone("z1", { description: "Block admin", ref: "a" }, { description: "Block admin", ref: "b" })],
    ];
    expect(ruleNames(before, after).flat()).toEqual(['"Block admin" [ref a]']);
    expect(compileVersions(before, after).after.rulesets[0]?.rules.map(({ name }) => name)).toEqual([
      '"Block admin" [ref a]',
      '"Block admin" [ref b]',
    ]);
  });
});

describe("a ruleset is named", () => {
  test.each([
    [{ phase: PHASE, name: "default", zoneId: "z1", owner: "example.com" }, `${PHASE} of zone example.com`],
    [{ phase: PHASE, name: "", zoneId: "z1" }, `${PHASE} of zone z1`],
    [{ phase: PHASE, kind: "root", accountId: "a1" }, `${PHASE} of account a1`],
    [{ phase: PHASE, name: "Shop rules", zoneId: "z1", owner: "example.com" }, '"Shop rules" of zone example.com'],
    [{ phase: PHASE, kind: "custom", name: "Partners", accountId: "a1" }, 'custom ruleset "Partners" of account a1'],
    [{ phase: PHASE, kind: "custom", id: `accounts/a1/rulesets/${ID}` }, `custom ruleset ${ID}`],
  ])("%j", (named, expected) => {
    expect(rulesetName(named)).toBe(expected);
  });
});
