import { compare, judge, prove, type Requirement } from "../../../core/analysis/index";
import { makeRequest } from "../../../core/language/index";
import { simulate, type RuleInput, type RulesetInput } from "../../../core/simulator/index";

// The service accepts overrides of a custom ruleset. Its documentation advises against them and does not say what they do.

const PHASE = "http_request_firewall_custom";
const ID = "0123456789abcdef0123456789abcdef";

const execute = (overrides: object | undefined, id = ID): RuleInput => ({
  ...{ ref: "deploy", action: "execute", expression: "true" },
  actionParameters: { id, ...(overrides === undefined ? {} : { overrides }) },
});
const root = (...rules: RuleInput[]): RulesetInput => ({ kind: "root", accountId: "a", phase: PHASE, rules });
const custom = (...rules: RuleInput[]): RulesetInput => ({
  kind: "custom",
  accountId: "a",
  id: ID,
  phase: PHASE,
  rules,
});
const block: RuleInput = { ref: "all", action: "block", expression: "true" };

const plain = [root(execute(undefined)), custom(block)];
const overridden = (overrides: object): RulesetInput[] => [root(execute(overrides)), custom(block)];

const OVERRIDES: readonly object[] = [
  { enabled: false },
  { action: "log" },
  { action: "log", rules: [{ id: ID, enabled: false }] },
  { rules: [{ id: ID, action: "log" }] },
];
const cases = OVERRIDES.map((one): [string, object] => [JSON.stringify(one), one]);

const run = (rulesets: readonly RulesetInput[]) =>
  simulate({ rulesets, request: makeRequest({ url: "https://example.com/" }) });

describe.each(cases)("a custom ruleset that is executed with the overrides %s", (_, overrides) => {
  const given = overridden(overrides);

  test("has an unknown effect on a request", () => {
    const { outcome, undecided, trace } = run(given);
    expect(outcome).toBe("unknown");
    expect(undecided).toMatchObject([
      { rule: { ref: "deploy" }, outcome: "any", because: ["what overrides do to a custom ruleset is not documented"] },
    ]);
    expect(trace.find(({ ref }) => ref === "all")?.why).toBe(
      "a rule executes this ruleset with overrides, and what overrides do to a custom ruleset is not documented",
    );
  });

  test.each<[string, Requirement]>(
    (["block", "be-stopped", "be-allowed", "be-logged", "not-be-skipped"] as const).map((kind) => [kind, { kind }]),
  )("leaves open whether requests must %s", (_name, must) => {
    expect(prove({ rulesets: given, invariants: [{ requests: "true", must }] })).toMatchObject([
      { verdict: "unknown" },
    ]);
  });

  test("is not equivalent to one without, in either direction", () => {
    expect(compare({ before: plain, after: given }).verdict).toBe("unknown");
    expect(compare({ before: given, after: plain }).verdict).toBe("unknown");
    expect(compare({ before: given, after: given }).verdict).toBe("equivalent");
  });

  test("leaves open what an edit of its rules does", () => {
    const after = [root(execute(overrides)), custom({ ...block, action: "log" })];
    expect(compare({ before: given, after }).verdict).toBe("unknown");
  });

  test("is neither weakened nor strengthened by an edit of its overrides", () => {
    const judged = judge({ phase: PHASE, kind: "root", before: [execute(undefined)], after: [execute(overrides)] });
    expect(judged.weakens).toBe("unknown");
    for (const { order, text } of judged.rules.flatMap(({ reasons }) => reasons))
      expect([order, text]).toEqual(["mixed", expect.stringMatching(/ custom ruleset is not documented$/)]);
    expect(judged.rules).toMatchObject([{ ref: "deploy", weakens: "unknown" }]);
  });
});

test("overrides of a ruleset that is not given are open in a phase of custom rulesets only", () => {
  const off = { enabled: false };
  expect(run([root(execute(off))]).outcome).toBe("unknown");
  const managed = { ...root(execute(off, "efb7b8c949ac4650a09736fc376e9aee")), phase: "http_request_firewall_managed" };
  expect(run([managed]).outcome).toBe("allowed");
});

test("a ruleset that a skip rule skips is skipped with its overrides", () => {
  const skip: RuleInput = { action: "skip", expression: "true", actionParameters: { rulesets: [ID] } };
  const { outcome, trace } = run([root(skip, execute({ enabled: false })), custom(block)]);
  expect(outcome).toBe("allowed");
  expect(trace.find(({ ref }) => ref === "deploy")?.status).toBe("skipped");
});

test("empty overrides change nothing", () => {
  expect(run(overridden({})).outcome).toBe("blocked");
});
