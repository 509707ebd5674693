import { markdownProse, markdownText } from "../../model/markdown.js";
import type { MigrationReport } from "./report.js";

interface Section {
  readonly key: keyof MigrationReport;
  readonly title: string;
  readonly numbered?: boolean;
  /** Whether the text is our own, so that backticks mark code; any other text may quote the service. */
  readonly prose?: boolean;
}
/** The sections about one zone. */
const OF_ZONE: readonly Section[] = [
  { key: "obstacles", title: "Must be resolved first" },
  { key: "writes", title: "Rules that will be written", numbered: true },
  { key: "carriedOver", title: "Carried over" },
  { key: "notCarriedOver", title: "Not carried over" },
  { key: "differences", title: "Differs from the documentation" },
  { key: "existing", title: "In the entry point now, but not in the result" },
  { key: "beforeTheFinish", title: "Check before the finish", prose: true },
];
/** The sections that are the same for every zone. */
const GENERAL: readonly Section[] = [
  { key: "preparations", title: "Before every finish", prose: true },
  { key: "afterwards", title: "Afterwards", prose: true },
  { key: "tools", title: "Tools that stop working", prose: true },
  { key: "rollout", title: "Rollout", prose: true },
];

/** The report as plain text, for a terminal. The last line is the digest. */
export function reportText(report: MigrationReport, digest: string | undefined): string {
  return [zoneText(report, undefined), generalText(report), ...digestLine(digest)]
    .filter((text) => text !== "")
    .join("\n");
}

/** The part of the report about its zone. */
export function zoneText(report: MigrationReport, digest: string | undefined): string {
  return [
    `WAF migration of ${report.zone}, plan ${report.plan === "" ? "unknown" : report.plan}: ${report.standingBefore}`,
    ...plain(report, OF_ZONE),
    ...digestLine(digest),
  ].join("\n");
}

function digestLine(digest: string | undefined): string[] {
  return digest === undefined ? [] : [`Digest of this configuration, for expectedConfig: ${digest}`];
}

/** The part of the report that applies to every zone. */
export function generalText(report: MigrationReport): string {
  return plain(report, GENERAL).join("\n");
}

/** The part of the report about its zone, as a section of Markdown. */
export function zoneMarkdown(report: MigrationReport, digest: string | undefined): string {
  return [
    `## ${markdownText(report.zone)}`,
    `Plan ${report.plan === "" ? "unknown" : report.plan}; ${markdownText(report.standingBefore)}.`,
    ...markdown(report, OF_ZONE, "###"),
    ...(digest === undefined ? [] : [`Digest: \`${digest}\``]),
  ].join("\n\n");
}

/** The part of the report that applies to every zone, as sections of Markdown. */
export function generalMarkdown(report: MigrationReport): string {
  return markdown(report, GENERAL, "##").join("\n\n");
}

function plain(report: MigrationReport, sections: readonly Section[]): string[] {
  return filled(report, sections).map(([{ title, numbered }, entries]) => {
    const lines = entries.map((entry, index) => `  ${bullet(numbered, index)} ${entry.replace(/\n/g, "\n    ")}`);
    return `${title}:\n${lines.join("\n")}`;
  });
}

function markdown(report: MigrationReport, sections: readonly Section[], level: string): string[] {
  return filled(report, sections).map(([{ title, numbered, prose }, entries]) => {
    const lines = entries.map((entry, index) => {
      const text = entry.split("\n").map(prose === true ? markdownProse : markdownText);
      return `${bullet(numbered, index)} ${text.join("\\\n  ")}`;
    });
    return `${level} ${title}\n\n${lines.join("\n")}`;
  });
}

function bullet(numbered: boolean | undefined, index: number): string {
  return numbered === true ? `${String(index + 1)}.` : "-";
}

function filled(report: MigrationReport, sections: readonly Section[]): [Section, readonly string[]][] {
  return sections.flatMap((section) => {
    const entries = (report[section.key] ?? []) as readonly string[];
    return entries.length === 0 ? [] : [[section, entries] as [Section, readonly string[]]];
  });
}
