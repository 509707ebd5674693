import { mapConfiguration } from "../../../emulator/previous-waf/mapping.js";
import { previousWafOf } from "../../../emulator/previous-waf/seed.js";
import { bypassOutcome, type Generated } from "../../../core/previous-waf/readiness/bypasses.js";
import { typedRules } from "../../../core/previous-waf/adjust.js";
import { pageRuleOutcome } from "../../../core/previous-waf/readiness/page-rules.js";
import { RuleIndex } from "../../../core/previous-waf/readiness/rule-index.js";
import type { RulesetRule } from "../../../core/model/generated/rule.js";
import type { BypassRule, SwitchingPageRule } from "../../../core/model/migration.js";
import { fc, runs } from "../../support/properties.js";

const skip = (expression: string, more: Partial<RulesetRule> = {}): RulesetRule => ({
  ...{ action: "skip", expression, actionParameters: { ruleset: "current" } },
  ...more,
});
const execute = (expression: string, more: Partial<RulesetRule> = {}): RulesetRule => ({
  ...{ action: "execute", expression, actionParameters: { id: "efb7b8c949ac4650a09736fc376e9aee" } },
  ...more,
});
const PARTNER = "ip.src eq 192.0.2.1";
const everywhere = execute("true");
const generated = (retrieved: readonly RulesetRule[], result = retrieved): Generated => ({
  retrieved: new RuleIndex(retrieved),
  result: new RuleIndex(result),
});

describe("a firewall rule with bypass", () => {
  const bypass = (more: Partial<BypassRule> = {}): BypassRule => ({
    ...{ id: "f1", description: "partner", expression: PARTNER, paused: false },
    ...more,
  });
  const outcome = (rule: BypassRule, ...rules: RulesetRule[]) => bypassOutcome(rule, generated([...rules, everywhere]));

  test.each<[string, RulesetRule[], string]>([
    ["with the same text", [skip(PARTNER)], "rule 1"],
    ["with other formatting", [skip("ssl"), skip("((ip.src==192.0.2.1))")], "rule 2"],
    ["combined with others", [skip("(ssl) or (ip.src eq 192.0.2.1)")], "rule 1"],
    ["twice, once on and once off", [skip(PARTNER, { enabled: false }), skip(PARTNER)], "rule 2"],
  ])("is found %s", (_, rules, found) => {
    expect(outcome(bypass(), ...rules)).toEqual({
      carried: true,
      text: `Firewall rule "partner" with bypass when ip.src eq 192.0.2.1: ${found}.`,
    });
  });

  test("that is paused is found, and reported where its rule is not", () => {
    const paused = bypass({ paused: true, description: "" });
    expect(outcome(paused, skip(PARTNER, { enabled: false })).text).toBe(
      'Firewall rule "f1" with bypass (paused) when ip.src eq 192.0.2.1: rule 1.',
    );
    expect(outcome(paused, skip(PARTNER)).text).toMatch(/rule 1, which is enabled\.$/);
  });

  test.each<[string, RulesetRule[]]>([
    ["nothing", []],
    ["a rule for part of its requests", [skip("ip.src eq 192.0.2.1 and ssl")]],
    ["a rule that does something else", [execute(PARTNER)]],
  ])("with %s is not carried over, and the rule to write is shown", (_, rules) => {
    expect(outcome(bypass(), ...rules)).toEqual({
      carried: false,
      text:
        'Firewall rule "partner" with bypass when ip.src eq 192.0.2.1: not carried over. To keep it, add to `adjustments.prepend`:\n' +
        '{ description: "partner", action: "skip", expression: "ip.src eq 192.0.2.1", actionParameters: { ruleset: "current" } },',
    });
  });

  test("is reported with a rule that has only its description", () => {
    expect(outcome(bypass(), skip("ip.src eq 192.0.2.7", { description: "partner" })).text).toContain(
      "not carried over. rule 1 has the same name, but matches ip.src eq 192.0.2.7. To keep it",
    );
  });

  const core = execute("true", { actionParameters: { id: "4814384a9e5d4991b9815dcfc25d2f1f" } });
  const partly = (actionParameters: object): RulesetRule => skip(PARTNER, { actionParameters });
  const { id: managed = "" } = everywhere.actionParameters ?? {};

  test.each<[string, RulesetRule[], string]>([
    ["comes after the managed rules", [everywhere, core, skip(PARTNER)], "rule 3"],
    ["comes between them", [everywhere, skip(PARTNER), core], "rule 2"],
    ["comes after all that run on all requests", [execute("ssl"), skip(PARTNER)], "rule 2"],
    ["skips one ruleset of two", [partly({ rulesets: [managed] }), everywhere, core], "rule 1"],
    ["skips single rules", [partly({ rules: { [managed]: ["a"] } }), everywhere], "rule 1"],
    ["skips other phases", [partly({ phases: ["http_ratelimit"] }), everywhere], "rule 1"],
    ["skips other products", [partly({ products: ["rateLimit"] }), everywhere], "rule 1"],
  ])("whose rule %s is not carried over", (_, rules, name) => {
    expect(bypassOutcome(bypass(), generated(rules))).toEqual({
      carried: false,
      text:
        `Firewall rule "partner" with bypass when ip.src eq 192.0.2.1: not carried over. ${name} matches the same requests, ` +
        "but does not skip all managed rules. To keep it, add to `adjustments.prepend`:\n" +
        '{ description: "partner", action: "skip", expression: "ip.src eq 192.0.2.1", actionParameters: { ruleset: "current" } },',
    });
  });

  test.each<[string, RulesetRule[]]>([
    ["every executed ruleset by name", [partly({ rulesets: [managed, core.actionParameters?.id] }), everywhere, core]],
    ["the rest of the phase", [partly({ phase: "current" }), everywhere]],
    ["what runs, if not all that exists", [{ ...everywhere, enabled: false }, skip(PARTNER), core]],
    ["what a rule for other requests does not", [execute("ssl"), skip(PARTNER), core]],
    ["with fields that are not known yet", [partly({ wire: { newer: true } }), everywhere]],
  ])("whose rule skips %s is carried over", (_, rules) => {
    expect(bypassOutcome(bypass(), generated(rules)).carried).toBe(true);
  });

  test("that the program removes again is not carried over", () => {
    const rules = [skip(PARTNER), everywhere];
    expect(bypassOutcome(bypass(), generated(rules, [everywhere])).text).toMatch(
      /the retrieved configuration contains a rule for it, but the program leaves it out\.$/,
    );
    const off = generated(rules, [skip(PARTNER, { enabled: false }), everywhere]);
    expect(bypassOutcome(bypass(), off)).toEqual({
      carried: false,
      text: 'Firewall rule "partner" with bypass when ip.src eq 192.0.2.1: rule 1 replaces it and is disabled.',
    });
  });
});

describe("a page rule", () => {
  const off = (url: string, priority = 1): SwitchingPageRule => ({ id: url, url, does: "WAF off", priority });
  const on = (url: string, priority = 1): SwitchingPageRule => ({ id: url, url, does: "WAF on", priority });
  const full = (url: string): string => `http.request.full_uri wildcard "http*://${url}"`;
  const outcome = (rule: SwitchingPageRule, rules: RulesetRule[], others: SwitchingPageRule[] = []) => {
    const { carried, text } = pageRuleOutcome(rule, generated(rules), [rule, ...others]);
    return [carried, text.replace(/^Page rule \S+ with WAF (on|off): /, "")];
  };

  const NONE = "no managed rule runs there.";
  test.each<[string, SwitchingPageRule, RulesetRule[], string, ...SwitchingPageRule[]]>([
    ["off: a skip rule for its pattern", off("*shop/a*"), [skip(full("*shop/a*")), everywhere], "rule 1."],
    [
      "off: with a scheme",
      off("https://shop/a*"),
      [skip(`(${full("shop/a*").replace("http*", "https")})`), everywhere],
      "rule 1.",
    ],
    [
      "off: split into host and path",
      off("*shop.test/a*"),
      [skip('http.host eq "shop.test" and starts_with(http.request.uri.path, "/a")'), everywhere],
      "rule 1, going by its host and path.",
    ],
    ["off: no managed rule at all", off("*shop/a*"), [], NONE],
    ["off: only disabled ones", off("*shop/a*"), [execute("true", { enabled: false })], NONE],
    ["off: they run elsewhere only", off("*shop/a*"), [execute(full("*shop/b*"))], NONE, on("*shop/b*")],
    [
      "off: they exclude it",
      off("*shop/a*", 2),
      [execute(`${full("*shop/*")} and not ${full("*shop/a*")}`)],
      NONE,
      on("*shop/*"),
    ],
    [
      "off, below a stronger one that enables them",
      off("*shop/a/b*"),
      [execute(full("*shop/a*"))],
      "without effect, because page rule *shop/a* takes precedence.",
      on("*shop/a*", 2),
    ],
    ["on: a rule that executes there", on("*shop/a*"), [execute(full("*shop/a*"))], "rule 1 runs there."],
    ["on: everywhere", on("*shop/a*"), [everywhere], "the managed rules run on all requests."],
    [
      "on: excluded from what disables them",
      on("*shop/a*", 2),
      [skip(`${full("*shop/*")} and not ${full("*shop/a*")}`), everywhere],
      "rule 1 excludes its URLs.",
      off("*shop/*"),
    ],
    [
      "on, and weaker than what disables them",
      on("*shop/a*"),
      [skip(full("*shop/*")), everywhere],
      "the managed rules run on all requests.",
      off("*shop/*", 2),
    ],
  ])("%s", (_, rule, rules, text, ...others) => {
    expect(outcome(rule, rules, others)).toEqual([true, text]);
  });

  test.each<[string, SwitchingPageRule, RulesetRule[], ...SwitchingPageRule[]]>([
    ["off: they run there", off("*shop/a*"), [everywhere]],
    ["off: another URL is skipped", off("*shop/a*"), [skip(full("*shop/b*")), everywhere]],
    ["off: the skip rule comes too late", off("*shop/a*"), [everywhere, skip(full("*shop/a*"))]],
    [
      "off: the skip rule skips other products",
      off("*shop/a*"),
      [skip(full("*shop/a*"), { actionParameters: { products: ["rateLimit"] } }), everywhere],
    ],
    ["off: the skip rule is disabled", off("*shop/a*"), [skip(full("*shop/a*"), { enabled: false }), everywhere]],
    ["off: the host alone does not cover the path", off("*shop/a*"), [skip('http.host eq "shop"'), everywhere]],
    ["on: they run nowhere", on("*shop/a*"), [execute("true", { enabled: false })]],
    [
      "on: the exception that disables them covers it too",
      on("*shop/a*", 2),
      [skip(full("*shop/*")), everywhere],
      off("*shop/*"),
    ],
  ])("is not carried over: %s", (_, rule, rules, ...others) => {
    const [carried, text] = outcome(rule, rules, others);
    expect([carried, String(text).startsWith("not carried over. To keep it, ")]).toEqual([false, true]);
  });

  test("that the program removes again is not carried over", () => {
    const rules = [skip(full("*shop/a*")), everywhere];
    const rule = off("*shop/a*");
    expect(pageRuleOutcome(rule, generated(rules, [everywhere]), [rule])).toMatchObject({ carried: false });
  });
});

/** Everything that the emulated service generates is recognised, so that nothing is wrongly reported as lost. */
test("no rule that the service carries over is reported as lost", () => {
  const url = fc.constantFrom(
    "*shop.test/*",
    "*shop.test/a*",
    "*shop.test/a/b*",
    "https://shop.test/c",
    "*other.test/*",
  );
  const pageRule = fc.record({
    url,
    actions: fc.constantFrom<readonly { readonly id: string; readonly value?: string }[]>(
      [{ id: "disable_security" }],
      [{ id: "waf", value: "off" }],
      [{ id: "waf", value: "on" }],
    ),
  });
  const firewallRule = fc.record({
    expression: fc.constantFrom("ssl", "ip.src eq 192.0.2.1", '(http.host eq "a") or (http.host eq "b" and ssl)'),
    description: fc.constantFrom("", "partner"),
    paused: fc.boolean(),
  });
  const seed = fc.record({
    setting: fc.constantFrom("on" as const, "off" as const),
    managed: fc.constantFrom("on" as const, "off" as const),
    firewallRules: fc.array(firewallRule, { maxLength: 4 }),
    pageRules: fc.uniqueArray(pageRule, { maxLength: 4, selector: (item) => item.url }),
  });
  fc.assert(
    fc.property(seed, (given) => {
      const waf = previousWafOf({ id: "z", name: "z", plan: "business", accountId: "a" } as never, given);
      const rules = typedRules({ rules: mapConfiguration(waf, "business") });
      const bypasses = given.firewallRules.map((rule, index) =>
        bypassOutcome({ id: String(index), ...rule }, generated(rules)),
      );
      const switches = given.pageRules.map((item, index, all): SwitchingPageRule => {
        const does = item.actions.some(({ value }) => value === "on") ? "WAF on" : "WAF off";
        return { id: String(index), url: item.url, does, priority: all.length - index };
      });
      const pages = switches.map((item) => pageRuleOutcome(item, generated(rules), switches));
      expect([...bypasses, ...pages].filter(({ carried }) => !carried)).toEqual([]);
    }),
    { numRuns: runs(1000) },
  );
});
