import { existsSync, statSync } from "node:fs";
import { isAtLeast, type FindingCode, type Plan, type Severity } from "../../../../core/language/index.js";
import type { Client } from "../../../../client/index.js";
import { TextDocument } from "../../../rules-files/text/text-document.js";
import { hasNoAnswer } from "../../../../core/model/unread.js";
import { selectsZones } from "../../zones.js";
import { writeOutput } from "../../write-output.js";
import { isPreviewFile, readPath, readZones, requireRulesets } from "../source/index.js";
import type { LoadedRules, SourceFailure, ProgramOptions } from "../../../rules-files/loaded.js";
import { fixFiles } from "./fix.js";
import { renderText, type FixedReport } from "./render.js";
import { findingsOfInvariants, isInvariantFile } from "../../../rules-files/check/invariant-files.js";
import { isOpen, reportOn, type CheckReport } from "../../../rules-files/check/report.js";
import { waiversOf } from "../../../rules-files/check/waivers.js";
import { fingerprint, physicalLocation, SARIF_LEVELS, sarifLog } from "../sarif.js";
import { FINDINGS } from "../../../../core/language/generated/findings.js";
import { pageOf, type ReportedFinding } from "../../../rules-files/check/finding.js";

export interface CheckCommand extends ProgramOptions {
  readonly zone?: readonly string[];
  readonly account?: readonly string[];
  readonly plan?: Plan;
  readonly waivers?: string;
  /** The lowest severity that fails the command. @default "error" */
  readonly failOn: Severity | "never";
  /** Pass although the credentials may not read a part. @default false */
  readonly allowForbidden?: boolean;
  /** Pass although a part of a rule is not known. @default false */
  readonly allowUnknown?: boolean;
  readonly json?: boolean;
  readonly sarif?: boolean;
  /** @default 7 */
  readonly expiryWarningDays?: number;
  readonly output?: string;
  /** Write into files what findings say, where that can be done without asking. @default false */
  readonly fix?: boolean;
}

interface CheckContext {
  readonly connect: () => Client;
  readonly print: (line: string) => void;
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly now: string;
}

/** Checks rules without deploying them, writes the report, and returns the exit code. */
export async function runCheck(
  paths: readonly string[],
  options: CheckCommand,
  context: CheckContext,
): Promise<number> {
  if (options.json === true && options.sarif === true) throw new Error("--json and --sarif are mutually exclusive");
  const waivers = options.waivers === undefined ? [] : waiversOf(TextDocument.read(options.waivers));
  const [files, others] = [paths.filter(isInvariantFile), paths.filter((path) => !isInvariantFile(path))];
  const fixes =
    options.fix === true
      ? fixFiles(filesToFix(others, options), { waivers, now: context.now, plan: options.plan })
      : undefined;
  const sources =
    files.length > 0 && others.length === 0 && !selectsZones(options)
      ? []
      : await readSources(others, options, context);
  const report = reportOn(sources, {
    invariants: files.flatMap((file) => findingsOfInvariants(TextDocument.read(file), options.plan)),
    waivers,
    now: context.now,
    plan: options.plan,
    expiryWarningDays: options.expiryWarningDays,
  });
  writeOutput(
    render({ ...report, ...(fixes === undefined ? {} : { fixes }) }, options, context.version),
    { output: options.output },
    context.print,
  );
  return exitCodeOf(report, options);
}

/** @throws Error for what is no file of rules, before a file is changed */
function filesToFix(paths: readonly string[], options: CheckCommand): readonly string[] {
  const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile() && !isPreviewFile(path);
  const other = selectsZones(options)
    ? "a zone"
    : paths.length === 0
      ? "this folder"
      : paths.find((path) => !isFile(path));
  if (other === undefined) return paths;
  throw new Error(
    `--fix changes files of rules in YAML or JSON, but ${other} is not one; nothing was changed. To continue: pass such files, or apply ` +
      "the fixes in a program with the language server",
  );
}

async function readSources(
  paths: readonly string[],
  options: CheckCommand,
  { connect }: CheckContext,
): Promise<readonly (LoadedRules | SourceFailure)[]> {
  const { zone = [], account = [] } = options;
  const sources: (LoadedRules | SourceFailure)[] = [];
  for (const path of paths.length === 0 && !selectsZones(options) ? ["."] : paths)
    sources.push(requireRulesets(await readPath(path, options), "checked"));
  if (selectsZones(options)) sources.push(...(await readZones(connect(), zone, account)));
  return sources;
}

function render(report: FixedReport, { json, sarif }: CheckCommand, version: string): string {
  if (json === true) return JSON.stringify(report, undefined, 2);
  return sarif === true ? JSON.stringify(toSarif(report, version), undefined, 2) : renderText(report);
}

/** 0 when no finding reaches the given severity, 2 when one does, 3 when a source or a part of one could not be read. */
function exitCodeOf({ findings, failures, unread }: CheckReport, options: CheckCommand): 0 | 2 | 3 {
  if (failures.length > 0 || hasNoAnswer(unread, options)) return 3;
  return findings.some((finding) => isOpen(finding) && isAtLeast(finding, options.failOn)) ? 2 : 0;
}

/** The report in SARIF. */
function toSarif({ findings, notes, failures }: CheckReport, version: string): object {
  const codes = (Object.keys(FINDINGS) as FindingCode[]).sort();
  const results = findings.map((finding) => resultOf(finding, codes.indexOf(finding.code)));
  return sarifLog({ version, rules: codes.map((code) => ruleOf(code, version)), results, notes, failures });
}

function ruleOf(code: FindingCode, version: string): object {
  const { about, remedy } = FINDINGS[code];
  return {
    id: code,
    shortDescription: { text: about },
    help: { text: remedy },
    helpUri: pageOf(code, version),
  };
}

function resultOf(finding: ReportedFinding, ruleIndex: number): object {
  const { code, severity, message, source, ruleset, rule, path, excerpt, file, waived } = finding;
  const about = rule === undefined ? message : `${rule.name}: ${message}`;
  return {
    ruleId: code,
    ruleIndex,
    level: SARIF_LEVELS[severity],
    message: { text: [about, ...(excerpt === undefined ? [] : [excerpt])].join("\n") },
    locations: [
      {
        ...physicalLocation(file),
        logicalLocations: [{ fullyQualifiedName: `${ruleset}.${path}`, name: path, kind: "member" }],
      },
    ],
    // Excludes positions, which move with every edit; what a finding is about does not.
    partialFingerprints: { "finding/v1": fingerprint([code, source, ruleset, identityOf(finding), message]) },
    ...(waived === undefined
      ? {}
      : { suppressions: [{ kind: "external", status: "accepted", justification: waived.reason }] }),
  };
}

function identityOf({ rule, path }: ReportedFinding): string {
  return rule?.ref ?? rule?.id ?? rule?.description ?? path;
}
