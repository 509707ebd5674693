import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { FINDING_NAMES } from "./checks.js";
import type { ReportedFinding } from "./finding.js";
import type { CheckReport } from "./report.js";

/** The report in SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
export function toSarif({ findings, notes, failures }: CheckReport, version: string): object {
  const names = Object.keys(FINDING_NAMES).sort();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "pulumi-rulesets",
            version,
            semanticVersion: version,
            rules: names.map((id) => ruleOf(id, version)),
          },
        },
        columnKind: "utf16CodeUnits",
        invocations: [
          {
            executionSuccessful: failures.length === 0,
            toolExecutionNotifications: [
              ...notes.map((text) => ({ level: "note", message: { text } })),
              ...failures.map(({ label, failure }) => ({ level: "error", message: { text: `${label}: ${failure}` } })),
            ],
          },
        ],
        results: findings.map((finding) => resultOf(finding, names.indexOf(finding.name))),
      },
    ],
  };
}

/** The page about a finding, as this version of the package contains it. */
function ruleOf(id: string, version: string): object {
  const text = FINDING_NAMES[id] ?? "";
  const helpUri = `https://unpkg.com/pulumi-rulesets@${version}/docs/findings.md#${id}`;
  return {
    id,
    shortDescription: { text },
    help: { text: `${text}. See docs/findings.md of pulumi-rulesets, section ${id}.` },
    helpUri,
  };
}

function resultOf(finding: ReportedFinding, ruleIndex: number): object {
  const { name, level, message, source, ruleset, rule, path, excerpt, file, waived } = finding;
  const about = rule === undefined ? message : `${rule.name}: ${message}`;
  const region = file?.line === undefined ? {} : { region: { startLine: file.line, startColumn: file.column } };
  return {
    ruleId: name,
    ruleIndex,
    level,
    message: { text: [about, ...(excerpt === undefined ? [] : [excerpt])].join("\n") },
    locations: [
      {
        ...(file === undefined ? {} : { physicalLocation: { artifactLocation: artifactOf(file.file), ...region } }),
        logicalLocations: [{ fullyQualifiedName: `${ruleset}.${path}`, name: path, kind: "member" }],
      },
    ],
    // Excludes positions, which move with every edit; what a finding is about does not.
    partialFingerprints: { "finding/v1": fingerprint([name, source, ruleset, identityOf(finding), message]) },
    ...(waived === undefined
      ? {}
      : { suppressions: [{ kind: "external", status: "accepted", justification: waived.reason }] }),
  };
}

function identityOf({ rule, path }: ReportedFinding): string {
  return rule?.ref ?? rule?.id ?? rule?.description ?? path;
}

/** A file relative to its repository, which is how code scanning finds it; outside of one, to the folder of the command. */
function artifactOf(file: string): object {
  const parts = relative(repositoryOf(resolve(file)) ?? "", resolve(file)).split(/[\\/]/);
  return { uri: parts.map(encodeURIComponent).join("/"), uriBaseId: "%SRCROOT%" };
}

function repositoryOf(file: string): string | undefined {
  const folder = dirname(file);
  if (existsSync(join(folder, ".git"))) return folder;
  return folder === file ? undefined : repositoryOf(folder);
}

function fingerprint(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
