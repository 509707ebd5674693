import type { Client, ObservedResponse, Scope, Zone } from "../../../client/index.js";
import { RulesetsError, firstLineOf } from "../../../core/model/errors.js";
import { requireFolder, writeFile } from "../write-output.js";
import { selectZones } from "../zones.js";
import { answerTo } from "./answers.js";
import { requireConsent, type Consent } from "./consent.js";
import { readEntrypoints, removeLeftOvers, whyNotEmpty } from "./left-overs.js";
import { previewErrors } from "./preview.js";
import { compareReads, readAll, ReadShapes } from "./reads.js";
import { exitCodeOf, recordingOf, resultText, triedText, type Result, type Tried } from "./result.js";
import { changesIn, HOW_TO_REMOVE, proveDryRun, send, type Target } from "./send.js";
import { suiteFor, type Suite } from "./suite.js";
import { readVersions } from "./versions.js";
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

/** Compares what the service says to dry runs and reads with the emulator and with previews. */
export async function runVerify(options: VerifyOptions, context: VerifyContext): Promise<0 | 2 | 3> {
  const { print, isStopped } = context;
  if (options.save !== undefined) requireFolder(options.save);
  const shapes = new ReadShapes();
  const client = context.connect(shapes.observe);
  const zone = await findZone(client, options.zone);
  await requireConsent(zone.name, context.consent);
  const expected = new ReadShapes();
  // Before anything is sent: the emulator may not know the plan.
  const witness = await startWitness(zone.plan, expected.observe);
  try {
    const target = await prepare(client, { level: "zones", id: zone.id }, print);
    const unproven = await proveDryRun(target);
    if (unproven !== undefined) {
      print(unproven);
      return 3;
    }
    const result = await compare(target, { zone, witness, isStopped, print });
    // A run that ended early has read next to nothing.
    if (result.stopped === undefined) await readWitness(witness);
    const reads =
      result.stopped === undefined ? compareReads(shapes.reads, expected.reads) : new Map<string, string[]>();
    const whole = { ...result, reads };
    print(resultText(whole));
    if (options.save !== undefined)
      writeFile(options.save, JSON.stringify(recordingOf(whole, shapes.reads, context.now()), undefined, 2));
    return exitCodeOf(whole);
  } finally {
    await witness.close();
  }
}

async function findZone(client: Client, named: string): Promise<Zone> {
  const { zones, failures } = await selectZones({ zone: [named] }, client);
  const [zone] = zones;
  if (zone === undefined) throw new Error(failures.map(({ failure }) => failure).join("\n"));
  if (zones.length > 1) throw new Error(`${String(zones.length)} zones have the name ${named}; use the ID of one`);
  if (zone.plan === "")
    throw new Error(`the service does not return the plan of ${zone.name}, on which its answers depend`);
  return zone;
}

/** Removes what an interrupted run has left, and reads what is there. */
async function prepare(client: Client, scope: Scope, print: (line: string) => void): Promise<Target> {
  const removed = await removeLeftOvers(client, scope, await readEntrypoints(client, scope, []));
  for (const phase of removed) print(`Removed the disabled rules that an interrupted run had left in ${phase}.`);
  // The versions first: what changes between the two readings is found before anything is sent.
  const before = await readVersions(client, scope);
  const unread: string[] = [];
  return { client, scope, before, found: await readEntrypoints(client, scope, unread), unread };
}

interface Comparison {
  readonly zone: Zone;
  readonly witness: Witness;
  readonly isStopped: () => boolean;
  readonly print: (line: string) => void;
}

async function compare(target: Target, comparison: Comparison): Promise<Omit<Result, "reads">> {
  const { client, found, unread } = target;
  const { zone, isStopped } = comparison;
  const suite = suiteFor({ plan: zone.plan, whyNotEmpty: (phase) => whyNotEmpty(found, phase) });
  const compared = await compareAll(target, suite, comparison);
  const others = compared.stopped === undefined ? await readAll(client, zone, isStopped) : [];
  const notRead = [...unread, ...others];
  return { plan: zone.plan, ...compared, notTried: suite.notTried, notRead, ...(await lastLook(target)) };
}

/** Compares the versions, and removes dry runs without an answer that were carried out since. Where it cannot, that counts as a change. */
async function lastLook(target: Target): Promise<Pick<Result, "late" | "changed">> {
  const { client, scope } = target;
  try {
    if ((await changesIn(target)).length === 0) return { late: [], changed: [] };
    const late = await removeLeftOvers(client, scope, await readEntrypoints(client, scope));
    return { late, changed: await changesIn(target) };
  } catch (error) {
    if (!(error instanceof RulesetsError)) throw error;
    return {
      late: [],
      changed: [`could not be read (${firstLineOf(error)}). The service may have kept a dry run. ${HOW_TO_REMOVE}`],
    };
  }
}

async function readWitness({ client, full }: Witness): Promise<void> {
  for (const one of full) {
    await readAll(client, one);
    await client.tokens.verify(one.accountId);
  }
}

/** Sends each body to both. Ends at once if anything changes. */
async function compareAll(
  target: Target,
  { cases }: Suite,
  { zone, witness, isStopped, print }: Comparison,
): Promise<Pick<Result, "tried" | "stopped">> {
  const like: Scope = { level: "zones", id: witness.empty.id };
  const tried: Tried[] = [];
  /** Entries whose valid body the service takes. Of others, a preview only warns: the zone may have them by an add-on. */
  const included = new Set<string>();
  for (const one of cases) {
    const { code, body } = one;
    if (isStopped()) return { tried, stopped: "Stopped before all bodies were sent." };
    const { answer: service, stopped } = await send(target, one);
    if (stopped !== undefined) return { tried, stopped };
    if (service.kind === "accepted") included.add(code);
    const emulator = await answerTo(witness.client, like, one);
    const preview = included.has(code) ? previewErrors(one, zone.plan) : undefined;
    const said = { code, body, service, emulator, ...(preview === undefined ? {} : { preview }) };
    print(triedText(said));
    tried.push(said);
  }
  return { tried };
}
