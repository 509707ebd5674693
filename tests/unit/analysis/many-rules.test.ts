import { analyseFully, compare } from "../../../core/analysis/index";
import type { RuleInput, RulesetInput } from "../../../core/simulator/index";

// The limits are in steps of the search, which are the same on every machine.

/** Less than the limit of a preview. */
const STEPS = 2_000_000;
const zone = (rules: readonly RuleInput[]): RulesetInput[] => [
  { kind: "zone", phase: "http_request_firewall_custom", rules },
];
const manyRules = (count: number, expressions: readonly ((index: number) => string)[]): RuleInput[] =>
  Array.from({ length: count }, (_, index) => ({
    ref: `r${String(index)}`,
    action: "block",
    expression: expressions[index % expressions.length]?.(index) ?? "",
  }));

const NARROW = [
  (index: number) => `http.host eq "shop${String(index)}.example.com" and starts_with(http.request.uri.path, "/a/")`,
  (index: number) => `http.user_agent contains "bot${String(index)};"`,
  (index: number) => `http.request.uri.path matches "^/api/v${String(index)}/[a-z]+$" and not cf.client.bot`,
];
const exceptions = manyRules(600, NARROW).map((rule, index): RuleInput =>
  index % 2 === 0 ? { ...rule, action: "skip", actionParameters: { ruleset: "current" } } : rule,
);

test.each([
  ["an exception", 300, "stricter"],
  ["a rule after many exceptions", 301, "looser"],
] as const)("decides the edit of %s among hundreds", (_, at, verdict) => {
  const after = exceptions.map((rule, index) =>
    index === at ? { ...rule, expression: `${rule.expression ?? ""} and ssl` } : rule,
  );
  expect(compare({ before: zone(exceptions), after: zone(after), steps: STEPS }).verdict).toBe(verdict);
});

const BROAD = [
  (index: number) => `http.host ne "h${String(index)}.example.com"`,
  (index: number) => `http.host ne "a" and not starts_with(http.request.uri.path, "/p${String(index)}/")`,
  (index: number) => `not http.user_agent contains "bot${String(index)};"`,
];

test("decides hundreds of rules that each match almost every request", () => {
  const rules = manyRules(600, BROAD);
  const { findings, undecided } = analyseFully({ rulesets: zone(rules), steps: STEPS });
  expect(undecided).toEqual([]);
  expect(findings.filter(({ code }) => code === "covered").length).toBeGreaterThan(590);
  const logs = rules.map((rule): RuleInput => ({ ...rule, action: "log" }));
  expect(analyseFully({ rulesets: zone(logs), steps: STEPS })).toEqual({ findings: [], undecided: [] });
});

test("finds duplicates among hundreds of rules that each match almost every request", () => {
  const rules = manyRules(600, BROAD);
  const copies = [100, 301, 599].map((index) => ({ ...rules[index], ref: `copy${String(index)}`, action: "log" }));
  const { findings } = analyseFully({ rulesets: zone([...rules, ...copies]), steps: STEPS });
  const twins = findings.filter(({ code }) => code === "twin");
  expect(twins.map(({ rule, by }) => [rule.ref, by?.[0]?.ref])).toEqual([
    ["copy100", "r100"],
    ["copy301", "r301"],
    ["copy599", "r599"],
  ]);
});

describe("the work for many rules grows with their number", () => {
  const address = (index: number): string => `10.${String(index >> 8)}.${String(index & 255)}`;
  test.each<readonly [string, (index: number) => string]>([
    ["unknown fields", (index) => `http.hots eq "h${String(index)}"`],
    ["paths of one host", (index) => `http.host eq "a.example" and http.request.uri.path eq "/p${String(index)}"`],
    ["paths or hosts", (index) => `http.request.uri.path eq "/p${String(index)}" or http.host eq "h${String(index)}"`],
    ["starts of paths", (index) => `starts_with(http.request.uri.path, "/p${String(index)}/")`],
    ["networks", (index) => `ip.src in {${address(index)}.0/24}`],
    [
      "ranges of addresses",
      (index) => `ip.src in {${address(index)}.1..${address(index)}.3 2001:db8:${index.toString(16)}::/48}`,
    ],
    ["lists", (index) => `ip.src in $list${String(index)}`],
    ["scores", (index) => `cf.waf.score eq ${String((index % 97) + 1)} and ip.src.asnum eq ${String(index)}`],
  ])("%s", (_, expression) => {
    const many = manyRules(1500, [expression]).map((rule): RuleInput => ({ ...rule, action: "managed_challenge" }));
    expect(analyseFully({ rulesets: zone(many), steps: 500 * many.length })).toEqual({ findings: [], undecided: [] });
  });

  test("what is left when the limit is reached is undecided", () => {
    const many = manyRules(2000, [(index) => `http.user_agent contains "bot${String(index)};"`]);
    const { findings, undecided } = analyseFully({ rulesets: zone(many), steps: 100_000 });
    expect(findings).toEqual([]);
    expect(undecided.length).toBeGreaterThan(1000);
  });
});
