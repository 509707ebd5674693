import type { Placed } from "../../../tools/editor/findings.js";
import type { CheckAnswer, TestAnswer } from "../answers/check.js";
import type { Explained } from "../../../tools/rules-files/explain/words.js";
import { editsApart, titleOf } from "../../../tools/editor/edits.js";
import type { Edit } from "../../../tools/editor/embedded/embedded.js";
import { SEVERITIES, type Span } from "../../../core/language/index.js";
import { plural } from "../../../core/model/words.js";
import { h, withCode } from "./dom.js";
import { lineOf, type Mark } from "./marks.js";

interface FindingsOptions {
  /** The text that was checked. */
  readonly text: string;
  /** The page that explains findings; a finding is a section of it. */
  readonly findingsPage?: string;
  /** Shows a part of the text. */
  readonly goTo: (span: Span) => void;
  /** Makes edits of the text. */
  readonly change: (edits: readonly Edit[]) => void;
}

type Finding = CheckAnswer["findings"][number];

/** What was found in rules. */
export function findingsView(answer: CheckAnswer, options: FindingsOptions): HTMLElement[] {
  const { failure, fault } = answer;
  if (failure !== undefined) return [h("ul", { class: "pg-findings" }, failureItem(failure, fault, options))];
  return [
    ...fixAll(answer, options),
    h("ul", { class: "pg-findings" }, ...answer.findings.map((finding) => findingItem(finding, options))),
    ...testResults(answer, options),
    ...explanation(answer),
  ];
}

/** More than one change that findings name can be made at once. */
function fixAll({ findings }: CheckAnswer, { change }: FindingsOptions): HTMLElement[] {
  const edits = editsApart(findings);
  if (edits.length < 2) return [];
  const click = (): void => {
    change(edits);
  };
  const title = edits.length === 2 ? "Make both changes" : `Make all ${String(edits.length)} changes`;
  return [h("button", { type: "button", class: "pg-fix-all", click }, title)];
}

/** One line that says how many findings there are. */
export function summaryOf({ failure, rules, findings, kind, tested }: CheckAnswer): string {
  if (failure !== undefined) return "This text cannot be read.";
  if (kind === undefined) return "Paste rules or an expression.";
  const subject = kind === "expression" ? "The expression" : rules === 1 ? "1 rule" : `${String(rules)} rules`;
  const counts = SEVERITIES.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [plural(count, severity)];
  });
  const found = counts.length === 0 ? `${subject}: nothing to improve.` : `${subject}: ${counts.join(", ")}.`;
  return tested === undefined ? found : `${found} ${testedWords(tested)}`;
}

/** The parts of the text with findings, and the tests that fail. */
export function marksOf({ findings, fault, tested }: CheckAnswer): readonly Mark[] {
  const failed = tested?.tests.filter(({ failures }) => failures.length > 0) ?? [];
  const errors = [...failed, ...(fault === undefined ? [] : [fault])];
  return [...findings, ...errors.map(({ span }) => ({ span, severity: "error" as const }))];
}

function findingItem(finding: Finding, options: FindingsOptions): HTMLElement {
  const { code, severity, message, excerpt, rule } = finding;
  const { findingsPage } = options;
  return h(
    "li",
    { class: `pg-finding ${severity}` },
    h(
      "p",
      { class: "pg-finding-head" },
      h("span", { class: "pg-severity" }, severity),
      findingsPage === undefined
        ? h("code", {}, code)
        : h("a", { href: `${findingsPage}#${code}` }, h("code", {}, code)),
      rule === undefined ? undefined : h("span", { class: "pg-about" }, rule.name),
      lineButton(finding.span, options),
    ),
    h("p", {}, ...withCode(message)),
    excerpt === undefined ? undefined : h("pre", { class: "pg-excerpt", tabindex: "0" }, excerpt),
    fixButton(finding, options),
  );
}

function failureItem(failure: string, fault: Placed | undefined, options: FindingsOptions): HTMLElement {
  return h(
    "li",
    { class: "pg-finding error" },
    h(
      "p",
      { class: "pg-finding-head" },
      h("span", { class: "pg-severity" }, "error"),
      fault === undefined ? undefined : lineButton(fault.span, options),
    ),
    h("p", {}, ...withCode(failure)),
    fault === undefined ? undefined : fixButton(fault, options),
  );
}

function lineButton(span: Span, { text, goTo }: FindingsOptions): HTMLElement {
  const click = (): void => {
    goTo(span);
  };
  return h("button", { type: "button", class: "pg-line-link", click }, `line ${String(lineOf(span, text))}`);
}

/** What a finding says to write instead, at the press of a button. */
function fixButton({ edit }: Placed, { change }: FindingsOptions): HTMLElement | undefined {
  if (edit === undefined) return undefined;
  const click = (): void => {
    change([edit]);
  };
  return h("button", { type: "button", class: "pg-fix", click }, ...withCode(titleOf(edit)));
}

/** `2 of 3 tests pass, and hit 3 of 4 rules.` */
function testedWords({ tests, rules, hit }: TestAnswer): string {
  const passed = tests.filter(({ failures }) => failures.length === 0).length;
  return `${String(passed)} of ${String(tests.length)} tests pass, and hit ${String(hit)} of ${String(rules)} rules.`;
}

function testResults({ tested }: CheckAnswer, options: FindingsOptions): HTMLElement[] {
  if (tested === undefined) return [];
  const items = tested.tests.map(({ name, span, failures }) => {
    const isPassed = failures.length === 0;
    return h(
      "li",
      { class: `pg-finding ${isPassed ? "passed" : "error"}` },
      h(
        "p",
        { class: "pg-finding-head" },
        h("span", { class: "pg-severity" }, isPassed ? "passed" : "failed"),
        name,
        lineButton(span, options),
      ),
      ...failures.map((failure) => h("pre", { class: "pg-excerpt pg-message" }, failure)),
    );
  });
  return [h("h3", {}, "Tests"), h("ul", { class: "pg-findings" }, ...items)];
}

function explanation({ explained }: CheckAnswer): HTMLElement[] {
  if (explained?.tree === undefined) return [];
  const { tree, uses } = explained;
  const names = [...(uses?.fields ?? []), ...(uses?.functions ?? [])];
  return [
    h("h3", {}, "What it means"),
    h("div", { class: "pg-meaning" }, h("p", {}, "It matches when ", ...withCode(tree.words)), parts(tree)),
    names.length === 0 ? h("span") : h("h3", {}, "What it uses"),
    h(
      "dl",
      { class: "pg-uses" },
      ...names.flatMap(({ name, type, about, notes }) => [
        h("dt", {}, h("code", {}, name), " ", h("small", {}, type)),
        h("dd", {}, [about, ...notes].join("; ")),
      ]),
    ),
  ];
}

function parts(explained: Explained): HTMLElement | undefined {
  if (explained.parts.length === 0) return undefined;
  return h("ul", {}, ...explained.parts.map((part) => h("li", {}, ...withCode(part.words), parts(part))));
}
