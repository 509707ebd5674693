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

/** The outcome after some requests from one client, so that rate limits count. */
function outcomes(program: Program, to: HttpRequest): readonly string[] {
  let limits: Simulation["limits"] | undefined;
  return Array.from({ length: 5 }, () => {
    const seen = simulate({ program, request: to, limits, clock: 0 });
    limits = seen.limits;
    return seen.outcome;
  });
}

function directions(before: Program, after: Program, to: HttpRequest): ReadonlySet<string> {
  const [old, fresh] = [outcomes(before, to), outcomes(after, to)];
  return new Set(
    old.flatMap((outcome, index) => {
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
        if (direction !== "other" && !directions(old, fresh, to).has(direction)) throw new Error(`no witness: ${text}`);
      }
      const allowed = ALLOWED[found.verdict];
      if (allowed === undefined) return;
      for (const input of inputs) {
        const wrong = Array.from(directions(old, fresh, makeRequest(input))).filter((one) => !allowed.includes(one));
        if (wrong.length > 0) throw new Error(`${found.verdict}, but ${wrong.join()} for ${JSON.stringify(input)}`);
      }
    }),
    { numRuns },
  );
});
