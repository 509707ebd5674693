import { compare, type Comparison } from "../../../analysis/index";
import { simulate, type RuleInput, type RulesetInput } from "../../../simulator/index";

const FIREWALL = "http_request_firewall_custom";
const MANAGED = "http_request_firewall_managed";
const zone = (rules: readonly RuleInput[], phase = FIREWALL): RulesetInput[] => [{ kind: "zone", phase, rules }];
const block = (ref: string, expression: string, more: Partial<RuleInput> = {}): RuleInput => ({
  ref,
  action: "block",
  expression,
  ...more,
});
const A = block("a", 'http.request.uri.path eq "/a"');
const B = block("b", 'starts_with(http.request.uri.path, "/b")');
const office = { ref: "office", action: "skip", expression: "ip.src in {192.0.2.0/24}" };
const limit = (requestsPerPeriod: number): RuleInput =>
  block("limit", 'http.request.uri.path eq "/login"', {
    ratelimit: { characteristics: ["ip.src"], period: 60, requestsPerPeriod, mitigationTimeout: 60 },
  });
const execute = (overrides?: object): RuleInput => ({
  ref: "run",
  action: "execute",
  expression: "true",
  actionParameters: { id: "managed", overrides },
});

type Case = [
  name: string,
  verdict: Comparison["verdict"],
  before: RulesetInput[],
  after: RulesetInput[],
  witness?: string,
];

const cases: Case[] = [
  ["nothing", "equivalent", zone([A, B]), zone([A, B])],
  ["another order of rules with the same action", "equivalent", zone([A, B]), zone([B, A])],
  [
    "another notation",
    "equivalent",
    zone([block("a", 'http.host eq "a" and ssl')]),
    zone([block("a", 'ssl && http.host in {"a"}')]),
  ],
  ["one covered rule less", "equivalent", zone([B, block("c", 'http.request.uri.path eq "/b/c"')]), zone([B])],
  ["a rule that only logs", "equivalent", zone([{ ...A, action: "log" }]), zone([])],
  [
    "a skip rule at the end",
    "equivalent",
    zone([A]),
    zone([A, { ...office, actionParameters: { ruleset: "current" } }]),
  ],
  [
    "one rule more",
    "stricter",
    zone([A]),
    zone([A, B]),
    'GET https://www.example.com/b from 203.0.113.9: allowed → blocked by "b"',
  ],
  [
    "one rule less",
    "looser",
    zone([A, B]),
    zone([A]),
    'GET https://www.example.com/b from 203.0.113.9: blocked by "b" → allowed',
  ],
  ["a rule disabled", "looser", zone([A]), zone([{ ...A, enabled: false }])],
  ["a challenge instead of a block", "looser", zone([A]), zone([{ ...A, action: "managed_challenge" }])],
  [
    "a wider network",
    "stricter",
    zone([block("a", "ip.src in {10.0.0.0/9}")]),
    zone([block("a", "ip.src in {10.0.0.0/8}")]),
    'GET https://www.example.com/ from 10.128.0.0: allowed → blocked by "a"',
  ],
  ["one rule replaced by another", "both", zone([A]), zone([B])],
  [
    "a skip rule before others",
    "looser",
    zone([A, B]),
    zone([{ ...office, actionParameters: { ruleset: "current" } }, A, B]),
  ],
  [
    "a higher rate limit",
    "looser",
    zone([limit(10)], "http_ratelimit"),
    zone([limit(20)], "http_ratelimit"),
    'GET https://www.example.com/login from 203.0.113.9: limited by "limit" after 10 requests → limited by "limit" after 20 requests',
  ],
  ["a lower rate limit", "stricter", zone([limit(10)], "http_ratelimit"), zone([limit(5)], "http_ratelimit")],
  [
    "an exception for managed rules",
    "looser",
    zone([execute()], MANAGED),
    zone([{ ...office, actionParameters: { rulesets: ["managed"] } }, execute()], MANAGED),
  ],
  ["managed rules that only log", "looser", zone([execute()], MANAGED), zone([execute({ action: "log" })], MANAGED)],
  [
    "an exception for one managed rule",
    "looser",
    zone([execute()], MANAGED),
    zone([{ ...office, actionParameters: { rules: { managed: ["x"] } } }, execute()], MANAGED),
    "GET https://www.example.com/ from 192.0.2.5: allowed → allowed, without rule x of managed",
  ],
  [
    "a skipped phase whose rules are not given",
    "unknown",
    zone([A]),
    zone([{ ...office, actionParameters: { phases: ["http_request_sbfm"] } }, A]),
  ],
  [
    "other overrides of managed rules",
    "unknown",
    zone([execute()], MANAGED),
    zone([execute({ action: "block" })], MANAGED),
  ],
  [
    "a value that is not public",
    "unknown",
    zone([block("a", "hash_in_range(0, 100, cf.random_seed) lt 10")]),
    zone([block("a", "hash_in_range(0, 100, cf.random_seed) lt 20")]),
  ],
  [
    "a list",
    "looser",
    zone([block("a", "ip.src in $bad")]),
    zone([block("a", "ip.src in $bad and not cf.client.bot")]),
    'GET https://www.example.com/ from 203.0.113.9 (cf.client.bot: true; $bad contains 203.0.113.9): blocked by "a" → allowed',
  ],
];

test.each(cases.map(([name, verdict, before, after, witness]) => ({ name, verdict, before, after, witness })))(
  "$name: $verdict",
  ({ verdict, before, after, witness }) => {
    const found = compare({ before, after });
    expect(found.verdict).toBe(verdict);
    if (witness !== undefined) expect(found.witnesses[0]?.text).toBe(witness);
    if (verdict === "equivalent") expect(found.witnesses).toEqual([]);
  },
);

test("the outcomes of a witness are those of the simulator", () => {
  const [before, after] = [zone([A, B]), zone([A, { ...B, action: "managed_challenge" }])];
  const [witness] = compare({ before, after }).witnesses;
  if (witness === undefined) throw new Error("no witness");
  expect(witness.before).toMatchObject({ outcome: "blocked", rule: { ref: "b" } });
  expect(simulate({ rulesets: before, request: witness.request }).outcome).toBe("blocked");
  expect(simulate({ rulesets: after, request: witness.input }).outcome).toBe("challenged");
});

test("a different redirect target is neither stricter nor looser", () => {
  const to = (value: string) =>
    zone(
      [{ ...A, action: "redirect", actionParameters: { fromValue: { targetUrl: { value } } } }],
      "http_request_dynamic_redirect",
    );
  const found = compare({ before: to("https://x.example/"), after: to("https://y.example/") });
  expect(found).toMatchObject({ verdict: "both", witnesses: [{ direction: "other" }] });
});

test("a rewrite that changes what later rules see is not equivalent", () => {
  const rewrite = (value: string): RulesetInput[] =>
    zone(
      [{ ref: "r", action: "rewrite", expression: "true", actionParameters: { uri: { path: { value } } } }],
      "http_request_transform",
    );
  const rules = zone([A]);
  expect(compare({ before: [...rewrite("/a"), ...rules], after: [...rewrite("/x"), ...rules] }).verdict).not.toBe(
    "equivalent",
  );
});

test("a response header is neither stricter nor looser", () => {
  const headers = (value: string) =>
    zone(
      [
        {
          ref: "h",
          action: "rewrite",
          expression: "ssl",
          actionParameters: { headers: { "x-frame-options": { operation: "set", value } } },
        },
      ],
      "http_response_headers_transform",
    );
  expect(compare({ before: headers("DENY"), after: headers("SAMEORIGIN") }).verdict).toBe("both");
});

test("two settings in a different order are not equivalent", () => {
  const set = (ref: string, value: string): RuleInput => ({
    ref,
    action: "set_config",
    expression: "true",
    actionParameters: { securityLevel: value },
  });
  const phase = "http_config_settings";
  const found = compare({
    before: zone([set("a", "low"), set("b", "high")], phase),
    after: zone([set("b", "high"), set("a", "low")], phase),
  });
  expect(found.verdict).toBe("both");
});

describe("a witness includes the names of managed rulesets and rules", () => {
  const [CLOUDFLARE, OWASP] = ["efb7b8c949ac4650a09736fc376e9aee", "4814384a9e5d4991b9815dcfc25d2f1f"];
  const SCORING = "6179ae15870a4bb7b2d480d4843b323c";
  const run = (id: string): RuleInput => ({
    ref: id,
    action: "execute",
    expression: "true",
    actionParameters: { id },
  });
  const exception = { ...office, actionParameters: { rules: { [OWASP]: [SCORING] } } };

  test.each([
    [
      "that it now reaches",
      [],
      [run(CLOUDFLARE)],
      `allowed → allowed, seen by ${CLOUDFLARE} ("Cloudflare Managed Ruleset")`,
    ],
    [
      "that it no longer reaches",
      [run(CLOUDFLARE)],
      [],
      `allowed → allowed, no longer seen by ${CLOUDFLARE} ("Cloudflare Managed Ruleset")`,
    ],
    [
      "with a skipped rule",
      [run(OWASP)],
      [exception, run(OWASP)],
      `without rule ${SCORING} ("949110: Inbound Anomaly Score Exceeded") of ${OWASP} ("Cloudflare OWASP Core Ruleset")`,
    ],
    ["without a known name", [], [run("managed")], "allowed → allowed, seen by managed ruleset managed"],
  ])("%s", (_, before, after, text) => {
    const { witnesses } = compare({ before: zone(before, MANAGED), after: zone(after, MANAGED) });
    expect(witnesses[0]?.text).toContain(text);
  });
});

test("compares each zone separately", () => {
  const of = (zoneId: string, rules: RuleInput[]): RulesetInput => ({ kind: "zone", zoneId, phase: FIREWALL, rules });
  const found = compare({ before: [of("z1", [A]), of("z2", [A])], after: [of("z1", [A]), of("z2", [])] });
  expect(found).toMatchObject({ verdict: "looser", witnesses: [{ zone: "z2" }] });
});

test('reports "unknown" where the comparison takes too many steps', () => {
  expect(compare({ before: zone([A]), after: zone([B]), steps: 0 }).verdict).toBe("unknown");
});

test("a ruleset that a rule now executes is not the same as one that may be executed elsewhere", () => {
  const id = "c".repeat(32);
  const rulesets = (rules: readonly RuleInput[]): RulesetInput[] => [
    { kind: "root", phase: FIREWALL, rules },
    { kind: "custom", id, phase: FIREWALL, rules: [A] },
  ];
  const run: RuleInput = { ref: "run", action: "execute", expression: "true", actionParameters: { id } };
  expect(compare({ before: rulesets([]), after: rulesets([run]) }).verdict).toBe("unknown");
  expect(compare({ before: rulesets([run]), after: rulesets([]) }).verdict).toBe("unknown");
});
