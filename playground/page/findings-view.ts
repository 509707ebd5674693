import type { CheckAnswer, TestAnswer } from "../answers/check.js";
import type { Explained } from "../../cli/rules/explain/words.js";
import type { MarkLevel } from "./editor.js";
import { h, withCode } from "./dom.js";

export interface FindingsOptions {
  /** The page that explains findings; a finding is a section of it. */
  readonly findingsPage?: string;
  readonly goTo: (line: number) => void;
}

type Finding = CheckAnswer["findings"][number];

/** What was found in rules. */
export function findingsView(answer: CheckAnswer, text: string, options: FindingsOptions): HTMLElement[] {
  if (answer.failure !== undefined) {
    return [h("ul", { class: "pg-findings" }, failureItem(answer.failure, answer.line, options))];
  }
  return [
    h(
      "ul",
      { class: "pg-findings" },
      ...answer.findings.map((finding) => findingItem(finding, lineOf(finding, answer, text), options)),
    ),
    ...testResults(answer, options),
    ...explanation(answer),
  ];
}

/** One line that says how many findings there are. */
export function summaryOf({ failure, rules, findings, kind, tested }: CheckAnswer): string {
  if (failure !== undefined) return "This text cannot be read.";
  if (kind === undefined) return "Paste rules or an expression.";
  const subject = kind === "expression" ? "The expression" : rules === 1 ? "1 rule" : `${String(rules)} rules`;
  const counts = (["error", "warning", "note"] as const).flatMap((level) => {
    const count = findings.filter((finding) => finding.level === level).length;
    return count === 0 ? [] : [`${String(count)} ${level}${count === 1 ? "" : "s"}`];
  });
  const found = counts.length === 0 ? `${subject}: nothing to improve.` : `${subject}: ${counts.join(", ")}.`;
  return tested === undefined ? found : `${found} ${testedWords(tested)}`;
}

/** The lines with findings, each with the highest level. */
export function marksOf(answer: CheckAnswer, text: string): ReadonlyMap<number, MarkLevel> {
  if (answer.failure !== undefined) return new Map(answer.line === undefined ? [] : [[answer.line, "error"]]);
  const marks = new Map<number, MarkLevel>();
  for (const level of ["note", "warning", "error"] as const) {
    for (const finding of answer.findings) {
      const line = lineOf(finding, answer, text);
      if (finding.level === level && line !== undefined) marks.set(line, level);
    }
  }
  for (const { line, failures } of answer.tested?.tests ?? []) if (failures.length > 0) marks.set(line, "error");
  return marks;
}

/** The line of a finding: in a document that of its part, in an expression that of its character. */
function lineOf({ file, character }: Finding, { kind }: CheckAnswer, text: string): number | undefined {
  if (kind !== "expression") return file?.line;
  const lead = text.length - text.trimStart().length;
  return text.slice(0, lead + (character ?? 1) - 1).split("\n").length;
}

function findingItem(finding: Finding, line: number | undefined, options: FindingsOptions): HTMLElement {
  const { name, level, message, excerpt, rule } = finding;
  const { findingsPage, goTo } = options;
  return h(
    "li",
    { class: `pg-finding ${level}` },
    h(
      "p",
      { class: "pg-finding-head" },
      h("span", { class: "pg-level" }, level),
      findingsPage === undefined
        ? h("code", {}, name)
        : h("a", { href: `${findingsPage}#${name}` }, h("code", {}, name)),
      rule === undefined ? undefined : h("span", { class: "pg-about" }, rule.name),
      line === undefined ? undefined : lineButton(line, goTo),
    ),
    h("p", {}, ...withCode(message)),
    excerpt === undefined ? undefined : h("pre", { class: "pg-excerpt", tabindex: "0" }, excerpt),
  );
}

function failureItem(failure: string, line: number | undefined, { goTo }: FindingsOptions): HTMLElement {
  return h(
    "li",
    { class: "pg-finding error" },
    h(
      "p",
      { class: "pg-finding-head" },
      h("span", { class: "pg-level" }, "error"),
      line === undefined ? undefined : lineButton(line, goTo),
    ),
    h("p", {}, ...withCode(failure)),
  );
}

function lineButton(line: number, goTo: (line: number) => void): HTMLElement {
  const click = (): void => {
    goTo(line);
  };
  return h("button", { type: "button", class: "pg-line-link", click }, `line ${String(line)}`);
}

/** `2 of 3 tests pass, and hit 3 of 4 rules.` */
function testedWords({ tests, rules, hit }: TestAnswer): string {
  const passed = tests.filter(({ failures }) => failures.length === 0).length;
  return `${String(passed)} of ${String(tests.length)} tests pass, and hit ${String(hit)} of ${String(rules)} rules.`;
}

function testResults({ tested }: CheckAnswer, { goTo }: FindingsOptions): HTMLElement[] {
  if (tested === undefined) return [];
  const items = tested.tests.map(({ name, line, failures }) => {
    const isPassed = failures.length === 0;
    return h(
      "li",
      { class: `pg-finding ${isPassed ? "passed" : "error"}` },
      h(
        "p",
        { class: "pg-finding-head" },
        h("span", { class: "pg-level" }, isPassed ? "passed" : "failed"),
        name,
        lineButton(line, goTo),
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
