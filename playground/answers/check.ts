import type { ReportedFinding } from "../../cli/rules/check/finding.js";
import { reportOn } from "../../cli/rules/check/report.js";
import { explain, type Explanation } from "../../cli/rules/explain/explanation.js";
import type { LoadedRules } from "../../cli/rules/source/loaded.js";
import { runSuite, SubjectUnderTest } from "../../cli/rules/test/run.js";
import { readTests } from "../../cli/rules/test/tests.js";
import type { TextDocument } from "../../provider/files/text-document.js";
import type { Plan } from "../../language/index.js";
import { failedBy, type Failed } from "./failed.js";
import { readRulesText, type TextKind } from "./rules-text.js";

/** What `rules check` says about a text, and, of an expression alone, what `rules explain` says. */
export interface CheckAnswer extends Partial<Failed> {
  readonly kind?: TextKind;
  readonly assumedPhase?: string;
  readonly rulesets: number;
  readonly rules: number;
  readonly findings: readonly ReportedFinding[];
  readonly tested?: TestAnswer;
  readonly explained?: Pick<Explanation, "tree" | "uses">;
}

/** The tests of a text, and how many of its rules they hit. */
export interface TestAnswer {
  readonly tests: readonly {
    readonly name: string;
    readonly line: number;
    /** Empty if it passed. */
    readonly failures: readonly string[];
  }[];
  readonly rules: number;
  readonly hit: number;
}

const NAME = "rules";

/** Checks rules like `rules check`. A text that cannot be read is an answer too. */
export function checkText({ rules, plan }: { readonly rules: string; readonly plan?: Plan }, now: string): CheckAnswer {
  if (rules.trim() === "") return { rulesets: 0, rules: 0, findings: [] };
  try {
    const { kind, assumedPhase, loaded, withTests } = readRulesText(rules, NAME);
    const { findings, sources } = reportOn([loaded], { waivers: [], now, plan });
    return {
      kind,
      assumedPhase,
      findings,
      rulesets: sources.reduce((sum, one) => sum + one.rulesets, 0),
      rules: sources.reduce((sum, one) => sum + one.rules, 0),
      ...(withTests === undefined ? {} : { tested: runTests(withTests, loaded) }),
      ...(kind === "expression" ? { explained: explanationOf(rules.trim(), assumedPhase, plan) } : {}),
    };
  } catch (error) {
    return { rulesets: 0, rules: 0, findings: [], ...failedBy(error, NAME) };
  }
}

/** Runs the tests of a document like `rules test`. */
function runTests(document: TextDocument, loaded: LoadedRules): TestAnswer {
  const subject = new SubjectUnderTest(loaded);
  const { tests } = runSuite({ ...readTests(document, ["rules", "phase"]), file: NAME }, subject);
  const { rules, hit } = subject.coverage();
  return { tests: tests.map(({ name, place, failures }) => ({ name, line: place.line, failures })), rules, hit };
}

function explanationOf(text: string, phase: string | undefined, plan: Plan | undefined): CheckAnswer["explained"] {
  const { tree, uses } = explain(text, { slot: "filter", phase, plan });
  return { tree, uses };
}
