import { judgeRulesets, weakensOf, type RulesetInput } from "../../../core/analysis/index";

const phase = "http_request_firewall_custom";
const block = (ref: string, expression: string, more: object = {}) => ({ ref, action: "block", expression, ...more });
const part = (name: string, rules: RulesetInput["rules"], more: object = {}): RulesetInput => {
  return { name, phase, kind: "zone", zoneId: "z1", isPart: true, rules, ...more };
};
const whole = (rules: RulesetInput["rules"]): RulesetInput => ({ name: "whole", phase, zoneId: "z2", rules });
const admin = block("admin", 'starts_with(http.request.uri.path, "/admin")');
const login = block("login", 'http.request.uri.path eq "/login"');
const challenge = block("all", "true", { action: "managed_challenge" });
const judged = (before: readonly RulesetInput[], after: readonly RulesetInput[]) =>
  weakensOf(judgeRulesets({ before, after }));

describe("an edit of rules with a time", () => {
  const now = Date.parse("2026-11-26T00:00:00.250Z") / 1000;
  const from = (time: string) =>
    `${admin.expression} and http.request.timestamp.sec ge ${String(Date.parse(time) / 1000)}`;
  const until = (time: string) =>
    `${admin.expression} and http.request.timestamp.sec lt ${String(Date.parse(time) / 1000)}`;
  const at = (expression: string): RulesetInput[] => [whole([{ ...admin, expression }])];
  const verdict = (before: readonly RulesetInput[], after: readonly RulesetInput[]) =>
    judgeRulesets({ before, after, now }).verdict;

  test.each<[string, RulesetInput[], RulesetInput[], string]>([
    ["drops a start that has passed", at(from("2026-11-01")), at(admin.expression), "equivalent"],
    ["gives a start that has passed", at(admin.expression), at(from("2026-11-01")), "equivalent"],
    ["removes a rule whose time is over", at(until("2026-11-01")), [whole([])], "equivalent"],
    ["drops a start to come", at(from("2027-01-01")), at(admin.expression), "stricter"],
    ["gives an end to come", at(admin.expression), at(until("2027-01-01")), "looser"],
    ["brings an expired rule back", at(until("2026-11-01")), at(admin.expression), "stricter"],
  ])("that %s is judged from now on", (_, before, after, expected) => {
    expect(verdict(before, after)).toBe(expected);
  });

  test("without a time of judgement, any time counts", () => {
    expect(judgeRulesets({ before: at(admin.expression), after: at(from("2026-11-01")) }).verdict).toBe("looser");
  });

  test("shows a time only if it is another one than now", () => {
    const [other] = judgeRulesets({ before: at(admin.expression), after: at(until("2027-01-01")), now }).witnesses;
    expect(other?.text).toContain("at 2027-01-01T00:00:00Z");
    for (const before of [until("2027-01-01"), from("2026-11-01")]) {
      const [same] = judgeRulesets({ before: at(before), after: [whole([])], now }).witnesses;
      expect(same?.text).toContain("allowed");
      expect(same?.text).not.toContain("at 20");
    }
  });
});

describe("an edit of resources that have rules of others beside them", () => {
  test.each<[string, RulesetInput[], RulesetInput[], string]>([
    ["a block less", [part("a", [admin, login])], [part("a", [admin])], "yes"],
    ["a resource less", [part("a", [admin]), part("b", [login])], [part("a", [admin])], "yes"],
    ["a block narrowed", [part("a", [admin])], [part("a", [{ ...admin, expression: "ssl" }])], "yes"],
    ["a block more", [part("a", [admin])], [part("a", [admin, login])], "no"],
    ["a resource with a block more", [part("a", [admin])], [part("a", [admin]), part("b", [login])], "no"],
    ["another notation", [part("a", [admin])], [part("a", [{ ...admin, expression: `(${admin.expression})` }])], "no"],
    [
      "a challenge more, which may come before a block",
      [part("a", [admin])],
      [part("a", [admin, challenge])],
      "unknown",
    ],
    [
      "a rule that moves",
      [part("a", [login], { position: { before: "" } })],
      [part("a", [login], { position: { after: "x" } })],
      "unknown",
    ],
    ["a resource with another name", [part("a", [admin, login])], [part("b", [admin, login])], "no"],
    [
      "a rule that moves to another resource",
      [part("a", [admin, login])],
      [part("a", [admin]), part("b", [login])],
      "yes",
    ],
    ["a ruleset that becomes shared", [{ ...part("a", [admin]), isPart: false }], [part("a", [admin])], "no"],
    ["the same in another zone", [part("a", [admin])], [part("a", [admin], { zoneId: "z3" })], "yes"],
    [
      "a block less in a whole ruleset beside it",
      [part("a", [admin]), whole([login])],
      [part("a", [admin]), whole([])],
      "yes",
    ],
    ["no edit", [part("a", [admin]), whole([login])], [part("a", [admin]), whole([login])], "no"],
  ])("%s: %#", (_, before, after, weakens) => {
    expect(judged(before, after)).toBe(weakens);
  });

  test("assumes no order between resources", () => {
    // A skip rule of another resource would exempt all of these requests, if it came first.
    const skip = block("skip", "ssl", { action: "skip", actionParameters: { ruleset: "current" } });
    const before = [part("a", [skip]), part("b", [block("b", "ssl")])];
    expect(judged(before, [part("a", [skip]), part("b", [])])).toBe("yes");
  });

  test("joins what is shown, open and proved of each", () => {
    const { verdict, looser, stricter, undecided, witnesses } = judgeRulesets({
      before: [part("a", [admin]), whole([login])],
      after: [part("a", [admin, challenge]), whole([login, admin])],
    });
    expect({ verdict, looser, stricter }).toEqual({ verdict: "unknown", looser: "undecided", stricter: "shown" });
    expect(undecided.map(({ rule }) => rule)).toEqual(['"all"']);
    expect(witnesses.map(({ direction }) => direction)).toEqual(["stricter", "stricter"]);
  });
});
