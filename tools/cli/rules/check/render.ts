import type { FixedFinding, Fixes } from "./fix.js";
import type { Severity } from "../../../../core/language/index.js";
import type { ReportedFinding } from "../../../rules-files/check/finding.js";
import { isOpen, type CheckReport } from "../../../rules-files/check/report.js";
import { plural, titledList } from "../../../../core/model/words.js";

/** What was found after the fixes, if there were to be some. */
export interface FixedReport extends CheckReport {
  readonly fixes?: Fixes;
}

/** The report for people. */
export function renderText(report: FixedReport): string {
  const { findings, unusedWaivers, notes, failures, fixes } = report;
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
    ...titledList("Fixed", (fixes?.applied ?? []).map(fixLine)),
    ...titledList("Suggested, but not applied, because the meaning may change", (fixes?.offered ?? []).map(fixLine)),
    ...titledList(
      "Could not be read",
      failures.map(({ label, failure }) => `${label}: ${failure}`),
    ),
    summary(report),
  ].join("\n\n");
}

/** `rules.json:12:20: error[type] custom rules[3].expression:14, rule "admin"`, the message, and the place in the text. */
function describe(finding: ReportedFinding): string {
  const { code, severity, message, excerpt } = finding;
  const head = `${severity}[${code}] ${placeOf(finding)}`;
  const lines = [head, ...indent(message), ...(excerpt === undefined ? [] : indent(excerpt, 6))];
  return lines.join("\n");
}

function waivedLine(finding: ReportedFinding): string {
  const { code, waived } = finding;
  const until = waived?.until === undefined ? "" : ` (until ${waived.until})`;
  return `${code} ${placeOf(finding)}: ${waived?.reason ?? ""}${until}`;
}

function fixLine({ code, file, before, after }: FixedFinding): string {
  const place = [file?.file, file?.line].filter((part) => part !== undefined).join(":");
  const change = after === "" ? `without ${quoted(before)}` : `${quoted(after)} in place of ${quoted(before)}`;
  return `${place}: ${code}: ${change}`;
}

const LONGEST = 100;

function quoted(text: string): string {
  const line = text.replaceAll('\\"', '"').replace(/\s+/g, " ").trim();
  return `\`${line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`}\``;
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
  const count = (severity: Severity): number => open.filter((finding) => finding.severity === severity).length;
  const counts = [
    plural(count("error"), "error"),
    plural(count("warning"), "warning"),
    ...(count("info") === 0 ? [] : [plural(count("info"), "info")]),
    ...(open.length === findings.length ? [] : [`${String(findings.length - open.length)} waived`]),
  ];
  return `${plural(rules, "rule")} in ${plural(rulesets, "ruleset")}: ${counts.join(", ")}.`;
}
