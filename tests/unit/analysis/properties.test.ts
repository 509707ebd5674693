import { analyse, compare, type AnalysisFinding } from "../../../analysis/index";
import { compileExpression, makeRequest, type HttpRequest } from "../../../language/index";
import { compileProgram, simulate, type Program, type RulesetInput, type Simulation } from "../../../simulator/index";
import { edited, request, rulesets } from "./arbitrary";
import { fc, runs } from "../../support/properties.js";

// No proof or witness may be wrong: every verdict is compared with the evaluator.
const numRuns = runs(60);
const requests = fc.array(request, { minLength: 40, maxLength: 40 });

/** The value of an expression for a request; undefined where it is unknown. */
const verdict = (text: string, to: HttpRequest): boolean | undefined => {
  const { value } = compileExpression(text).evaluate(to);
  return value === "unknown" ? undefined : value;
};

/** Why a finding is wrong for a request; undefined where it is right. */
function refutes(finding: AnalysisFinding, to: HttpRequest, seen: Simulation): string | undefined {
  const { check, rule, by = [], instead } = finding;
  const own = verdict(rule.expression ?? "", to);
  switch (check) {
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
    case "late-skip": {
      const victim = seen.trace.find(({ why, status }) => status === "skipped" && why.includes(`"${rule.ref ?? ""}"`));
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
        for (const finding of findings) {
          const why = refutes(finding, to, seen);
          if (why !== undefined)
            throw new Error(
              `${finding.check} of ${String(finding.rule.ref)} \`${String(finding.rule.expression)}\`: ${why}\n${JSON.stringify(input)}`,
            );
        }
      }
    }),
    { numRuns },
  );
});

const RANKS: Readonly<Record<string, number>> = { allowed: 0, redirected: 1, limited: 2, challenged: 3, blocked: 4 };

const SECONDS = [0, 0, 0, 1, 5, 11, 11, 12, 30, 61, 61, 75, 122];

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

/** Which way outcomes differ, up to the first request that a rate limit stops: after it, counters are out of step. */
function directions(before: Program, after: Program, to: HttpRequest, seconds = SECONDS): ReadonlySet<string> {
  const [old, fresh] = [outcomes(before, [to], seconds), outcomes(after, [to], seconds)];
  const first = old.findIndex((outcome, index) => outcome === "limited" || fresh[index] === "limited");
  return new Set(
    old.slice(0, first < 0 ? undefined : first + 1).flatMap((outcome, index) => {
      const [from, into] = [RANKS[outcome], RANKS[fresh[index] ?? ""]];
      return from === undefined || into === undefined || from === into ? [] : [into > from ? "stricter" : "looser"];
    }),
  );
}

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  equivalent: [],
  stricter: ["stricter"],
  looser: ["looser"],
};

test("no request is treated differently than the verdict on an edit says, and every witness is real", () => {
  const edits = rulesets.chain((before) => fc.tuple(fc.constant(before), edited(before)));
  fc.assert(
    fc.property(edits, requests, ([before, after]: [RulesetInput[], RulesetInput[]], inputs) => {
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
      const allowed = ALLOWED[found.verdict];
      if (allowed === undefined) return;
      if (found.verdict === "equivalent") {
        const all = inputs.slice(0, 5).map((input) => makeRequest({ ...input, ip: "10.0.0.1" }));
        expect(outcomes(fresh, all, SECONDS)).toEqual(outcomes(old, all, SECONDS));
      }
      for (const input of inputs) {
        const wrong = Array.from(directions(old, fresh, makeRequest(input))).filter((one) => !allowed.includes(one));
        if (wrong.length > 0) throw new Error(`${found.verdict}, but ${wrong.join()} for ${JSON.stringify(input)}`);
      }
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
        for (const finding of findings) {
          const why =
            finding.check === "covered" || finding.check === "late-skip" ? refutes(finding, to, seen) : undefined;
          if (why !== undefined) throw new Error(`${finding.check} of ${String(finding.rule.ref)}: ${why}`);
        }
        if (found === "equivalent") expect(directions(old, fresh, to)).toEqual(new Set());
      }
    }),
    { numRuns },
  );
});
