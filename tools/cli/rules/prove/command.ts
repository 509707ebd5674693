import { isError, type Plan } from "../../../../core/language/index.js";
import { fails, judgeZones, type Judged, type JudgedZone } from "../../../../core/invariants/judge.js";
import { withFacts, zonesOf } from "../../../../core/invariants/zones.js";
import { expressionFindings } from "../../../rules-files/check/rule-findings.js";
import { withKnownPhases } from "../../../rules-files/check/runnable.js";
import { readZoneFacts } from "../../zone-facts.js";
import type { Client } from "../../../../client/index.js";
import { checkZonesOptions, readEach, selectsZones, selectZones, type ZonesOptions } from "../../zones.js";
import type { Progress } from "../../progress.js";
import { writeOutput } from "../../write-output.js";
import { readPath, readZone, requireRulesets, type AccountReads } from "../source/index.js";
import {
  cureOf,
  hidingSecretsOf,
  type LoadedRules,
  type SourceFailure,
  type ProgramOptions,
  rulesetsOf,
  unknownNotesOn,
} from "../../../rules-files/loaded.js";
import type { NamedInvariant } from "../../../../core/invariants/invariant.js";
import { listNamesIn } from "../../../../provider/validation/list-uses.js";
import { inUnknownZones, isCreated, isSecretPlace } from "../../../../core/simulator/unknown-zone.js";
import { readInvariantFiles } from "../../../rules-files/invariant-files.js";
import { renderText, toJsonValue, type ProveReport } from "./render.js";

export interface ProveCommand extends Omit<ZonesOptions, "markdown">, ProgramOptions {
  /** Folders of programs, or files of rulesets. */
  readonly program?: readonly string[];
  /** Plan of the zones, if the source does not tell it. */
  readonly plan?: Plan;
  readonly allowUnknown?: boolean;
  /** Ask the service for the names and plans of the zones of programs and files. */
  readonly zoneNames?: boolean;
}

interface ProveContext {
  readonly connect: () => Client;
  readonly progress: Progress;
  readonly print: (line: string) => void;
  readonly now: Date;
}

/**
 * Proves invariants, writes the report, and returns the exit code: 2 if one is violated, or not proved without `--allow-unknown`,
 * and 3 if a zone, the rulesets of its account, or lists that decide could not be read.
 */
export async function runProve(
  paths: readonly string[],
  options: ProveCommand,
  context: ProveContext,
): Promise<0 | 2 | 3> {
  const parallel = checkZonesOptions(options, []);
  const files = readInvariantFiles(paths.length === 0 ? ["."] : paths);
  const read = await readSources(options, parallel, context, files.invariants);
  const { sources, declared } = read;
  const found = sources.flatMap((source) => zonesIn(source, options.plan));
  const zones = options.zoneNames === true ? await withNames(found, context) : { zones: found, notes: [] };
  const judged = judgeZones({
    invariants: files.invariants,
    zones: zones.zones,
    now: context.now,
    isWhole: (options.zone ?? []).length === 0 && selectsZones(options) && read.failures.length === 0,
  });
  const failures = [...read.failures, ...decisiveLists(sources, judged)];
  const report: ProveReport = {
    ...judged,
    files,
    notes: [
      ...declared.map(({ label }) => onlyOwnRules(label)),
      ...zones.notes,
      ...new Set(sources.flatMap(({ notes }) => notes)),
      ...declared.flatMap(unknownNotesOn),
      ...declared.flatMap((one) => expressionNotes(one)),
    ],
    failures,
    hide: hidingSecretsOf(...sources),
  };
  const allowUnknown = options.allowUnknown === true;
  writeOutput(render(report, options), { output: options.output }, context.print);
  if (failures.length > 0) return 3;
  return isFine(judged, allowUnknown) ? 0 : 2;
}

interface Sources {
  readonly sources: readonly LoadedRules[];
  /** Those of programs and files. */
  readonly declared: readonly LoadedRules[];
  /** Zones, the rulesets of accounts, and parts of programs. */
  readonly failures: readonly SourceFailure[];
}

async function readSources(
  options: ProveCommand,
  parallel: number,
  context: ProveContext,
  invariants: readonly NamedInvariant[],
): Promise<Sources> {
  const { program = [] } = options;
  const isLive = selectsZones(options);
  const declared: LoadedRules[] = [];
  for (const path of program.length === 0 && !isLive ? ["."] : program)
    declared.push(withKnownPhases(requireRulesets(await readPath(path, options), "proved about it")));
  const lists = listNamesIn(invariants.map(({ requests }) => ({ expression: requests })));
  const deployed = isLive ? await readDeployed(options, { parallel, lists }, context) : [];
  const unread = [...declared, ...deployed].flatMap((one) => ("failure" in one ? [one] : (one.unread ?? [])));
  return {
    sources: [...declared, ...deployed].flatMap((one) => ("failure" in one ? [] : [one])),
    declared,
    // Zones of one account have the same ones.
    failures: Array.from(new Map(unread.map((one) => [one.label, one])).values()),
  };
}

/** The lists that could not be read, in zones about which something is not decided. */
function decisiveLists(sources: readonly LoadedRules[], { verdicts }: Judged): readonly SourceFailure[] {
  const open = new Set(verdicts.flatMap(({ proof, zone }) => (proof.verdict === "unknown" ? [zone.zone.id] : [])));
  const unread = sources.flatMap(({ zone, unreadLists = [] }) => (open.has(zone?.id) ? unreadLists : []));
  return Array.from(new Map(unread.map((one) => [`${one.label} ${one.failure}`, one])).values());
}

/** Zones with the names and plans that the service knows them by. */
async function withNames(
  zones: readonly JudgedZone[],
  { connect }: ProveContext,
): Promise<{ readonly zones: readonly JudgedZone[]; readonly notes: readonly string[] }> {
  const unnamed = zones.flatMap(({ zone: { id, name } }) =>
    id === undefined || isCreated(id) || isSecretPlace(id) || name !== undefined ? [] : [id],
  );
  const notes: string[] = [];
  const facts = await readZoneFacts(unnamed, { connect, printNote: (note) => notes.push(note) });
  return { zones: zones.map((one) => withFacts(one, facts.get(one.zone.id ?? ""))), notes };
}

/** What the language finds in the expressions of rules, so that a verdict on them is not taken for one on what was meant. */
function expressionNotes(source: LoadedRules): readonly string[] {
  return expressionFindings(source).map(({ file, ruleset, rule, message }) => {
    const line = file?.line === undefined ? "" : `:${String(file.line)}`;
    const where = file === undefined ? ruleset : `${file.file}${line}`;
    return `${where}: ${rule?.name ?? ruleset}: ${message}`;
  });
}

function onlyOwnRules(label: string): string {
  return `${label}: judged as if its zones and accounts had no other rulesets; --zone judges everything that is deployed.`;
}

async function readDeployed(
  options: ProveCommand,
  { parallel, lists }: { readonly parallel: number; readonly lists: readonly string[] },
  { connect, progress }: ProveContext,
): Promise<readonly (LoadedRules | SourceFailure)[]> {
  const client = connect();
  const { zones, failures } = await selectZones(options, client);
  const accounts: AccountReads = new Map();
  const read = await readEach(zones, {
    parallel,
    progress,
    read: (one) => readZone(client, one, accounts, lists),
  });
  return [
    ...read.map((one) => ("failure" in one ? { label: `the zone ${one.zone.name}`, failure: one.failure } : one.value)),
    ...failures.map(({ label, failure }) => ({ label, failure })),
  ];
}

/** Whether everything is proved. What was not judged at all is not. */
function isFine({ verdicts, findings }: Judged, allowUnknown: boolean): boolean {
  if (verdicts.some(({ verdict }) => fails(verdict, allowUnknown))) return false;
  return allowUnknown || (verdicts.length > 0 && !findings.some(isError));
}

function render(report: ProveReport, { json }: ProveCommand): string {
  return report.hide(json === true ? JSON.stringify(toJsonValue(report), undefined, 2) : renderText(report));
}

/** The zones whose rules a source has. A program or a file may have rules of several. */
function zonesIn(source: LoadedRules, plan: Plan | undefined): readonly JudgedZone[] {
  const { label, zone, unread = [], zoneNames } = source;
  const rulesets = rulesetsOf(source);
  const open = unread.map((one) => ({
    why: `${one.label} could not be read: ${one.failure}`,
    decidedBy: cureOf(one),
  }));
  if (zone === undefined)
    return zonesOf(source.resources === undefined ? rulesets : inUnknownZones(rulesets), { label, plan }).map((one) => {
      const name = zoneNames?.get(one.zone.id ?? "");
      const named = withFacts(one, name === undefined ? undefined : { name });
      return open.length === 0 ? named : { ...named, open: [...(named.open ?? []), ...open] };
    });
  return [{ label: zone.name ?? label, zone: { ...zone, plan: plan ?? zone.plan }, rulesets, open }];
}
