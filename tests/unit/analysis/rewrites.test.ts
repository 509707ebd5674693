import { compare, type Comparison } from "../../../core/analysis/index";
import { compileProgram, simulate, type RuleInput, type RulesetInput } from "../../../core/simulator/index";

const rewrite = (ref: string, expression: string, uri: object): RuleInput => ({
  ref,
  action: "rewrite",
  expression,
  actionParameters: { uri },
});
const to = (ref: string, expression: string, value: string): RuleInput => rewrite(ref, expression, { path: { value } });
const computed = (ref: string, expression: string, value: string): RuleInput =>
  rewrite(ref, expression, { path: { expression: value } });
const block = (expression: string): RuleInput => ({ ref: "block", action: "block", expression });
const rulesets = (rewrites: readonly RuleInput[], firewall: readonly RuleInput[] = []): RulesetInput[] => [
  { kind: "zone", phase: "http_request_transform", rules: rewrites },
  { kind: "zone", phase: "http_request_firewall_custom", rules: firewall },
];
const path = "http.request.uri.path";
const A = to("a", `${path} eq "/a"`, "/x");

type Case = [
  name: string,
  verdict: Comparison["verdict"],
  before: readonly RuleInput[],
  after: readonly RuleInput[],
  ...firewall: RuleInput[],
];

const cases: Case[] = [
  // What the origin sees.
  ["a new rewrite", "both", [], [A]],
  ["another target", "both", [A], [to("a", `${path} eq "/a"`, "/y")]],
  ["another query", "both", [A], [A, rewrite("q", "ssl", { query: { value: "q=1" } })]],
  ["the same target, written differently", "equivalent", [A], [to("a", `not ${path} ne "/a"`, "x")]],
  ["a rewrite to what the path is", "equivalent", [], [to("a", `${path} eq "/x"`, "/x")]],
  ["the same path, computed", "equivalent", [A], [computed("a", `${path} eq "/a"`, 'concat("/", "x")')]],
  ["a rewrite that a later one overwrites", "equivalent", [A, to("b", "true", "/z")], [to("b", "true", "/z")]],
  [
    "the order of rewrites that exclude each other",
    "equivalent",
    [A, to("b", `${path} eq "/b"`, "/y")],
    [to("b", `${path} eq "/b"`, "/y"), A],
  ],
  ["the order of rewrites of the same request", "both", [A, to("b", "ssl", "/y")], [to("b", "ssl", "/y"), A]],
  [
    "two rewrites to one place, in one rule",
    "equivalent",
    [A, to("b", `${path} eq "/b"`, "/x")],
    [to("a", `${path} in {"/a" "/b"}`, "/x")],
  ],
  ["a prefix that is always added", "both", [], [computed("a", "true", `concat("/p", ${path})`)]],
  // What later rules see.
  ["a rewrite into a block", "stricter", [], [to("a", `${path} eq "/x"`, "/blocked")], block(`${path} eq "/blocked"`)],
  [
    "a rewrite around a block",
    "looser",
    [],
    [to("a", `${path} eq "/blocked"`, "/blocked2")],
    block(`${path} eq "/blocked"`),
  ],
  [
    "a prefix that a block looks for",
    "stricter",
    [],
    [computed("a", "ssl", `concat("/p", ${path})`)],
    block(`starts_with(${path}, "/p/")`),
  ],
  [
    "a prefix that does not matter to a block",
    "both",
    [],
    [computed("a", "ssl", `concat("/p", ${path})`)],
    block(`${path} contains "//"`),
  ],
  [
    "an extension that goes",
    "looser",
    [],
    [to("a", 'ends_with(http.request.uri.path, ".php")', "/index")],
    block('http.request.uri.path.extension eq "php"'),
  ],
  [
    "a whole URL",
    "looser",
    [],
    [to("a", `${path} eq "/x"`, "/y")],
    block('http.request.full_uri wildcard "https://a.example.com/x*"'),
  ],
  [
    "a URI with its query",
    "looser",
    [],
    [to("a", `${path} eq "/x"`, "/y")],
    block('http.request.uri wildcard "/x?id=*"'),
  ],
  [
    "a query that goes",
    "looser",
    [],
    [rewrite("a", "ssl", { query: { value: "" } })],
    block('http.request.uri contains "cmd="'),
  ],
  ["a decoded path", "stricter", [], [computed("a", "true", `url_decode(${path})`)], block(`${path} contains "("`)],
];

test.each(cases)("%s: %s", (_, verdict, before, after, ...firewall) => {
  const [old, fresh] = [rulesets(before, firewall), rulesets(after, firewall)];
  const found = compare({ before: old, after: fresh });
  expect(found.verdict).toBe(verdict);
  expect(found.undecided.filter(({ direction }) => direction !== "other")).toEqual([]);
  for (const { request } of found.witnesses) {
    const [was, is] = [old, fresh].map((each) => simulate({ program: compileProgram(each), request }));
    expect([was?.outcome, was?.request.url]).not.toEqual([is?.outcome, is?.request.url]);
  }
});

test("decides an edit of a rule after rewrites, and what a rewrite makes impossible", () => {
  const moved = to("a", `starts_with(${path}, "/old/")`, "/new");
  const edit = (before: string, after: string) =>
    compare({ before: rulesets([moved], [block(before)]), after: rulesets([moved], [block(after)]) }).verdict;
  expect(edit(`starts_with(${path}, "/old/")`, 'ssl and http.request.uri.path eq "/old/a"')).toBe("equivalent");
  expect(edit(`${path} eq "/new"`, `${path} eq "/new" and not starts_with(raw.${path}, "/old/a")`)).toBe("looser");
  expect(edit(`${path} eq "/new"`, `${path} in {"/new" "/old/x"}`)).toBe("equivalent");
  expect(edit(`${path} eq "/new"`, `${path} in {"/new" "/older"}`)).toBe("stricter");
});

test("does not claim to know rewrites whose rules are secret, computed elsewhere or not all given", () => {
  const secret = (opaque: string): RuleInput => ({ ...A, expression: undefined, opaque });
  const edit = (before: RuleInput, after: RuleInput, isPart = false) =>
    compare({
      before: rulesets([before], [block(`${path} eq "/x"`)]),
      after: rulesets([after], [block(`${path} eq "/x"`)]),
      isPart,
    });
  expect(edit(secret("one"), secret("other"))).toMatchObject({ looser: "undecided", stricter: "undecided" });
  const hidden: RuleInput = { ...A, actionParameters: {}, opaque: "one" };
  expect(edit(hidden, { ...hidden, opaque: "other" })).toMatchObject({ looser: "undecided", stricter: "undecided" });
  const admin = block(`${path} eq "/x"`);
  const removed = { before: rulesets([hidden], [admin]), after: rulesets([], [admin]) };
  expect(compare(removed)).toMatchObject({ verdict: "unknown", looser: "undecided", stricter: "undecided" });
  expect(compare({ before: rulesets([hidden]), after: rulesets([]) }).verdict).toBe("unknown");
});
