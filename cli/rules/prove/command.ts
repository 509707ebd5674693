import type { Plan } from "../../../language/index.js";
import { judgeZones, SAYS_NOTHING, type Judged } from "../../../invariants/judge.js";
import type { Client } from "../../../provider/client/index.js";
import { checkFleet, readEach, selectZones, type FleetOptions } from "../../fleet.js";
import type { Progress } from "../../progress.js";
import { writeOutput } from "../../write-output.js";
import {
  hidingSecretsOf,
  readPath,
  readZone,
  type AccountReads,
  type LoadedRules,
  type SourceFailure,
} from "../source/index.js";
import type { ProgramOptions } from "../source/program.js";
import { readInvariantFiles } from "../../../invariants/files.js";
import { toJunit } from "./junit.js";
import { renderText, toJsonValue, type ProveReport } from "./render.js";
import { toSarif } from "./sarif.js";
import { zonesIn } from "./zones.js";

export interface ProveCommand extends Omit<FleetOptions, "markdown">, ProgramOptions {
  /** Folders of programs, or files of rulesets. */
  readonly program?: readonly string[];
  /** Plan of the zones, if the source does not tell it. */
  readonly plan?: Plan;
  readonly allowUnknown?: boolean;
  readonly sarif?: boolean;
  readonly junit?: string;
}

export interface ProveContext {
  readonly connect: () => Client;
  readonly progress: Progress;
  readonly print: (line: string) => void;
  readonly version: string;
  /** In UTC: `YYYY-MM-DD`. */
  readonly today: string;
}

/**
 * Proves invariants, writes the report, and returns the exit code: 2 if one is violated, or not proved without `--allow-unknown`,
 * and 3 if a zone could not be read.
 */
export async function runProve(
  paths: readonly string[],
  options: ProveCommand,
  context: ProveContext,
): Promise<0 | 2 | 3> {
  const parallel = checkFleet(options, ["json", "sarif"]);
  const files = readInvariantFiles(paths.length === 0 ? ["."] : paths);
  const { program = [], zone = [], account = [], allZones = false } = options;
  const isLive = allZones || zone.length + account.length > 0;
  const declared: LoadedRules[] = [];
  for (const path of program.length === 0 && !isLive ? ["."] : program) declared.push(await readPath(path, options));
  const deployed = isLive ? await readDeployed(options, parallel, context) : [];
  const sources = [...declared, ...deployed].flatMap((one) => ("failure" in one ? [] : [one]));
  const failures = deployed.flatMap((one) => ("failure" in one ? [one] : []));
  const judged = judgeZones({
    invariants: files.invariants,
    zones: sources.flatMap((source) => zonesIn(source, options.plan)),
    today: context.today,
    isWhole: (allZones || account.length > 0) && zone.length === 0 && failures.length === 0,
  });
  const report: ProveReport = {
    ...judged,
    files,
    notes: declared.map(({ label }) => onlyOwnRules(label)),
    failures,
    hide: hidingSecretsOf(...sources),
  };
  if (options.junit !== undefined) writeOutput(report.hide(toJunit(report)), { output: options.junit }, context.print);
  writeOutput(render(report, options, context.version), { output: options.output }, context.print);
  if (failures.length > 0) return 3;
  return isFine(judged, options.allowUnknown === true) ? 0 : 2;
}

function onlyOwnRules(label: string): string {
  return `${label}: judged as if its zones and accounts had no other rulesets; --zone judges everything that is deployed.`;
}

async function readDeployed(
  options: ProveCommand,
  parallel: number,
  { connect, progress }: ProveContext,
): Promise<readonly (LoadedRules | SourceFailure)[]> {
  const client = connect();
  const { zones, failures } = await selectZones(options, client);
  const accounts: AccountReads = new Map();
  const read = await readEach(zones, { client, parallel, progress, read: (one) => readZone(client, one, accounts) });
  return [
    ...read.map((one) => ("failure" in one ? { label: `the zone ${one.zone.name}`, failure: one.failure } : one.value)),
    ...failures.map(({ zone, failure }) => ({ label: `the zone ${zone.name}`, failure })),
  ];
}

/** Whether everything is proved. What was not judged at all is not. */
function isFine({ verdicts, findings }: Judged, allowUnknown: boolean): boolean {
  if (verdicts.some(({ verdict }) => verdict === "violated")) return false;
  if (allowUnknown) return true;
  const isOpen = verdicts.some(({ verdict }) => verdict === "unknown");
  return !isOpen && verdicts.length > 0 && !findings.some(({ name }) => SAYS_NOTHING.has(name));
}

function render(report: ProveReport, { json, sarif }: ProveCommand, version: string): string {
  const text =
    json === true
      ? JSON.stringify(toJsonValue(report), undefined, 2)
      : sarif === true
        ? JSON.stringify(toSarif(report, version), undefined, 2)
        : renderText(report);
  return report.hide(text);
}
