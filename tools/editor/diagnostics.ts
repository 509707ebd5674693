import { analyse as analyseRules } from "../../core/analysis/index.js";
import { safetyOf } from "../rules-files/check/fixes.js";
import { waiversOf } from "../rules-files/check/waivers.js";
import { rulesOfDocument } from "../rules-files/document.js";
import type { LoadedRules } from "../rules-files/loaded.js";
import { InvalidRules } from "../rules-files/check/runnable.js";
import { runSuite, SubjectUnderTest, type TestResult } from "../rules-files/test/run.js";
import { suiteOf, type Suite } from "../rules-files/test/suite.js";
import { testsInZone } from "../rules-files/test/tests.js";
import { readInvariants } from "../../core/invariants/read.js";
import { analyse, isError, type FindingCode, type LocatedFinding, type Span } from "../../core/language/index.js";
import { messageOf } from "../../core/model/errors.js";
import { FileError, type TextDocument } from "../rules-files/text/text-document.js";
import type { EditedDocument } from "./edited-document.js";
import { spanInDocument, type Embedded } from "./embedded/embedded.js";
import { placedFault, placedFindings, restOfLine, STEPS, type PlacedFinding, type Surroundings } from "./findings.js";

/** Everything that is to be said about a document. A text that cannot be read is no failure: what can be read is checked. */
export function diagnosticsOf(document: EditedDocument, surroundings: Surroundings): readonly PlacedFinding[] {
  try {
    return foundIn(document, surroundings);
  } catch (error) {
    return [couldNotBeChecked(error, document.text)];
  }
}

function foundIn(document: EditedDocument, surroundings: Surroundings): readonly PlacedFinding[] {
  switch (document.kind) {
    case "program":
    case "yaml-program":
      return ofExpressions(document, surroundings);
    case "rules": {
      const rules = readFile(document, rulesOfDocument);
      return "faults" in rules
        ? [...rules.faults, ...ofExpressions(document, surroundings)]
        : ofRules(document, rules.read, surroundings);
    }
    case "tests": {
      const suite = readFile(document, testsOf);
      return "faults" in suite
        ? [...suite.faults, ...ofExpressions(document, surroundings)]
        : ofTests(document, suite.read, surroundings);
    }
    case "invariants":
      return ofInvariants(document, surroundings);
    case "waivers": {
      const waivers = readFile(document, waiversOf);
      return "faults" in waivers ? waivers.faults : [];
    }
  }
}

/** What a file has, or what keeps it from being read: faults of its notation, or the mistakes in its structure. */
function readFile<T>(
  { yaml, text }: EditedDocument,
  read: (yaml: TextDocument) => T,
): { readonly read: T } | { readonly faults: readonly PlacedFinding[] } {
  if (yaml.faults.length > 0) return { faults: yaml.faults.map((fault) => ofFault(fault, yaml, text)) };
  try {
    return { read: read(yaml) };
  } catch (error) {
    if (error instanceof FileError) return { faults: error.all.map((fault) => ofFault(fault, yaml, text)) };
    throw error;
  }
}

/** A document that could not be checked is not one without findings. */
function couldNotBeChecked(error: unknown, text: string): PlacedFinding {
  return { span: restOfLine(text, 0), severity: "error", message: `this could not be checked: ${messageOf(error)}` };
}

function ofFault(fault: FileError, yaml: TextDocument, text: string): PlacedFinding {
  return { ...placedFault(fault, yaml, text), severity: "error", message: fault.text };
}

function ofRules({ text, yaml }: EditedDocument, loaded: LoadedRules, surroundings: Surroundings): PlacedFinding[] {
  return placedFindings({ document: yaml, loaded }, text, surroundings).map((finding) => {
    const { span, severity, code, message, rule, edit, safe } = finding;
    return { span, severity, code, message: rule === undefined ? message : `${rule.name}: ${message}`, edit, safe };
  });
}

/** Without rules of its own, a file may be about zones that only its run knows. */
function testsOf(yaml: TextDocument): Suite {
  const suite = suiteOf(yaml);
  return suite.own === undefined ? suite : testsInZone(suite);
}

/** The rules of a file of tests are checked, and its tests run, if it has rules of its own. Programs are not run. */
function ofTests(document: EditedDocument, suite: Suite, surroundings: Surroundings): readonly PlacedFinding[] {
  if (suite.own === undefined) return [];
  const failed = resultsOf(suite, suite.own).flatMap(({ name, place, failures }): PlacedFinding[] => {
    if (failures.length === 0) return [];
    const span = restOfLine(document.text, document.yaml.offsetAt(place));
    return [{ span, severity: "error", message: `the test "${name}" fails: ${failures.join("\n")}` }];
  });
  return [...ofRules(document, suite.own, surroundings), ...failed];
}

/** None where an expression or a phase is not valid: what is wrong with it is among the findings on the rules. */
function resultsOf(suite: Suite, own: LoadedRules): readonly TestResult[] {
  try {
    return runSuite(suite, new SubjectUnderTest(own)).tests;
  } catch (error) {
    if (error instanceof InvalidRules) return [];
    throw error;
  }
}

/** A file of invariants is refused at the first mistake of an expression, about which more is known. */
function ofInvariants(document: EditedDocument, surroundings: Surroundings): readonly PlacedFinding[] {
  const expressions = ofExpressions(document, surroundings);
  const invariants = readFile(document, readInvariants);
  const faults = "faults" in invariants ? invariants.faults : [];
  const isSaid = ({ span }: PlacedFinding): boolean =>
    expressions.some((one) => isError(one) && span.start <= one.span.start && one.span.end <= span.end);
  return [...faults.filter((fault) => !isSaid(fault)), ...expressions];
}

/** What the language, and the analysis of its meaning, say about each expression by itself. */
function ofExpressions({ expressions }: EditedDocument, { plan }: Surroundings): readonly PlacedFinding[] {
  const steps = Math.min(STEPS_PER_EXPRESSION, STEPS / Math.max(expressions.length, 1));
  return expressions.flatMap((embedded) => {
    const { findings } = analyse(embedded.text, { plan, ...embedded.options });
    return [
      ...findings.flatMap((finding) => ofExpression(embedded, finding)),
      ...(findings.some(isError) ? [] : ofMeaning(embedded, steps)),
    ];
  });
}

/** Nearly all expressions need less. */
const STEPS_PER_EXPRESSION = 300_000;

/** Findings about how rules follow each other: an expression of a program or of an invariant is alone. */
const OF_SEVERAL: readonly FindingCode[] = ["covered", "twin", "skip-order", "invalid-expression"];

/** What the requests are that a condition matches. What a program inserts in it is not known. */
function ofMeaning(embedded: Embedded, steps: number): readonly PlacedFinding[] {
  const { text, inserted, options } = embedded;
  if (inserted.length > 0 || (options.slot ?? "filter") !== "filter" || text.trim() === "") return [];
  const { phase = "http_request_firewall_custom" } = options;
  const rules = [{ action: "log", expression: text }];
  const whole = { start: 0, end: text.trimEnd().length };
  return analyseRules({ rulesets: [{ kind: "zone", phase, rules }], isPart: true, steps })
    .filter(({ code }) => !OF_SEVERAL.includes(code))
    .map(({ code, severity, message, instead }) => ({
      span: spanInDocument(embedded, whole),
      severity,
      code,
      message,
      ...(instead === undefined ? {} : { edit: embedded.change(whole, instead) }),
    }));
}

function ofExpression(embedded: Embedded, finding: LocatedFinding): readonly PlacedFinding[] {
  const { code, severity, offset: start, end, message, instead } = finding;
  if (embedded.inserted.some((part) => isAbout(embedded.text, { start, end }, part))) return [];
  const part = { start, end: Math.max(start, end) };
  const span = spanInDocument(embedded, part);
  if (instead === undefined) return [{ span, severity, code, message }];
  // What a program inserts is not known, so nothing is proved about it.
  const made = embedded.inserted.length === 0 ? safetyOf({ ...embedded, part }, finding) : undefined;
  const safe = made === undefined ? {} : { safe: { made, expression: embedded.span.start } };
  return [{ span, severity, code, message, edit: embedded.change(part, instead), ...safe }];
}

/** Whether a finding may be about a value that a program inserts, which only a run knows: it touches it. */
function isAbout(text: string, { start, end }: Span, inserted: Span): boolean {
  const between = end <= inserted.start ? text.slice(end, inserted.start) : text.slice(inserted.end, start);
  return between.trim() === "";
}
