import type { Level, ReportedFinding } from "../../../rules-files/check/finding.js";
import { isOpen, type CheckReport } from "../../../rules-files/check/report.js";
import { plural, titledList } from "../../../provider/model/words.js";

/** The report for people. */
export function renderText(report: CheckReport): string {
  const { findings, unusedWaivers, notes, failures } = report;
  const open = findings.filter(isOpen);
  const waived = findings.filter((finding) => !isOpen(finding));
  return [
    ...open.map(describe),
    ...titledList("Waived", waived.map(waivedLine)),
    ...titledList(
      "Unused waivers",
      unusedWaivers.map(
        ({ waiver: { finding, place }, why }) => `${place.file}:${String(place.line)}: ${finding} ${why}`,
      ),
    ),
    ...titledList("Notes", notes),
    ...titledList(
      "Could not be read",
      failures.map(({ label, failure }) => `${label}: ${failure}`),
    ),
    summary(report),
  ].join("\n\n");
}

/** `rules.json:12:20: error[type] custom rules[3].expression:14, rule "admin"`, the message, and the place in the text. */
function describe(finding: ReportedFinding): string {
  const { name, level, message, excerpt } = finding;
  const head = `${level}[${name}] ${placeOf(finding)}`;
  const lines = [head, ...indent(message), ...(excerpt === undefined ? [] : indent(excerpt, 6))];
  return lines.join("\n");
}

function waivedLine(finding: ReportedFinding): string {
  const { name, waived } = finding;
  const until = waived?.until === undefined ? "" : ` (until ${waived.until})`;
  return `${name} ${placeOf(finding)}: ${waived?.reason ?? ""}${until}`;
}

function placeOf({ file, source, ruleset, path, character, rule }: ReportedFinding): string {
  const line = [file?.line, file?.column].map((part) => (part === undefined ? "" : `:${String(part)}`)).join("");
  const at = `${path}${character === undefined ? "" : `:${String(character)}`}`;
  const name = rule === undefined ? "" : ` (${rule.name})`;
  return `${file === undefined ? source : file.file}${line}, ${ruleset} ${at}${name}`;
}

function indent(text: string, by = 2): string[] {
  return text.split("\n").map((line) => `${" ".repeat(by)}${line}`);
}

function summary({ sources, findings }: CheckReport): string {
  const rules = sources.reduce((sum, source) => sum + source.rules, 0);
  const rulesets = sources.reduce((sum, source) => sum + source.rulesets, 0);
  const open = findings.filter(isOpen);
  const count = (level: Level): number => open.filter((finding) => finding.level === level).length;
  const counts = [
    plural(count("error"), "error"),
    plural(count("warning"), "warning"),
    ...(count("note") === 0 ? [] : [plural(count("note"), "note")]),
    ...(open.length === findings.length ? [] : [`${String(findings.length - open.length)} waived`]),
  ];
  return `${plural(rules, "rule")} in ${plural(rulesets, "ruleset")}: ${counts.join(", ")}.`;
}
