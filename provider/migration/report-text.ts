import type { MigrationReport } from "./report.js";

const SECTIONS: readonly (readonly [keyof MigrationReport, string])[] = [
  ["obstacles", "In the way"],
  ["writes", "Rules that will be written"],
  ["carriedOver", "Carried over"],
  ["notCarriedOver", "Not carried over"],
  ["existing", "In the entry point now, and not in the result"],
  ["afterwards", "Afterwards"],
];

/** The report as plain text, for a terminal. */
export function reportText(report: MigrationReport, digest: string | undefined): string {
  const sections = filled(report).map(([title, entries]) => {
    const numbered = title === "Rules that will be written";
    const lines = entries.map(
      (entry, index) => `  ${numbered ? `${String(index + 1)}.` : "-"} ${entry.replace(/\n/g, "\n    ")}`,
    );
    return `${title}:\n${lines.join("\n")}`;
  });
  return [
    `WAF migration of ${report.zone}, plan ${report.plan === "" ? "unknown" : report.plan}: ${report.standing}`,
    ...sections,
    ...(digest === undefined ? [] : [`Digest of this configuration, for expectedConfig: ${digest}`]),
  ].join("\n");
}

/** The report as a section of Markdown. */
export function reportMarkdown(report: MigrationReport, digest: string | undefined): string {
  const sections = filled(report).map(
    ([title, entries]) =>
      `### ${title}\n\n${entries.map((entry) => `- ${escaped(entry).replace(/\n/g, "\n  ")}`).join("\n")}`,
  );
  return [
    `## ${escaped(report.zone)}`,
    `Plan ${report.plan === "" ? "unknown" : report.plan}; ${escaped(report.standing)}.`,
    ...sections,
    ...(digest === undefined ? [] : [`Digest: \`${digest}\``]),
  ].join("\n\n");
}

function filled(report: MigrationReport): [string, readonly string[]][] {
  return SECTIONS.flatMap(([key, title]) => {
    const entries = report[key] as readonly string[];
    return entries.length === 0 ? [] : [[title, entries] as [string, readonly string[]]];
  });
}

function escaped(text: string): string {
  return text.replace(/([*_`<>|\\])/g, "\\$1");
}
