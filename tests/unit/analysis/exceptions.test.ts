import { analyseFully, compare } from "../../../core/analysis/index";
import { makeRequest } from "../../../core/language/index";
import {
  compileProgram,
  simulate,
  type RuleInput,
  type RulesetInput,
  type Simulation,
} from "../../../core/simulator/index";
import { fc, runs } from "../../support/properties.js";

// Rules with exceptions from each other, over so few requests that all of them can be tried.

const CUSTOM = "http_request_firewall_custom";
const LIMITS = "http_ratelimit";
const OWN = "c".repeat(32);

const requests = ["a", "b"].flatMap((host) =>
  ["/a", "/b"].flatMap((path) =>
    ["http", "https"].map((scheme) => makeRequest({ url: `${scheme}://${host}${path}`, ip: "192.0.2.1" })),
  ),
);
/** Every request matches exactly one of the hosts, paths and schemes above, as far as the analysis knows. */
const WORLD = 'http.host in {"a" "b"} and http.request.uri.path in {"/a" "/b"}';

const part = fc.constantFrom(
  ...['http.host eq "a"', 'http.host eq "b"', 'http.request.uri.path eq "/a"', 'http.request.uri.path ne "/a"'],
  ...["ssl", "not ssl", 'http.host in {"a" "b"}', 'not (http.host eq "a" and ssl)'],
);
const expression = fc
  .array(part, { minLength: 1, maxLength: 2 })
  .chain((parts) => fc.constantFrom(parts.join(" and "), parts.join(" or ")));
const stop: fc.Arbitrary<RuleInput> = fc.record({ action: fc.constantFrom("block", "managed_challenge"), expression });
const exception: fc.Arbitrary<RuleInput> = fc.record({
  action: fc.constant("skip"),
  expression,
  actionParameters: fc.constantFrom(
    { ruleset: "current" },
    { phase: "current" },
    { phases: [LIMITS] },
    { ruleset: "current", phases: [LIMITS] },
    { rulesets: [OWN] },
    { rules: { [OWN]: ["own0", "own2"] } },
  ),
});
const rules = (maxLength: number, prefix: string): fc.Arbitrary<RuleInput[]> =>
  fc.array(fc.oneof(stop, exception), { maxLength }).map((all) =>
    all.map((one, index) => ({
      ref: `${prefix}${String(index)}`,
      ...one,
      expression: `${WORLD} and (${String(one.expression)})`,
    })),
  );
const execution: fc.Arbitrary<RuleInput> = fc.record({
  ref: fc.constant("execute"),
  action: fc.constant("execute"),
  expression: fc.constantFrom("true", WORLD, `${WORLD} and ssl`),
  actionParameters: fc.constant({ id: OWN }),
});

interface Lists {
  readonly root: readonly RuleInput[];
  readonly own: readonly RuleInput[];
  readonly custom: readonly RuleInput[];
  readonly limits: readonly RuleInput[];
}
const lists: fc.Arbitrary<Lists> = fc
  .record({
    root: rules(2, "root"),
    execute: fc.option(execution),
    own: rules(3, "own"),
    custom: rules(6, "custom"),
    limits: rules(2, "limits"),
  })
  .map(({ execute, root, ...others }) => ({ ...others, root: execute === null ? root : [...root, execute] }));

function toRulesets({ root, own, custom, limits }: Lists): RulesetInput[] {
  return [
    { kind: "root", phase: CUSTOM, rules: root },
    { kind: "custom", id: OWN, phase: CUSTOM, rules: own },
    { kind: "zone", phase: CUSTOM, rules: custom },
    { kind: "zone", phase: LIMITS, rules: limits },
  ];
}

/** Another version: rules of one list or of all lists removed, moved or taken from other lists. */
const versions: fc.Arbitrary<readonly [Lists, Lists]> = fc.tuple(lists, lists).chain(([before, other]) => {
  const edited = (name: keyof Lists): fc.Arbitrary<readonly RuleInput[]> =>
    fc.oneof(
      { weight: 2, arbitrary: fc.constant(before[name]) },
      fc.shuffledSubarray([...before[name]]),
      fc.subarray([...before[name]]),
      fc
        .tuple(fc.nat({ max: before[name].length }), fc.constantFrom(...other.custom, undefined))
        .map(([at, rule]) => (rule === undefined ? before[name] : before[name].toSpliced(at, 1, rule))),
    );
  return fc.tuple(
    fc.constant(before),
    fc.record({ root: edited("root"), own: edited("own"), custom: edited("custom"), limits: edited("limits") }),
  );
});

/** A ruleset that no rule executes may be executed elsewhere, and what is skipped may be elsewhere if there are no rules here. */
function isWholeKnown({ root, own, limits }: Lists): boolean {
  return root.some(({ action }) => action === "execute") && own.length > 0 && limits.length > 0;
}

const RANKS: Readonly<Record<string, number>> = { allowed: 0, redirected: 1, limited: 2, challenged: 3, blocked: 4 };
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  equivalent: [],
  stricter: ["stricter"],
  looser: ["looser"],
  both: ["stricter", "looser"],
};

function outcomesOf(rulesets: readonly RulesetInput[]): readonly Simulation[] {
  const program = compileProgram(rulesets);
  return requests.map((request) => simulate({ program, request }));
}

test("the verdict on an edit among exceptions is that of all requests", () => {
  fc.assert(
    fc.property(versions, ([before, after]) => {
      const [old, edited] = [toRulesets(before), toRulesets(after)];
      const { verdict } = compare({ before: old, after: edited });
      const [outcomes, others] = [outcomesOf(old), outcomesOf(edited)];
      const seen = new Set(
        outcomes.flatMap(({ outcome }, index) => {
          const [from, to] = [RANKS[outcome] ?? 0, RANKS[others[index]?.outcome ?? ""] ?? 0];
          return from === to ? [] : [to > from ? "stricter" : "looser"];
        }),
      );
      const allowed = ALLOWED[verdict];
      if (allowed !== undefined) expect(allowed).toEqual(expect.arrayContaining([...seen]));
      if (isWholeKnown(before) && isWholeKnown(after)) expect(verdict).not.toBe("unknown");
    }),
    { numRuns: runs(50) },
  );
});

test("a rule is covered if no request reaches it, among exceptions too", () => {
  fc.assert(
    fc.property(lists, (given) => {
      const rulesets = toRulesets(given);
      const { findings, undecided } = analyseFully({ rulesets });
      const covered = findings.filter(({ code }) => code === "covered" || code === "never-matches");
      const reached = new Set(
        outcomesOf(rulesets).flatMap(({ trace }) =>
          trace.flatMap(({ status, ref }) => (status === "matched" ? (ref ?? []) : [])),
        ),
      );
      // The trace names an execution whose rules are skipped.
      for (const { rule } of covered) if (rule.action !== "execute") expect(reached).not.toContain(rule.ref);
      expect(undecided).toEqual([]);
      const unreached = given.custom.filter(({ ref }) => !reached.has(ref ?? "")).map(({ ref }) => ref);
      expect(covered.map(({ rule }) => rule.ref)).toEqual(expect.arrayContaining(unreached));
    }),
    { numRuns: runs(50) },
  );
});
