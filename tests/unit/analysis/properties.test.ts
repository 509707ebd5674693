import { analyse, compare, weakensOf, type AnalysisFinding } from "../../../core/analysis/index";
import { compileExpression, makeRequest, type HttpRequest } from "../../../core/language/index";
import {
  compileProgram,
  simulate,
  type Program,
  type RulesetInput,
  type Simulation,
} from "../../../core/simulator/index";
import { edited, request, rulesets } from "./arbitrary";
import { SEED } from "../../support/fuzzing.js";
import { fc, runs } from "../../support/properties.js";

// No proof or witness may be wrong: every verdict is compared with the evaluator.
const numRuns = runs(12);

/** How many requests, or sequences of them, a verdict or finding was compared with. */
let compared = 0;
afterAll(() => {
  if (numRuns > 12) process.stdout.write(`${String(compared)} cases compared, seed ${String(SEED)}\n`);
});
const requests = fc.array(request, { minLength: 40, maxLength: 40 });

/** The value of an expression for a request; undefined where it is unknown. */
const verdict = (text: string, to: HttpRequest): boolean | undefined => {
  const { value } = compileExpression(text).evaluate(to);
  return value === "unknown" ? undefined : value;
};

/** Why a finding is wrong for a request; undefined where it is right. */
function refutes(
  finding: AnalysisFinding,
  { to, seen, all }: { to: HttpRequest; seen: Simulation; all: readonly AnalysisFinding[] },
): string | undefined {
  const { code, rule, by = [], instead } = finding;
  const own = verdict(rule.expression ?? "", to);
  switch (code) {
    case "never-matches":
      return own === true ? "it matches" : undefined;
    case "always-matches":
      return own === false ? "it does not match" : undefined;
    case "twin": {
      const other = verdict(by[0]?.expression ?? "", to);
      return own !== undefined && other !== undefined && own !== other ? "only one matches" : undefined;
    }
    case "redundant-condition": {
      const other = verdict(instead ?? "", to);
      return own !== undefined && other !== undefined && own !== other ? `\`${String(instead)}\` differs` : undefined;
    }
    case "covered": {
      const entry = seen.trace.find(({ ref }) => ref === rule.ref);
      return entry?.status === "matched" ? "it is reached and matches" : undefined;
    }
    case "skip-order": {
      // Another skip rule that skips nothing counts as nothing.
      const nothing = new Set(all.flatMap((one) => (one.code === "skip-order" ? [one.rule.ref] : [])));
      const victim = seen.trace.find(
        ({ ref, why, status }) => status === "skipped" && !nothing.has(ref) && why.includes(`"${rule.ref ?? ""}"`),
      );
      return victim === undefined ? undefined : `it skips ${String(victim.ref)}`;
    }
    default:
      return undefined;
  }
}

test("no request contradicts a finding", () => {
  fc.assert(
    fc.property(rulesets, requests, (given, inputs) => {
      const findings = analyse({ rulesets: given });
      if (findings.length === 0) return;
      const program = compileProgram(given);
      for (const input of inputs) {
        const to = makeRequest(input);
        const seen = simulate({ program, request: to });
        compared += 1;
        for (const finding of findings) {
          const why = refutes(finding, { to, seen, all: findings });
          if (why !== undefined)
            throw new Error(
              `${finding.code} of ${String(finding.rule.ref)} \`${String(finding.rule.expression)}\`: ${why}\n${JSON.stringify(input)}`,
            );
        }
      }
    }),
    { numRuns },
  );
});

const RANKS: Readonly<Record<string, number>> = { allowed: 0, redirected: 1, limited: 2, challenged: 3, blocked: 4 };

/** Bursts, pauses that are as long as a period or a timeout, and what lies between them. */
const SECONDS = [0, 0, 0, 1, 5, 11, 11, 12, 30, 61, 61, 75, 122];
const times = fc
  .array(fc.constantFrom(0, 0, 0, 1, 9, 10, 11, 30, 59, 60, 61), { minLength: 12, maxLength: 12 })
  .map((pauses) => pauses.reduce<readonly number[]>((all, pause) => [...all, (all.at(-1) ?? 0) + pause], []));

/** The outcomes of requests of one client at certain times, so that rate limits count. */
function outcomes(program: Program, requests: readonly HttpRequest[], seconds: readonly number[]): readonly string[] {
  let limits: Simulation["limits"] | undefined;
  return seconds.map((second, index) => {
    const to = requests[index % requests.length] as HttpRequest;
    const seen = simulate({ program, request: to, limits, clock: second * 1000 });
    limits = seen.limits;
    return seen.outcome;
  });
}

/** Which way outcomes differ when a client repeats a request at certain times. */
function directions(
  before: Program,
  after: Program,
  to: HttpRequest,
  seconds: readonly number[] = SECONDS,
): ReadonlySet<string> {
  const [old, fresh] = [outcomes(before, [to], seconds), outcomes(after, [to], seconds)];
  return new Set(
    old.flatMap((outcome, index) => {
      const [from, into] = [RANKS[outcome], RANKS[fresh[index] ?? ""]];
      return from === undefined || into === undefined || from === into ? [] : [into > from ? "stricter" : "looser"];
    }),
  );
}

/** What the origin sees of a request that reaches it. */
function urlsOf(program: Program, request: HttpRequest): string {
  const seen = simulate({ program, request });
  return seen.outcome === "allowed" ? seen.request.url : seen.outcome;
}

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  equivalent: [],
  stricter: ["stricter"],
  looser: ["looser"],
};

test("no request is treated differently than the verdict on an edit says, and every witness is real", () => {
  const edits = rulesets.chain((before) => fc.tuple(fc.constant(before), edited(before)));
  fc.assert(
    fc.property(edits, requests, times, ([before, after]: [RulesetInput[], RulesetInput[]], inputs, seconds) => {
      const found = compare({ before, after });
      const [old, fresh] = [compileProgram(before), compileProgram(after)];
      for (const { request: to, direction, text, ...treatments } of found.witnesses) {
        // What managed rules and other products see does not count as an outcome.
        if (
          treatments.before.outcome === treatments.after.outcome &&
          treatments.before.passes === treatments.after.passes
        )
          continue;
        const isTimed = / seconds[ )]/.test(text);
        if (direction !== "other" && !isTimed && !directions(old, fresh, to, [0, 0, 0, 0, 0]).has(direction))
          throw new Error(`no witness: ${text}`);
      }
      const isRuledOut = (one: string): boolean => found[one as "looser" | "stricter"] === "ruledOut";
      const passes = weakensOf(found) === "no";
      inputs.forEach((input, index) => {
        const to = makeRequest(input);
        compared += 1;
        const over = directions(old, fresh, to, index % 2 === 0 ? SECONDS : seconds);
        if (Array.from(over).some(isRuledOut))
          throw new Error(`${Array.from(over).join()}, though ruled out, for ${JSON.stringify(input)}`);
        // Limits of which only the moments are open stop a burst no later than before.
        if (passes && directions(old, fresh, to, [0, 0, 0, 0, 0]).has("looser"))
          throw new Error(`a gate lets it pass, but it is looser for ${JSON.stringify(input)}`);
      });
      const allowed = ALLOWED[found.verdict];
      if (allowed === undefined) return;
      if (found.verdict === "equivalent") {
        const all = inputs.slice(0, 5).map((input) => makeRequest({ ...input, ip: "10.0.0.1" }));
        for (const each of [SECONDS, seconds]) expect(outcomes(fresh, all, each)).toEqual(outcomes(old, all, each));
        compared += 2;
      }
      inputs.forEach((input, index) => {
        const to = makeRequest(input);
        const shown = directions(old, fresh, to, index % 2 === 0 ? SECONDS : seconds);
        compared += 1;
        const wrong = Array.from(shown).filter((one) => !allowed.includes(one));
        if (wrong.length > 0) throw new Error(`${found.verdict}, but ${wrong.join()} for ${JSON.stringify(input)}`);
        if (found.verdict === "equivalent") expect(urlsOf(fresh, to)).toEqual(urlsOf(old, to));
      });
    }),
    { numRuns },
  );
});

test("what is said of a custom ruleset alone holds where it is executed", () => {
  const edits = rulesets.chain((before) => fc.tuple(fc.constant(before), edited(before)));
  fc.assert(
    fc.property(edits, requests, ([before, after]: [RulesetInput[], RulesetInput[]], inputs) => {
      const isCustom = ({ kind }: RulesetInput): boolean => kind === "custom";
      const findings = analyse({ rulesets: before.filter(isCustom) });
      // Only the custom ruleset changes.
      const whole = before.map((ruleset, index) => (isCustom(ruleset) ? (after[index] ?? ruleset) : ruleset));
      const { verdict: found } = compare({ before: before.filter(isCustom), after: after.filter(isCustom) });
      const [old, fresh] = [compileProgram(before), compileProgram(whole)];
      for (const input of inputs) {
        const to = makeRequest(input);
        const seen = simulate({ program: old, request: to });
        compared += 1;
        for (const finding of findings) {
          const why =
            finding.code === "covered" || finding.code === "skip-order"
              ? refutes(finding, { to, seen, all: findings })
              : undefined;
          if (why !== undefined) throw new Error(`${finding.code} of ${String(finding.rule.ref)}: ${why}`);
        }
        if (found === "equivalent") expect(directions(old, fresh, to)).toEqual(new Set());
      }
    }),
    { numRuns },
  );
});
