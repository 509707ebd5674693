import {
  isEnough,
  isPassed,
  type SourceCoverage,
  type TestReport,
  type TestResult,
} from "../../../rules-files/test/run.js";
import type { TraceComparison } from "../../../rules-files/test/trace.js";
import { plural } from "../../../../core/model/words.js";

/** The results for people. */
export function renderTests({ suites, coverage, notes = [] }: TestReport): string {
  const tests = suites.flatMap((suite) => suite.tests);
  const failed = tests.filter((test) => !isPassed(test)).length;
  return [
    ...suites.map((suite) => [suite.file, ...suite.tests.flatMap(testLines)].join("\n")),
    ...coverage.map(coverageText),
    ...traceSummary(tests),
    ...(notes.length === 0 ? [] : [["Not known:", ...notes.map((note) => `- ${note}`)].join("\n")]),
    `${plural(tests.length, "test")}: ${String(tests.length - failed)} passed, ${String(failed)} failed.`,
  ].join("\n\n");
}

function testLines(test: TestResult): string[] {
  const failure = failureText(test);
  const text = failure ?? (test.trace === undefined ? undefined : traceLines(test.trace).join("\n"));
  const details = text === undefined || text === "" ? [] : text.split("\n").map((line) => `      ${line}`);
  return [`  ${isPassed(test) ? "passed" : "FAILED"}  ${test.name}`, ...details];
}

/** Why a test failed; undefined if it passed. */
export function failureText(test: TestResult): string | undefined {
  if (isPassed(test)) return undefined;
  const { failures, place, trace } = test;
  const where = `${place.file}:${String(place.line)}`;
  return [...failures, ...(trace === undefined ? [] : traceLines(trace)), `at ${where}`].join("\n");
}

/** Where the evaluator and the service disagree, and what could not be compared. */
export function traceLines({ disagreements, notCompared }: TraceComparison): string[] {
  return [
    ...disagreements.flatMap(({ rule, expression, local, service }) => [
      `the service disagrees about ${rule}:`,
      ...(expression === undefined ? [] : [`  expression: ${expression}`]),
      `  local:   ${local}`,
      `  service: ${service}`,
    ]),
    ...notCompared.map(({ rule, why }) => `not compared: ${rule}: ${why}`),
  ];
}

function traceSummary(tests: readonly TestResult[]): readonly string[] {
  const traces = tests.flatMap(({ trace }) => trace ?? []);
  if (traces.length === 0) return [];
  const sum = (count: (trace: TraceComparison) => number): number =>
    traces.reduce((total, trace) => total + count(trace), 0);
  const agreed = sum((trace) => trace.agreed);
  const disagreed = sum(({ disagreements }) => disagreements.length);
  const open = sum(({ notCompared }) => notCompared.length);
  return [
    `Against the request tracer: ${plural(agreed, "verdict")} ${verb(agreed, "agree")}, ` +
      `${String(disagreed)} ${verb(disagreed, "disagree")}, ${String(open)} could not be compared.`,
  ];
}

function verb(count: number, plain: string): string {
  return count === 1 ? `${plain}s` : plain;
}

function coverageText(coverage: SourceCoverage): string {
  const { text, atLeast, source, files } = coverage;
  const head = `Coverage of ${source} by ${files.join(", ")}:\n${text}`;
  return isEnough(coverage)
    ? head
    : `${head}\nThe coverage must be at least ${String(Math.round((atLeast ?? 0) * 100))}%.`;
}
