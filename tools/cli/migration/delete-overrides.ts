import { existsSync, writeFileSync } from "node:fs";
import type { Client, WafOverride, Zone } from "../../../client/index.js";
import { ApiError, isRetired } from "../../../core/model/errors.js";
import { plural } from "../../../core/model/words.js";
import { findZones } from "../zones.js";

/** Options of the command. */
export interface DeleteOverridesOptions {
  /** IDs or names. Accounts are not accepted: every zone whose overrides are deleted must be named. */
  readonly zone: readonly string[];
  /** Delete the overrides; without it they are only listed. */
  readonly yes?: boolean;
  /** A new file for a backup of the overrides. */
  readonly backup?: string;
}

/** The overrides of one zone. */
interface ZoneOverrides {
  readonly zone: Zone;
  readonly overrides: readonly WafOverride[];
  /** Why there is nothing to list. */
  readonly note?: string;
  readonly failed: boolean;
}

/**
 * Lists the URI-based overrides of zones, which block a migration, and with `--yes` deletes them one at a time. A second run
 * continues with those that are left. Returns the exit code: 0 none is left, 2 some are listed and not deleted, 3 a zone could
 * not be read or an override could not be deleted.
 */
export async function deleteOverrides(
  { zone, yes, backup }: DeleteOverridesOptions,
  connect: () => Client,
  print: (line: string) => void,
): Promise<0 | 2 | 3> {
  if (backup !== undefined && existsSync(backup)) {
    throw new Error(`${backup} already exists; choose another file, so that no backup is lost`);
  }
  const client = connect();
  const { zones, failures } = await findZones(client, zone, []);
  const listed: ZoneOverrides[] = failures.map((each) => ({
    zone: each.zone,
    overrides: [],
    note: each.failure,
    failed: true,
  }));
  for (const each of zones) listed.push(await list(client, each));
  for (const each of listed) print(overridesText(each));
  const open = listed.filter(({ overrides }) => overrides.length > 0);
  if (backup !== undefined && open.length > 0) writeBackup(backup, open);
  const failed = listed.some((each) => each.failed);
  if (open.length === 0) return failed ? 3 : 0;
  if (yes !== true) {
    print(untouchedText(open));
    return failed ? 3 : 2;
  }
  const stopped: ZoneOverrides[] = [];
  for (const each of open) if (!(await deleteAll(client, each, print))) stopped.push(each);
  print(stopped.length > 0 ? commandText("delete-overrides", stopped, " --yes") : commandText("check", open));
  return failed || stopped.length > 0 ? 3 : 0;
}

/** Once the API has been removed, there is nothing left to delete. */
async function list(client: Client, zone: Zone): Promise<ZoneOverrides> {
  try {
    return { zone, overrides: await client.previousWaf.overrides(zone.id), failed: false };
  } catch (error) {
    if (isGone(error) || isRetired(error)) return { zone, overrides: [], note: MIGRATED_NOTE, failed: false };
    return { zone, overrides: [], note: (error as Error).message, failed: true };
  }
}

const MIGRATED_NOTE =
  "no URI-based overrides: the previous WAF no longer exists, so the zone has very likely been migrated";

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === "API_NOT_FOUND";
}

/** Deletes the overrides of a zone, and stops at the first failure. */
async function deleteAll(
  client: Client,
  { zone, overrides }: ZoneOverrides,
  print: (line: string) => void,
): Promise<boolean> {
  print(`${zone.name}:`);
  for (const [index, { id }] of overrides.entries()) {
    try {
      await client.previousWaf.deleteOverride(zone.id, id);
    } catch (error) {
      if (!isGone(error)) {
        print(`  not deleted ${id}: ${(error as Error).message}`);
        return false;
      }
    }
    print(`  deleted ${id} (${String(index + 1)} of ${String(overrides.length)})`);
  }
  return true;
}

function overridesText({ zone, overrides, note }: ZoneOverrides): string {
  const count = overrides.length === 0 ? "no URI-based overrides" : plural(overrides.length, "URI-based override");
  const lines = overrides.flatMap(({ id, urls, description, wire }) => [
    `  - ${id}${description === "" ? "" : ` (${description})`} for ${urls.join(", ")}`,
    `    ${JSON.stringify(wire)}`,
  ]);
  return [`${zone.name === zone.id ? zone.id : `${zone.name} (${zone.id})`}: ${note ?? count}`, ...lines].join("\n");
}

function untouchedText(open: readonly ZoneOverrides[]): string {
  return [
    "Nothing was deleted. The lines above contain what is needed to create them again (POST /zones/<zone id>/firewall/waf/overrides); " +
      "--backup <file> saves them.",
    commandText("delete-overrides", open, " --yes"),
  ].join("\n");
}

function commandText(command: string, zones: readonly ZoneOverrides[], more = ""): string {
  const named = zones.map(({ zone }) => `--zone ${zone.name}`).join(" ");
  return `To continue: npx pulumi-rulesets migration ${command} ${named}${more}`;
}

/** Backs up the complete overrides to a new file. */
function writeBackup(file: string, open: readonly ZoneOverrides[]): void {
  const content = open.map(({ zone, overrides }) => ({
    zoneId: zone.id,
    zoneName: zone.name,
    overrides: overrides.map(({ wire }) => wire),
  }));
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`, { flag: "wx" });
}
