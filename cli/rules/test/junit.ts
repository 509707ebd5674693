import {
  isEnough,
  type SourceCoverage,
  type SuiteResult,
  type TestReport,
  type TestResult,
} from "../../../rules-files/test/run.js";
import { failureText, traceLines } from "./render.js";
import { attributesOf, escaped } from "../xml.js";

/** The results in the JUnit format that build servers read: one suite per file, and one for the coverage. */
export function toJunit({ suites, coverage }: TestReport): string {
  const all = [...suites.map(suiteElement), ...coverageSuite(coverage)];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="pulumi-rulesets rules test">\n${all.join("\n")}\n</testsuites>`;
}

function suiteElement({ file, tests }: SuiteResult): string {
  const failed = tests.filter((test) => failureText(test) !== undefined).length;
  const seconds = tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
  const attributes = attributesOf({
    name: file,
    tests: tests.length,
    failures: failed,
    errors: 0,
    skipped: 0,
    time: seconds.toFixed(3),
  });
  return `  <testsuite ${attributes}>\n${tests.map((test) => testElement(test, file)).join("\n")}\n  </testsuite>`;
}

function testElement(test: TestResult, file: string): string {
  const { name, place, milliseconds, trace } = test;
  const attributes = attributesOf({
    classname: file,
    name,
    file,
    line: place.line,
    time: (milliseconds / 1000).toFixed(3),
  });
  const failure = failureText(test);
  const output = trace === undefined ? [] : [`      <system-out>${escaped(traceLines(trace).join("\n"))}</system-out>`];
  const inside = [...(failure === undefined ? [] : [failureElement(failure)]), ...output];
  return inside.length === 0
    ? `    <testcase ${attributes}/>`
    : `    <testcase ${attributes}>\n${inside.join("\n")}\n    </testcase>`;
}

function failureElement(text: string): string {
  const [first = ""] = text.split("\n");
  return `      <failure ${attributesOf({ message: first, type: "failure" })}>${escaped(text)}</failure>`;
}

/** Coverage below the threshold fails a build like a failed test. */
function coverageSuite(coverage: readonly SourceCoverage[]): readonly string[] {
  const required = coverage.filter(({ atLeast }) => atLeast !== undefined);
  if (required.length === 0) return [];
  const cases = required.map((one) => {
    const attributes = attributesOf({ classname: "coverage", name: `rules hit in ${one.source}`, time: "0.000" });
    return isEnough(one)
      ? `    <testcase ${attributes}/>`
      : `    <testcase ${attributes}>\n${failureElement(one.text)}\n    </testcase>`;
  });
  const failed = required.filter((one) => !isEnough(one)).length;
  const attributes = attributesOf({
    name: "coverage",
    tests: required.length,
    failures: failed,
    errors: 0,
    skipped: 0,
    time: "0.000",
  });
  return [`  <testsuite ${attributes}>\n${cases.join("\n")}\n  </testsuite>`];
}
