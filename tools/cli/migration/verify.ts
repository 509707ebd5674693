import type { Client, Zone } from "../../../client/index.js";
import { REF_PREFIX, type NewList } from "../../../core/legacy/new-rules.js";
import { isComplete, noteLines, numbered, turnOffSteps, verdictLines } from "../../../core/legacy/report.js";
import { verifyZone } from "../../generator/index.js";
import { ScopeReader } from "../generate/read.js";
import { readParallel } from "../options.js";
import type { Progress } from "../progress.js";
import { findZones, readEach } from "../zones.js";

export interface VerifyOptions {
  readonly zone: readonly string[];
  readonly parallel: string;
}

/**
 * Compares page rules and other previous features with the rules that are deployed, and prints how to switch. Returns the exit
 * code: 0 they do the same, 2 they do not, or it is not proved, 3 something could not be read.
 */
export async function verifyMigration(
  options: VerifyOptions,
  connect: () => Client,
  { print, progress }: { readonly print: (line: string) => void; readonly progress: Progress },
): Promise<0 | 2 | 3> {
  const client = connect();
  const { zones, failures } = await findZones(client, options.zone, []);
  const read = (zone: Zone) => verify(client, zone);
  const results = await readEach(zones, { parallel: readParallel(options.parallel), progress, read });
  const migrations = results.flatMap((one) => ("failure" in one ? [] : [one.value]));
  for (const migration of migrations)
    print(
      [
        `${migration.zone}:`,
        ...verdictLines(migration),
        ...noteLines(migration, 5),
        ...numbered(turnOffSteps(migration)),
      ].join("\n"),
    );
  const unread = [
    ...failures.map(({ label, failure }) => `${label}: ${failure}`),
    ...results.flatMap((one) => ("failure" in one ? [`${one.zone.name} could not be read: ${one.failure}`] : [])),
  ];
  for (const line of unread) print(line);
  if (unread.length > 0) return 3;
  return migrations.every(isComplete) ? 0 : 2;
}

async function verify(client: Client, zone: Zone) {
  const reader = new ScopeReader(client, { certificates: false, lists: false });
  const [{ found, failure, leftOut }, wire] = await Promise.all([reader.zone(zone), client.legacy.rules(zone.id)]);
  const missing = failure ?? leftOut[0]?.reason;
  if (missing !== undefined) throw new Error(missing);
  const lists = await readLists(client, zone.accountId, JSON.stringify(found.rulesets));
  const all = { ...zone, rulesets: found.rulesets, wire, account: { rulesets: [] } };
  const migration = verifyZone(all, lists);
  if (migration.bulk === undefined) return migration;
  const account = await new ScopeReader(client, { certificates: false, lists: true }).account(zone.accountId);
  const unread = account.failure ?? account.leftOut[0]?.reason;
  if (unread !== undefined) throw new Error(unread);
  return verifyZone({ ...all, account: account.found }, lists);
}

/** The lists of earlier conversions, as they are deployed. */
async function readLists(client: Client, accountId: string, rules: string): Promise<readonly NewList[]> {
  if (!rules.includes(`$${LISTS}`)) return [];
  const own = (await client.lists.list(accountId)).filter(
    ({ name }) => rules.includes(`$${name}`) && name.startsWith(LISTS),
  );
  return Promise.all(
    own.map(async ({ id, name, size }) => {
      const items = await client.lists.items(accountId, id, "ip", size);
      return { name, addresses: items.map(({ key }) => key) };
    }),
  );
}

const LISTS = REF_PREFIX.replace("-", "_");
