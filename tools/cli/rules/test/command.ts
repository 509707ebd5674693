import { NoAnswer } from "../../../rules-files/no-answer.js";
import { TextDocument } from "../../../rules-files/text/text-document.js";
import { makeRequest } from "../../../../core/language/index.js";
import type { Client } from "../../../../client/index.js";
import { compileProgram, simulate } from "../../../../core/simulator/index.js";
import { writeOutput } from "../../write-output.js";
import { readDeployed, readPath } from "../source/index.js";
import {
  cureOf,
  rulesetsOf,
  unknownNotesOn,
  type LoadedRules,
  type ProgramOptions,
} from "../../../rules-files/loaded.js";
import { renderTests } from "./render.js";
import {
  isEnough,
  isPassed,
  runSuite,
  SubjectUnderTest,
  type SuiteResult,
  type TestReport,
} from "../../../rules-files/test/run.js";
import { findFiles } from "../../../rules-files/text/find-files.js";
import { suiteOf, type Suite } from "../../../rules-files/test/suite.js";
import { testsInZone } from "../../../rules-files/test/tests.js";
import { compareTrace } from "../../../rules-files/test/trace.js";
import { toTraceRequest } from "../../../rules-files/test/trace-request.js";

export interface TestCommand extends ProgramOptions {
  /** The rules under test, instead of those that the files name. */
  readonly rules?: string;
  /** ID or name of the zone whose deployed rules are tested, instead of those that the files name. */
  readonly zone?: string;
  readonly trace?: boolean;
  readonly coverage?: string;
  readonly json?: boolean;
  readonly output?: string;
}

interface TestContext {
  readonly connect: () => Client;
  /** The deployed rules of a zone, where somebody has read a part of them already. */
  readonly readZone?: (zone: string) => Promise<LoadedRules>;
  readonly print: (line: string) => void;
}

/** Runs tests of rules, writes the results, and returns the exit code. */
export async function runTests(paths: readonly string[], options: TestCommand, context: TestContext): Promise<0 | 2> {
  const threshold = readThreshold(options.coverage);
  if (options.rules !== undefined && options.zone !== undefined)
    throw new Error("--rules and --zone are mutually exclusive");
  const suites = findFiles(paths.length === 0 ? ["."] : paths, { ending: "firewall", what: "tests" }).map((file) =>
    suiteOf(TextDocument.read(file)),
  );
  let client: Client | undefined;
  const connect = (): Client => (client ??= context.connect());
  const subjects = new Subjects(options, context.readZone ?? ((zone) => readDeployed(connect(), zone)));
  const results: SuiteResult[] = [];
  for (const read of suites) {
    const subject = await subjects.of(read);
    const suite = testsInZone(read, subject.loaded.zone?.name);
    subject.testedBy(suite.file, threshold ?? suite.coverage);
    const result = runSuite(suite, subject);
    results.push(options.trace === true ? await withTraces(result, suite, subject, connect()) : result);
  }
  const report = {
    suites: results,
    coverage: subjects.all.map((subject) => subject.coverage()),
    notes: subjects.all.flatMap(({ loaded }) => unknownNotesOn(loaded)),
  };
  const text = options.json === true ? JSON.stringify(report, undefined, 2) : renderTests(report);
  writeOutput(text, options, context.print);
  return isGood(report) ? 0 : 2;
}

function isGood({ suites, coverage }: TestReport): boolean {
  return suites.every(({ tests }) => tests.every(isPassed)) && coverage.every(isEnough);
}

function readThreshold(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const part = Number(text);
  if (text.trim() === "" || !(part >= 0 && part <= 1))
    throw new Error(`--coverage must be a number from 0 to 1, such as 0.9, not ${text}`);
  return part;
}

/** The rules under test; each source is read once. */
class Subjects {
  private readonly bySource = new Map<string, SubjectUnderTest>();

  constructor(
    private readonly options: TestCommand,
    private readonly readZone: (zone: string) => Promise<LoadedRules>,
  ) {}

  get all(): readonly SubjectUnderTest[] {
    return Array.from(this.bySource.values());
  }

  async of(suite: Suite): Promise<SubjectUnderTest> {
    const { options } = this;
    const program: ProgramOptions = {
      stack: options.stack ?? suite.stack,
      config: [...(suite.config ?? []), ...(options.config ?? [])],
      mocks: options.mocks ?? suite.mocks,
    };
    const zone = options.zone ?? (options.trace === true ? (suite.zone.id ?? suite.zone.name) : undefined);
    const path = zone === undefined ? (options.rules ?? suite.rules) : undefined;
    const own = zone === undefined && options.rules === undefined ? suite.own : undefined;
    const key = JSON.stringify([zone, path, program, own === undefined ? undefined : suite.file]);
    const known = this.bySource.get(key);
    if (known !== undefined) return known;
    const subject = new SubjectUnderTest(own ?? (await this.read(suite, zone, path, program)));
    this.bySource.set(key, subject);
    return subject;
  }

  private async read(
    { file }: Suite,
    zone: string | undefined,
    path: string | undefined,
    program: ProgramOptions,
  ): Promise<LoadedRules> {
    const { options } = this;
    if (zone !== undefined) return this.whole(await this.readZone(zone));
    if (options.trace === true) {
      throw new Error(`--trace needs deployed rules, and ${file} names no zone. To continue: pass --zone <id or name>`);
    }
    if (path === undefined) {
      throw new Error(
        `${file} does not say which rules it tests. To continue: add \`rules: <folder of a program, JSON file, or list of rulesets>\`, or pass --rules`,
      );
    }
    return this.whole(await readPath(path, program));
  }

  /** The tracer of the service knows all rules; here, a test can only pass if all of them were read. */
  private whole(loaded: LoadedRules): LoadedRules {
    const [part] = this.options.trace === true ? [] : (loaded.unread ?? []);
    if (part === undefined) return loaded;
    throw new NoAnswer(
      `${part.label} could not be read, so ${loaded.zone === undefined ? loaded.label : "the zone"} cannot be tested: ${part.failure}. ` +
        `To continue: use ${cureOf(part)}${loaded.zone === undefined ? "" : ", or --trace"}`,
    );
  }
}

/** Traces every request with the service's request tracer, and compares the results. */
async function withTraces(
  result: SuiteResult,
  suite: Suite,
  { loaded }: SubjectUnderTest,
  client: Client,
): Promise<SuiteResult> {
  const { zone } = loaded;
  if (zone?.accountId === undefined)
    throw new Error("--trace needs deployed rules. To continue: pass --zone <id or name>");
  const program = compileProgram(rulesetsOf(loaded));
  const tests: SuiteResult["tests"][number][] = [];
  for (const [index, test] of result.tests.entries()) {
    const input = suite.tests[index]?.request;
    if (input === undefined) continue;
    const request = makeRequest(input);
    const answer = await client.requestTracer.trace(zone.accountId, toTraceRequest(request, input));
    const seen = simulate({ program, zone, request });
    tests.push({ ...test, trace: compareTrace(seen, answer, input) });
  }
  return { ...result, tests };
}
