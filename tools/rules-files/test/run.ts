import { isError } from "../../../core/language/index.js";
import { makeRequest } from "../../../core/language/index.js";
import { compileProgram, type Program } from "../../../core/simulator/index.js";
import type { CoverageReport } from "../../testing/coverage.js";
import { Firewall, type Zone } from "../../testing/firewall.js";
import type { FilePlace } from "../text/text-document.js";
import { expressionFindings } from "../check/rule-findings.js";
import { InvalidRules, withKnownPhases } from "../check/runnable.js";
import { hidingSecretsOf, mapTexts, rulesetsOf, type LoadedRules } from "../loaded.js";
import type { TestCase, Tests } from "./tests.js";
import type { TraceComparison } from "./trace.js";

export interface TestResult {
  readonly name: string;
  readonly place: FilePlace;
  /** The expectations that were not met; empty if the test passed. */
  readonly failures: readonly string[];
  readonly milliseconds: number;
  /** With `--trace`: how the service treats the request. */
  readonly trace?: TraceComparison;
}

export interface SuiteResult {
  readonly file: string;
  readonly rules: string;
  readonly tests: readonly TestResult[];
}

/** Which rules of one source no test hits. */
export interface SourceCoverage extends Pick<CoverageReport, "rules" | "hit" | "ratio" | "missed" | "later"> {
  readonly source: string;
  /** The test files that hit them. */
  readonly files: readonly string[];
  /** The required coverage; undefined means none. */
  readonly atLeast?: number;
  readonly text: string;
}

export interface TestReport {
  readonly suites: readonly SuiteResult[];
  readonly coverage: readonly SourceCoverage[];
  /** What of the rules is not known, and what would tell it. @default nothing */
  readonly notes?: readonly string[];
}

/** Rules under test, shared by all suites that test them. */
export class SubjectUnderTest {
  readonly firewall: Firewall;
  /** Replaces the secrets of the rules in a text. */
  readonly hide: (text: string) => string;
  private readonly files: string[] = [];
  private atLeast: number | undefined;

  constructor(readonly loaded: LoadedRules) {
    this.hide = hidingSecretsOf(loaded);
    this.firewall = new Firewall(compiled(loaded));
  }

  /** Notes that a file tests these rules. The highest threshold of all files applies. */
  testedBy(file: string, atLeast: number | undefined): void {
    this.files.push(file);
    if (atLeast !== undefined) this.atLeast = Math.max(atLeast, this.atLeast ?? 0);
  }

  coverage(): SourceCoverage {
    const { rules, hit, ratio, missed, later, text } = this.firewall.coverage();
    const { files, atLeast, hide } = this;
    const { label } = this.loaded;
    return {
      source: label,
      files,
      rules,
      hit,
      ratio,
      missed: mapTexts(missed, hide),
      later: mapTexts(later, hide),
      atLeast,
      text: hide(text),
    };
  }
}

function compiled(loaded: LoadedRules): Program {
  const known = withKnownPhases(loaded);
  try {
    return compileProgram(rulesetsOf(known));
  } catch (error) {
    const found = expressionFindings(loaded).find(isError);
    throw found === undefined ? error : new InvalidRules(loaded, found);
  }
}

/** Runs the tests of a file. */
export function runSuite(suite: Tests & { readonly file: string }, subject: SubjectUnderTest): SuiteResult {
  const zone = subject.firewall.zone({ ...suite.zone, ...idOf(subject) });
  const tests = suite.tests.map((test) =>
    runTest(test, { zone, redirectLists: suite.redirectLists, hide: subject.hide }),
  );
  return { file: suite.file, rules: subject.loaded.label, tests };
}

/** The properties of a zone that was read take precedence over those in the file. */
function idOf({ loaded: { zone } }: SubjectUnderTest): object {
  return zone === undefined ? {} : { id: zone.id, name: zone.name, plan: zone.plan };
}

function runTest(
  test: TestCase,
  {
    zone,
    redirectLists,
    hide,
  }: Pick<Tests, "redirectLists"> & { readonly zone: Zone; readonly hide: (text: string) => string },
): TestResult {
  const { name, place, response } = test;
  const started = performance.now();
  const request = makeRequest(test.request);
  const failures = test.expect.flatMap((judge) => {
    const { pass, message } = judge(zone, request, { response, redirectLists });
    return pass ? [] : [hide(message())];
  });
  return { name, place, failures, milliseconds: performance.now() - started };
}

export function isPassed({ failures, trace }: TestResult): boolean {
  return failures.length === 0 && (trace === undefined || trace.disagreements.length === 0);
}

export function isEnough({ ratio, atLeast }: SourceCoverage): boolean {
  return atLeast === undefined || ratio >= atLeast;
}
