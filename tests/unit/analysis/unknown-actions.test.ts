import { compare, isMet, prove, weakensOf, type Proof, type Requirement } from "../../../core/analysis/index";
import { makeRequest, type HttpRequest } from "../../../core/language/index";
import {
  compileProgram,
  simulate,
  type Limits,
  type Program,
  type RuleInput,
  type RulesetInput,
} from "../../../core/simulator/index";
import { edited, expression, request, rulesets } from "./arbitrary";
import { SEED } from "../../support/fuzzing.js";
import { fc, runs } from "../../support/properties.js";

// A rule whose action is not known here may be any rule that this version knows: what is said of it must hold for each of them.

const CUSTOM = "http_request_firewall_custom";
const LIMITS = "http_ratelimit";
const TRANSFORM = "http_request_transform";
const MANAGED = "http_request_firewall_managed";
const SETTINGS = "http_config_settings";

const zone = (phase: string, ...rules: RuleInput[]): RulesetInput => ({ kind: "zone", phase, rules });
const enchant = (text: string, more: Partial<RuleInput> = {}): RuleInput => ({
  ...{ ref: "magic", action: "enchant", expression: text },
  ...more,
});
const limit = { characteristics: ["ip.src"], period: 60, requestsPerPeriod: 2, mitigationTimeout: 60 };

const requirements: readonly Requirement[] = [
  ...(["be-stopped", "block", "challenge", "be-allowed", "be-limited", "be-logged", "not-be-skipped"] as const).map(
    (kind) => ({ kind }),
  ),
  ...[{ kind: "reach-managed-rules" } as const, { kind: "redirect" } as const],
  { kind: "redirect", to: "https://x.example/" },
];

/** What a rule may be, in a phase. */
function possible(rule: RuleInput, phase: string): readonly RuleInput[] {
  const as = (action: string, actionParameters: object = {}, more: Partial<RuleInput> = {}): RuleInput => ({
    ...{ ...rule, opaque: undefined, action, actionParameters },
    ...more,
  });
  const skip = (parameters: object): RuleInput => as("skip", parameters);
  const uri = (part: string, value: string): RuleInput => as("rewrite", { uri: { [part]: { value } } });
  if (rule.ratelimit !== undefined) return ["block", "log", "managed_challenge"].map((action) => as(action));
  return [
    ...["block", "managed_challenge", "js_challenge", "log"].map((action) => as(action)),
    as("log", {}, { enabled: false }),
    as("redirect", { fromValue: { targetUrl: { value: "https://x.example/" } } }),
    as("execute", { id: "m1" }),
    ...[{ ruleset: "current" }, { phase: "current" }, { phases: [LIMITS] }, { phases: [CUSTOM, LIMITS, MANAGED] }].map(
      skip,
    ),
    ...[{ rulesets: ["own"] }, { rulesets: ["m1"] }, { rules: { own: ["own0"] } }, { products: ["waf"] }].map(skip),
    ...(phase === TRANSFORM ? [uri("path", "/a"), uri("path", "/b"), uri("query", "ab")] : []),
    as("set_config", { bic: false }),
  ];
}

/** Rulesets with every rule that a rule without a known action may be. */
function substitutions(...versions: readonly RulesetInput[][]): readonly (readonly RulesetInput[][])[] {
  const unknown = versions
    .flat()
    .flatMap(({ phase, rules }) => rules.filter(isUnknown).map((rule) => ({ rule, phase })));
  const [first] = unknown;
  if (first === undefined) return [versions];
  return possible(first.rule, first.phase).map((one) =>
    versions.map((version) =>
      version.map((ruleset) => ({
        ...ruleset,
        rules: ruleset.rules.map((rule) => (isUnknown(rule) ? { ...one, expression: rule.expression } : rule)),
      })),
    ),
  );
}

function isUnknown({ action }: RuleInput): boolean {
  return action === "enchant";
}

/** What becomes of a request that is sent several times. */
function treatments(program: Program, to: HttpRequest, times = 4) {
  let limits: Limits | undefined;
  return Array.from({ length: times }, () => {
    const simulation = simulate({ program, request: to, limits, response: { status: 200 }, clock: 0 });
    limits = simulation.limits;
    return simulation;
  });
}

const proofOf = (given: readonly RulesetInput[], must: Requirement, requests = "true"): Proof["verdict"] | undefined =>
  prove({ rulesets: given, invariants: [{ requests, must }] })[0]?.verdict;

const managed: RuleInput = { action: "execute", expression: "true", actionParameters: { id: "m1" } };

describe("a rule whose action this version does not know", () => {
  test.each<[string, Requirement]>(requirements.map((must) => [JSON.stringify(must), must]))(
    "leaves open whether requests get %s",
    (_, must) => {
      const block: RuleInput = { action: "block", expression: 'http.host eq "a"' };
      const given = [
        zone(CUSTOM, enchant("true"), block),
        zone(LIMITS, { action: "block", expression: "true", ratelimit: limit }),
        zone(MANAGED, managed),
      ];
      expect(proofOf(given, must)).toBe("unknown");
      const hidden = given.map((one) => ({
        ...one,
        rules: one.rules.map((rule) => (isUnknown(rule) ? { ...rule, action: "unknown", opaque: "later" } : rule)),
      }));
      expect(proofOf(hidden, must)).toBe("unknown");
    },
  );

  test("may only log what exceeds its limit", () => {
    const given = [zone(LIMITS, enchant("true", { ratelimit: limit }))];
    expect(proofOf(given, { kind: "be-limited" })).toBe("unknown");
    const program = compileProgram(given);
    expect(
      treatments(program, makeRequest({ url: "https://a/" }))
        .map(({ outcome }) => outcome)
        .at(-1),
    ).toBe("unknown");
  });

  test("decides nothing for requests that do not match it", () => {
    const given = [
      zone(CUSTOM, enchant('http.host eq "b"')),
      zone(LIMITS, { action: "block", expression: "true", ratelimit: limit }),
    ];
    expect(proofOf(given, { kind: "be-limited" }, 'http.host eq "a"')).toBe("proved");
    expect(proofOf(given, { kind: "not-be-skipped" }, 'http.host eq "a"')).toBe("proved");
    expect(proofOf(given, { kind: "be-stopped" })).toBe("violated");
  });

  test("may skip a later rule that blocks, so that the outcome of a request is not known", () => {
    const given = [zone(CUSTOM, enchant("true"), { action: "block", expression: "true" })];
    const seen = simulate({ program: compileProgram(given), request: makeRequest({ url: "https://a/" }) });
    expect(seen).toMatchObject({ outcome: "unknown", undecided: [{ outcome: "any" }] });
  });

  const x = 'http.host eq "a"';
  const block: RuleInput = { ref: "block", action: "block", expression: x };
  const bic: RuleInput = { ref: "bic", action: "set_config", expression: "true", actionParameters: { bic: true } };
  const custom = (...rules: RuleInput[]): RulesetInput => ({ kind: "custom", id: "own", phase: CUSTOM, rules });
  const own: RuleInput = { ref: "run", action: "execute", expression: x, actionParameters: { id: "own" } };
  test.each<[string, RulesetInput[], RulesetInput[]]>([
    [
      "skip the later one of two rules that block the same",
      [zone(CUSTOM, enchant("true"), block), zone(MANAGED, { ...block, ref: "later" })],
      [zone(CUSTOM, enchant("true")), zone(MANAGED, { ...block, ref: "later" })],
    ],
    ["set what a rule set before it", [zone(SETTINGS, enchant("true"), bic)], [zone(SETTINGS, bic, enchant("true"))]],
    [
      "set what one of two rules set before it",
      [zone(SETTINGS, bic, enchant("true"), { ...bic, ref: "again" })],
      [zone(SETTINGS, bic, enchant("true"))],
    ],
    ["skip a rule that comes after it", [zone(CUSTOM, block, enchant("true"))], [zone(CUSTOM, enchant("true"), block)]],
    [
      "run a custom ruleset for other requests",
      [zone(CUSTOM, enchant("true"), own), custom({ ...block, ref: "own0", expression: `not ${x}` })],
      [zone(CUSTOM, enchant("true"), own), custom()],
    ],
    [
      "run before a limit counts",
      [zone(LIMITS, enchant("true"), { ...block, ratelimit: limit })],
      [zone(LIMITS, { ...block, ratelimit: limit }, enchant("true"))],
    ],
  ])("may %s, so that an edit is not called harmless", (_, before, after) => {
    expect(weakensOf(compare({ before, after }))).toBe("unknown");
  });

  test("does not make a later rule that blocks more requests look like a loss", () => {
    const versions = [x, `${x} or ssl`].map((text) => [zone(CUSTOM, enchant("true"), { ...block, expression: text })]);
    const [before = [], after = []] = versions;
    expect(compare({ before, after })).toMatchObject({ looser: "ruledOut", stricter: "undecided" });
  });
});

const unknownRule: fc.Arbitrary<RuleInput> = fc
  .tuple(fc.oneof(expression, fc.constant("true")), fc.constantFrom(undefined, "later"))
  .map(([text, opaque]) => enchant(text, opaque === undefined ? {} : { opaque }));
const withUnknown = (given: readonly RulesetInput[], rule: RuleInput, where: number, at: number): RulesetInput[] => {
  const index = where % given.length;
  return given.map((ruleset, position) => {
    if (position !== index) return ruleset;
    const rules = [...ruleset.rules];
    rules.splice(at % (rules.length + 1), 0, ruleset.phase === LIMITS ? { ...rule, ratelimit: limit } : rule);
    return { ...ruleset, rules };
  });
};
const places = fc.tuple(fc.nat({ max: 20 }), fc.nat({ max: 20 }));
const requests = fc.array(request, { minLength: 10, maxLength: 10 });

test("what is proved or shown to be violated is so with every action that it may be", () => {
  const numRuns = runs(25);
  const found: Record<string, number> = {};
  fc.assert(
    fc.property(
      ...[rulesets, unknownRule, places, fc.oneof(expression, fc.constant("true"))],
      ...[fc.constantFrom(...requirements), requests],
      (whole, rule, [where, at], scope, must, inputs) => {
        const given = withUnknown([...whole, zone(MANAGED, managed)], rule, where, at);
        const [proof] = prove({ rulesets: given, invariants: [{ requests: scope, must }] });
        if (proof === undefined) throw new Error("no proof");
        found[proof.verdict] = (found[proof.verdict] ?? 0) + 1;
        if (proof.verdict === "unknown") return;
        const scoped = compileProgram([zone(TRANSFORM, { action: "log", expression: scope })]);
        for (const [known = []] of substitutions(given)) {
          const program = compileProgram(known);
          const judge = (to: HttpRequest): boolean =>
            simulate({ program: scoped, request: to }).trace[0]?.status === "matched" &&
            treatments(program, to).some((seen) => isMet(must, seen) === "violated");
          if (proof.verdict === "violated" && !judge(makeRequest(proof.input)))
            throw new Error(`not violated with ${JSON.stringify(known)}: ${proof.text}`);
          const against = proof.verdict === "proved" ? inputs.find((input) => judge(makeRequest(input))) : undefined;
          if (against !== undefined)
            throw new Error(`proved, but violated by ${JSON.stringify(against)} with ${JSON.stringify(known)}`);
        }
      },
    ),
    { numRuns },
  );
  if (numRuns > 25) process.stdout.write(`${JSON.stringify(found)}, seed ${String(SEED)}\n`);
  expect(Object.keys(found).sort()).toEqual(["proved", "unknown", "violated"]);
});

const RANKS: Readonly<Record<string, number>> = { allowed: 0, redirected: 1, limited: 2, challenged: 3, blocked: 4 };

test("the verdict on an edit holds with every action that a rule of both versions may have", () => {
  const numRuns = runs(15);
  const found: Record<string, number> = {};
  const edits = fc
    .tuple(rulesets, unknownRule, places, fc.boolean())
    .map(([given, rule, [where, at], twice]) =>
      withUnknown(
        twice ? [...given, zone(MANAGED, { ref: "late", action: "block", expression: "true" })] : given,
        rule,
        where,
        at,
      ),
    )
    .chain((before) => fc.tuple(fc.constant(before), edited(before)));
  fc.assert(
    fc.property(edits, requests, ([before, after]: [RulesetInput[], RulesetInput[]], inputs) => {
      const verdict = compare({ before, after });
      found[verdict.verdict] = (found[verdict.verdict] ?? 0) + 1;
      const ruledOut = (["looser", "stricter"] as const).filter((one) => verdict[one] === "ruledOut");
      if (ruledOut.length === 0) return;
      for (const [was = [], is = []] of substitutions(before, after)) {
        const [old, fresh] = [compileProgram(was), compileProgram(is)];
        for (const input of inputs) {
          const to = makeRequest(input);
          const [from, into] = [treatments(old, to), treatments(fresh, to)];
          from.forEach(({ outcomeWithoutManaged: outcome }, index) => {
            const [a, b] = [RANKS[outcome], RANKS[into[index]?.outcomeWithoutManaged ?? ""]];
            if (a === undefined || b === undefined || a === b) return;
            const direction = b > a ? "stricter" : "looser";
            if (ruledOut.includes(direction))
              throw new Error(
                `${direction}, though ruled out, for ${JSON.stringify(input)}: ${JSON.stringify({ was, is })}`,
              );
          });
        }
      }
    }),
    { numRuns },
  );
  if (numRuns > 15) process.stdout.write(`${JSON.stringify(found)}, seed ${String(SEED)}\n`);
});
