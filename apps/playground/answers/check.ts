import type { ReportedFinding } from "../../../tools/rules-files/check/finding.js";
import { findingsOf } from "../../../tools/rules-files/check/report.js";
import { explain, type Explanation } from "../../../tools/rules-files/explain/explanation.js";
import type { LoadedRules } from "../../../tools/rules-files/loaded.js";
import { InvalidRules } from "../../../tools/rules-files/check/runnable.js";
import { runSuite, SubjectUnderTest } from "../../../tools/rules-files/test/run.js";
import { readTests, testsInZone } from "../../../tools/rules-files/test/tests.js";
import {
  placedFault,
  placedFindings,
  restOfLine,
  STEPS,
  type Placed,
  type PlacedFinding,
  type Surroundings,
} from "../../../tools/editor/findings.js";
import type { Plan, Span } from "../../../core/language/index.js";
import { isObject, type JsonObject } from "../../../core/model/json.js";
import { FileError, TextDocument } from "../../../tools/rules-files/text/text-document.js";
import { failedBy, type Failed } from "./failed.js";
import { readRulesText, type RulesText, type TextKind } from "./rules-text.js";

/** What `rules check` says about a text, and, of an expression alone, what `rules explain` says. */
export interface CheckAnswer extends Partial<Failed> {
  readonly kind?: TextKind;
  readonly assumedPhase?: string;
  readonly rules: number;
  readonly findings: readonly PlacedFinding<ReportedFinding>[];
  readonly tested?: TestAnswer;
  readonly explained?: Pick<Explanation, "tree" | "uses">;
  /** Where a text that cannot be read has its mistake, as far as that is known. */
  readonly fault?: Placed;
}

/** The tests of a text, and how many of its rules they hit. */
export interface TestAnswer {
  readonly tests: readonly {
    readonly name: string;
    readonly span: Span;
    /** Empty if it passed. */
    readonly failures: readonly string[];
  }[];
  readonly rules: number;
  readonly hit: number;
}

const NAME = "rules";

/** Checks rules like `rules check`. A text that cannot be read is an answer too. */
export function checkText({ rules, plan }: { readonly rules: string; readonly plan?: Plan }, now: string): CheckAnswer {
  if (rules.trim() === "") return { rules: 0, findings: [] };
  try {
    return answerOf(readRulesText(rules, NAME), rules, { plan, now });
  } catch (error) {
    const fault = error instanceof FileError ? { fault: faultIn(rules, error) } : {};
    return { rules: 0, findings: [], ...failedBy(error), ...fault };
  }
}

function answerOf(read: RulesText, text: string, surroundings: Surroundings): CheckAnswer {
  const { kind, assumedPhase, loaded, document, hasTests = false } = read;
  return {
    kind,
    assumedPhase,
    rules: loaded.rulesets.reduce((sum, { input }) => sum + input.rules.length, 0),
    findings:
      document === undefined
        ? findingsOfExpression(loaded, text, surroundings)
        : placedFindings({ document, loaded }, text, surroundings),
    ...(document !== undefined && hasTests ? { tested: runTests(document, loaded, text) } : {}),
    ...(kind === "expression" ? { explained: explanationOf(text.trim(), assumedPhase, surroundings.plan) } : {}),
  };
}

/** An expression is the whole text, but for the space around it. */
function findingsOfExpression(
  loaded: LoadedRules,
  text: string,
  { plan, now }: Surroundings,
): PlacedFinding<ReportedFinding>[] {
  const lead = text.length - text.trimStart().length;
  return findingsOf(loaded, { plan, now, steps: STEPS }).map(({ reported }) => {
    const { character, length = 1, instead } = reported;
    const span =
      character === undefined
        ? { start: lead, end: text.trimEnd().length }
        : { start: lead + character - 1, end: Math.min(lead + character - 1 + length, text.length) };
    return { ...reported, span, ...(instead === undefined ? {} : { edit: { span, text: instead } }) };
  });
}

function faultIn(text: string, error: FileError): Placed {
  return placedFault(error, TextDocument.parseLeniently(text, NAME), text);
}

/** Runs the tests of a document like `rules test`; undefined where the findings say that an expression or a phase is not valid. */
function runTests(document: TextDocument, loaded: LoadedRules, text: string): TestAnswer | undefined {
  const subject = subjectOf(loaded);
  if (subject === undefined) return undefined;
  const { rules: _rules, phase: _phase, ...others }: JsonObject = isObject(document.value) ? document.value : {};
  const { tests } = runSuite({ ...testsInZone(readTests(document, others)), file: NAME }, subject);
  const { rules, hit } = subject.coverage();
  const placed = tests.map(({ name, place, failures }) => ({
    name,
    span: restOfLine(text, document.offsetAt(place)),
    failures,
  }));
  return { tests: placed, rules, hit };
}

function subjectOf(loaded: LoadedRules): SubjectUnderTest | undefined {
  try {
    return new SubjectUnderTest(loaded);
  } catch (error) {
    if (error instanceof InvalidRules) return undefined;
    throw error;
  }
}

function explanationOf(text: string, phase: string | undefined, plan: Plan | undefined): CheckAnswer["explained"] {
  const { tree, uses } = explain(text, { slot: "filter", phase, plan });
  return { tree, uses };
}
