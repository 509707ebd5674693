import { compare, effectWords, weakensOf, type Comparison } from "../../../core/analysis/index";
import { makeRequest } from "../../../core/language/index";
import {
  compileProgram,
  simulate,
  type RuleInput,
  type RulesetInput,
  type Simulation,
} from "../../../core/simulator/index";
import { fc, runs } from "../../support/properties.js";

/*
 * Rate limits over time: the simulator, with its clock, decides what may be said of an edit.
 */

const LOGIN = 'http.request.uri.path eq "/login"';
const limit = (
  requestsPerPeriod: number,
  period: number,
  mitigationTimeout: number,
  more: Partial<RuleInput> = {},
) => ({
  ...{ ref: "limit", action: "block", expression: LOGIN },
  ratelimit: { characteristics: ["ip.src"], period, requestsPerPeriod, mitigationTimeout },
  ...more,
});
const limits = (...rules: RuleInput[]): RulesetInput[] => [{ kind: "zone", phase: "http_ratelimit", rules }];

/** A request at a time in seconds. */
type Sent = readonly [second: number, path: string];
const times = (count: number, second: number, path = "/login"): Sent[] =>
  Array.from({ length: count }, () => [second, path] as const);

const RANKS: Readonly<Record<string, number>> = { allowed: 0, limited: 1 };

/** Whether requests of one client are stopped, in their order. */
function play(rulesets: RulesetInput[], sent: readonly Sent[]): readonly number[] {
  const program = compileProgram(rulesets);
  let counters: Simulation["limits"] | undefined;
  return sent.map(([second, path]) => {
    const request = makeRequest({ url: `https://www.example.com${path}`, ip: "203.0.113.9" });
    const seen = simulate({ program, request, limits: counters, clock: second * 1000 });
    counters = seen.limits;
    return RANKS[seen.outcome] ?? Number.NaN;
  });
}

/** Which ways requests are treated differently by two versions. */
function ways(before: RulesetInput[], after: RulesetInput[], sent: readonly Sent[]): ReadonlySet<string> {
  const [old, fresh] = [play(before, sent), play(after, sent)];
  return new Set(
    old.flatMap((was, at) => {
      const is = fresh[at] ?? 0;
      return was === is ? [] : [is > was ? "stricter" : "looser"];
    }),
  );
}

interface Case {
  readonly name: string;
  readonly before: RuleInput;
  readonly after: RuleInput;
  /** Requests by which the simulator shows that one of them is no longer stopped. */
  readonly sent: readonly Sent[];
}

const cases: readonly Case[] = [
  {
    name: "a lower limit whose timeout is as long as the period",
    before: limit(10, 60, 60),
    after: limit(5, 60, 60),
    sent: [
      ...times(1, 0),
      ...times(5, 59),
      ...Array.from({ length: 9 }, (_, at) => times(1, 61 + at)).flat(),
      ...times(2, 119.5),
    ],
  },
  {
    name: "a lower limit whose timeout is shorter than the period",
    before: limit(5, 60, 10),
    after: limit(3, 60, 10),
    sent: [...times(4, 0), ...times(2, 10)],
  },
  {
    name: "a lower limit whose timeout is much longer than the period",
    before: limit(10, 60, 600),
    after: limit(5, 60, 600),
    sent: [...times(6, 0), ...times(10, 599), ...times(1, 600)],
  },
  {
    name: "a longer period",
    before: limit(10, 10, 600),
    after: limit(10, 60, 600),
    sent: [...times(1, 0), ...times(5, 55), ...times(6, 61)],
  },
  {
    name: "a longer timeout",
    before: limit(10, 60, 60),
    after: limit(10, 60, 600),
    sent: [...times(11, 0), ...times(10, 599), ...times(1, 600)],
  },
  {
    name: "a limit that counts more requests",
    before: limit(10, 60, 0),
    after: limit(10, 60, 0, { expression: "true" }),
    sent: [...times(1, 0, "/"), ...times(5, 50), ...times(6, 61)],
  },
];

/** A comparison without its requests. */
const known = ({ looser, stricter }: Comparison) => ({ looser, stricter });

describe.each(cases)("$name", ({ before, after, sent }) => {
  const [old, fresh] = [limits(before), limits(after)];

  test("lets a request through that was stopped, and stops others", () => {
    expect(ways(old, fresh, sent)).toContain("looser");
  });

  test("is stricter but for a moment, and passes a gate", () => {
    const found = compare({ before: old, after: fresh });
    expect(known(found)).toEqual({ looser: "momentary", stricter: "shown" });
    expect(found.verdict).toBe("both");
    expect(weakensOf(found)).toBe("no");
    expect(effectWords(found)).toMatch(
      /^(stops requests that were not stopped|strengthens enforcement).*; changing a limit resets its counters/,
    );
  });

  test("is weaker the other way around", () => {
    const found = compare({ before: fresh, after: old });
    expect(known(found)).toEqual({ looser: "shown", stricter: "momentary" });
    expect(weakensOf(found)).toBe("yes");
  });
});

test.each([
  ["a lower limit without a timeout", limit(10, 60, 0), limit(5, 60, 0)],
  [
    "a limit that blocks instead of challenging",
    limit(10, 60, 600, { action: "managed_challenge" }),
    limit(10, 60, 600),
  ],
])("%s is stricter, which is proved", (_, before, after) => {
  expect(compare({ before: limits(before), after: limits(after) }).verdict).toBe("stricter");
  expect(compare({ before: limits(after), after: limits(before) }).verdict).toBe("looser");
});

const arbitraryLimit = fc
  .tuple(
    fc.constantFrom(LOGIN, 'http.request.uri.path in {"/login" "/a"}', "true"),
    fc.integer({ min: 1, max: 3 }),
    fc.constantFrom(10, 60),
    fc.constantFrom(0, 10, 60),
  )
  .map(([expression, requests, period, timeout]) => limit(requests, period, timeout, { expression }));
/** Up to two rules, whose refs stay theirs. */
const version = fc.uniqueArray(
  fc.tuple(fc.constantFrom("one", "two"), arbitraryLimit).map(([ref, rule]) => ({ ...rule, ref })),
  { maxLength: 2, selector: ({ ref }) => ref },
);
const edits = version.chain((before) =>
  fc.tuple(
    fc.constant(before),
    fc.oneof(
      version,
      // One of the rules differs.
      fc
        .tuple(arbitraryLimit, fc.nat())
        .map(([other, at]) =>
          before.map((rule, index) => (index === at % before.length ? { ...other, ref: rule.ref } : rule)),
        ),
    ),
  ),
);
const sent = fc
  .array(
    fc.tuple(fc.constantFrom(0, 0, 0, 0.5, 1, 9.5, 10, 49, 59.5, 60), fc.constantFrom("/login", "/login", "/a", "/")),
    {
      minLength: 4,
      maxLength: 20,
    },
  )
  .map((gaps) => {
    let now = 0;
    return gaps.map(([gap, path]): Sent => [(now += gap), path]);
  });

test("no sequence of requests contradicts what is ruled out", () => {
  fc.assert(
    fc.property(edits, fc.array(sent, { minLength: 6, maxLength: 6 }), ([before, after], sequences) => {
      const [old, fresh] = [limits(...before), limits(...after)];
      const found = compare({ before: old, after: fresh });
      for (const sequence of sequences) {
        for (const way of ways(old, fresh, sequence) as ReadonlySet<"stricter" | "looser">) {
          if (found[way] === "ruledOut") throw new Error(`${way}: ${JSON.stringify(sequence)}`);
        }
      }
    }),
    { numRuns: runs(100) },
  );
});

test("an expired limit may go", () => {
  const now = 1_790_000_000;
  const before = limits(
    limit(5, 60, 60, { expression: `${LOGIN} and http.request.timestamp.sec lt ${String(now - 60)}` }),
  );
  expect(compare({ before, after: limits(), now }).verdict).toBe("equivalent");
});

test("the items of lists by which it counts matter", () => {
  const counted = (...items: string[]): RulesetInput[] => {
    const rule = limit(5, 60, 60);
    const counting = { ...rule, ratelimit: { ...rule.ratelimit, countingExpression: "ip.src in $bad" } };
    return limits(counting).map((one) => ({ ...one, lists: { bad: { kind: "ip", items } } }));
  };
  const verdict = (...items: string[]) => compare({ before: counted("192.0.2.1"), after: counted(...items) }).verdict;
  expect(verdict("192.0.2.1")).toBe("equivalent");
  expect(verdict("192.0.2.2")).not.toBe("equivalent");
});
