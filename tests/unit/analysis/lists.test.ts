import {
  analyse,
  compare,
  judge,
  judgeRulesets,
  prove,
  type ListsInput,
  type RuleInput,
} from "../../../core/analysis/index.js";

const phase = "http_request_firewall_custom";
const ips = (...items: string[]): ListsInput => ({ bad: { kind: "ip", items } });
const hosts = (...items: string[]): ListsInput => ({ hosts: { kind: "hostname", items } });
const block = (expression: string): RuleInput => ({ ref: "block", action: "block", expression });
const rulesets = (rules: readonly RuleInput[], lists?: ListsInput) => [
  { kind: "zone", phase, rules, ...(lists === undefined ? {} : { lists }) },
];
const judged = (expression: string, before: ListsInput, after: ListsInput) => {
  const rules = [block(expression)];
  return judge({ phase, before: rules, after: rules, lists: { before, after } });
};

describe("rules whose list changes", () => {
  test.each([
    ["more addresses", ips("192.0.2.7"), ips("192.0.2.7", "198.51.100.0/24"), "stricter", "no"],
    ["fewer addresses", ips("192.0.2.7", "2001:db8::/32"), ips("192.0.2.7"), "looser", "yes"],
    ["the same addresses in other items", ips("192.0.2.0/31"), ips("192.0.2.1", "192.0.2.0"), "equivalent", "no"],
    [
      "the same items in another order",
      ips("192.0.2.7", "192.0.2.9"),
      ips("192.0.2.9", "192.0.2.7"),
      "equivalent",
      "no",
    ],
  ])("%s", (_, before, after, verdict, weakens) => {
    const judgement = judged("ip.src in $bad", before, after);
    expect(judgement.comparison.verdict).toBe(verdict);
    expect(judgement.weakens).toBe(weakens);
    expect(judgement.notJudged).toEqual([]);
  });

  test("are shown by a request with such an address", () => {
    const { comparison } = judged("ip.src in $bad", ips(), ips("198.51.100.7"));
    expect(comparison.witnesses[0]?.text).toBe(
      'GET https://www.example.com/ from 198.51.100.7: allowed → blocked by "block"',
    );
  });

  test("are the reason of the change", () => {
    expect(judged("ip.src in $bad", ips("192.0.2.7"), ips()).rules).toMatchObject([
      {
        ref: "block",
        weakens: "yes",
        reasons: [{ order: "looser", text: "applies to fewer requests, because $bad changes" }],
      },
    ]);
  });

  test("are not decided where the items of one version are not known", () => {
    const { weakens, notJudged } = judged("ip.src in $bad", ips("192.0.2.7"), {});
    expect(weakens).toBe("unknown");
    expect(notJudged).toHaveLength(1);
  });

  test.each([
    ["names are compared whatever their case", hosts("a.example.com"), hosts("A.example.com"), "equivalent"],
    [
      "a wildcard contains the names below it",
      hosts("*.example.com", "a.example.com"),
      hosts("*.example.com"),
      "equivalent",
    ],
    ["a wildcard does not contain the domain", hosts("*.example.com", "example.com"), hosts("*.example.com"), "looser"],
    ["another name", hosts("a.example.com"), hosts("a.example.com", "b.example.com"), "stricter"],
  ])("of hostnames: %s", (_, before, after, verdict) => {
    expect(judged("http.host in $hosts", before, after).comparison.verdict).toBe(verdict);
  });

  test("of numbers of autonomous systems", () => {
    const asn = (...items: number[]): ListsInput => ({ networks: { kind: "asn", items } });
    expect(judged("ip.src.asnum in $networks", asn(64496), asn(64496, 64497)).comparison.verdict).toBe("stricter");
  });

  test("of redirects are another version of the rule", () => {
    const moves = (targetUrl: string): ListsInput => ({
      moves: { kind: "redirect", items: [{ sourceUrl: "example.com/old", targetUrl }] },
    });
    const rule: RuleInput = {
      ref: "moves",
      action: "redirect",
      expression: "http.request.full_uri in $moves",
      actionParameters: { fromList: { name: "moves", key: "http.request.full_uri" } },
    };
    const edit = (after: string) =>
      judge({
        ...{ phase: "http_request_redirect", kind: "root", before: [rule], after: [rule] },
        lists: { before: moves("https://example.com/a"), after: moves(after) },
      });
    expect(edit("https://example.com/a").comparison.verdict).toBe("equivalent");
    expect(edit("https://example.com/b").comparison.verdict).toBe("unknown");
  });

  test("whose rulesets have other lists of the same name", () => {
    const rules = [block("ip.src in $bad")];
    const comparison = judgeRulesets({ before: rulesets(rules, ips()), after: rulesets(rules, ips("192.0.2.7")) });
    expect(comparison.verdict).toBe("stricter");
  });
});

test("a rule that lists the same addresses as a list is equal to it", () => {
  const [before, after] = [block("ip.src in {192.0.2.7 198.51.100.0/24}"), block("ip.src in $bad")];
  const lists = ips("198.51.100.0/24", "192.0.2.7");
  expect(compare({ before: rulesets([before]), after: rulesets([after], lists) }).verdict).toBe("equivalent");
});

test("rules that an earlier rule with a list covers never act", () => {
  const rules = [block("ip.src in $bad"), { ref: "later", action: "log", expression: "ip.src eq 192.0.2.7" }];
  const found = (lists?: ListsInput) =>
    analyse({ rulesets: rulesets(rules, lists) }).map(({ code, rule }) => [code, rule.ref]);
  expect(found()).toEqual([]);
  expect(found(ips("192.0.2.0/24"))).toEqual([["covered", "later"]]);
});

test("findings name the list, and not its items", () => {
  const [finding] = analyse({
    rulesets: rulesets([block("ip.src in $bad and ip.src eq 203.0.113.9")], ips("192.0.2.7")),
  });
  expect(finding?.message).toContain("`ip.src in $bad`");
});

test("what must hold is proved with the items of lists", () => {
  const proof = (lists?: ListsInput) =>
    prove({
      rulesets: rulesets([block("ip.src in $bad")], lists),
      invariants: [{ requests: "ip.src in {192.0.2.0/24}", must: { kind: "be-stopped" } }],
    })[0]?.verdict;
  expect(proof(ips("192.0.2.0/24"))).toBe("proved");
  expect(proof(ips("192.0.2.0/25"))).toBe("violated");
  expect(proof()).toBe("unknown");
});

test("10,000 addresses are compared", () => {
  const addresses = Array.from({ length: 10_000 }, (_, n) => `10.${String(n >> 8)}.${String(n & 255)}.9`);
  const { comparison } = judged("ip.src in $bad", ips(...addresses), ips(...addresses.slice(1)));
  expect(comparison.verdict).toBe("looser");
});
