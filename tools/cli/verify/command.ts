import type { Client, ObservedResponse, Scope, Zone } from "../../../client/index.js";
import { RulesetsError, firstLineOf } from "../../../core/model/errors.js";
import { writeFile } from "../write-output.js";
import { selectZones } from "../zones.js";
import { answerTo, compareAnswers } from "./answers.js";
import { requireConsent, type Consent } from "./consent.js";
import { emptyPhases, proveDryRun, readEntrypoints, removeLeftOvers, removeKept, type Found } from "./prove.js";
import { compareReads, readAll, ReadShapes } from "./reads.js";
import { exitCodeOf, recordingOf, resultText, type Result, type Tried } from "./result.js";
import { refusals, suiteFor, type Suite } from "./suite.js";
import { changedVersions, readVersions } from "./versions.js";
import { startWitness, type Witness } from "./witness.js";

export interface VerifyOptions {
  readonly zone: string;
  readonly save?: string;
}

interface VerifyContext {
  readonly connect: (onResponse: (response: ObservedResponse) => void) => Client;
  readonly consent: Consent;
  readonly print: (line: string) => void;
  readonly now: () => Date;
  /** Whether somebody has interrupted the run: it ends after the request under way. */
  readonly isStopped: () => boolean;
}

/** Compares what the service and the emulator say to dry runs and reads. */
export async function runVerify(options: VerifyOptions, context: VerifyContext): Promise<0 | 2 | 3> {
  const { print } = context;
  const shapes = new ReadShapes();
  const client = context.connect(shapes.observe);
  const zone = await findZone(client, options.zone);
  await requireConsent(zone.name, context.consent);
  const scope: Scope = { level: "zones", id: zone.id };
  for (const phase of await removeLeftOvers(client, scope))
    print(`Removed the disabled rule that an interrupted run had left in ${phase}.`);
  const before = await readVersions(client, scope);
  const found = await readEntrypoints(client, scope, new Set(refusals.map(({ phase }) => phase)));
  const proof = await proveDryRun(client, scope);
  if (!proof.isHonoured) {
    print(proof.text);
    return 3;
  }
  const expected = new ReadShapes();
  const witness = await startWitness(zone.plan, expected.observe);
  try {
    const suite = suiteFor({ plan: zone.plan, empty: emptyPhases(found) });
    const compared = await compareAll({ client, scope, witness, suite, found, isStopped: context.isStopped });
    const notRead = compared.stopped === undefined ? await readAll(client, zone) : [];
    for (const one of witness.full) await readAll(witness.client, one);
    const result: Result = {
      ...{ plan: zone.plan, ...compared, notTried: suite.notTried, notRead },
      reads: compareReads(shapes.reads, expected.reads),
      changed: changedVersions(before, await readVersions(client, scope)),
    };
    print(resultText(result));
    if (options.save !== undefined)
      writeFile(options.save, JSON.stringify(recordingOf(result, shapes.reads, context.now()), undefined, 2));
    return exitCodeOf(result);
  } finally {
    await witness.close();
  }
}

async function findZone(client: Client, named: string): Promise<Zone> {
  const { zones, failures } = await selectZones({ zone: [named] }, client);
  const [zone] = zones;
  if (zone === undefined) throw new Error(failures.map(({ failure }) => failure).join("\n"));
  if (zone.plan === "")
    throw new Error(`the service does not return the plan of ${zone.name}, on which its answers depend`);
  return zone;
}

interface Comparison {
  readonly client: Client;
  readonly scope: Scope;
  readonly witness: Witness;
  readonly suite: Suite;
  readonly found: Found;
  readonly isStopped: () => boolean;
}

/** Sends each body to both. Ends at once if the service carries one out, and removes what that made. */
async function compareAll(comparison: Comparison): Promise<Pick<Result, "tried" | "stopped">> {
  const { client, scope, witness, suite, isStopped } = comparison;
  const like: Scope = { level: "zones", id: witness.empty.id };
  const tried: Tried[] = [];
  for (const one of suite.cases) {
    if (isStopped()) return { tried, stopped: "Stopped before all bodies were sent." };
    try {
      const service = await answerTo(client, scope, one);
      const emulator = await answerTo(witness.client, like, one);
      const { code, body } = one;
      tried.push({ code, body, service, emulator, difference: compareAnswers(service, emulator) });
    } catch (error) {
      if (!(error instanceof RulesetsError) || error.code !== "DRY_RUN_IGNORED") throw error;
      return { tried, stopped: `${firstLineOf(error)}\n${await removeKept(client, scope, one.phase, one.rules)}` };
    }
  }
  return { tried };
}
