import { fingerprint, physicalLocation, sarifLog } from "../sarif.js";
import { FINDING_NAMES } from "./checks.js";
import { pageOf, type ReportedFinding } from "./finding.js";
import type { CheckReport } from "./report.js";

/** The report in SARIF. */
export function toSarif({ findings, notes, failures }: CheckReport, version: string): object {
  const names = Object.keys(FINDING_NAMES).sort();
  const results = findings.map((finding) => resultOf(finding, names.indexOf(finding.name)));
  return sarifLog({ version, rules: names.map((id) => ruleOf(id, version)), results, notes, failures });
}

function ruleOf(id: string, version: string): object {
  const text = FINDING_NAMES[id] ?? "";
  return {
    id,
    shortDescription: { text },
    help: { text: `${text}. See docs/findings.md of pulumi-rulesets, section ${id}.` },
    helpUri: pageOf(id, version),
  };
}

function resultOf(finding: ReportedFinding, ruleIndex: number): object {
  const { name, level, message, source, ruleset, rule, path, excerpt, file, waived } = finding;
  const about = rule === undefined ? message : `${rule.name}: ${message}`;
  return {
    ruleId: name,
    ruleIndex,
    level,
    message: { text: [about, ...(excerpt === undefined ? [] : [excerpt])].join("\n") },
    locations: [
      {
        ...physicalLocation(file),
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
