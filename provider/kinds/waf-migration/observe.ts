import type { Client, Zone } from "../../../client/index.js";
import { MANAGED_PHASE } from "../../../core/model/migration.js";
import { isDecided, phaseOf } from "../../../core/previous-waf/phase.js";
import type { Survey } from "../../../core/previous-waf/survey.js";
import { ApiError, isInaccessible, isRetired, RulesetsError } from "../../../core/model/errors.js";
import type { MigrationStatus, PreviousWaf, RetrievedConfig, WafPackage } from "../../../core/model/migration.js";
import type { Ruleset } from "../../../core/model/ruleset.js";

/** Reads the status of a zone. The API for the migration may no longer exist, like the previous WAF itself. */
export async function readStatus(client: Client, zoneId: string): Promise<MigrationStatus> {
  try {
    return await client.wafMigration.status(zoneId);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "API_NOT_FOUND") throw error;
    throw new RulesetsError(
      `the service no longer offers the WAF migration for zone ${zoneId}: Cloudflare has very likely migrated it. ` +
        `Remove the migration, and take over the rules with a PhaseEntrypoint of ${MANAGED_PHASE} and onExisting: "adopt". ${(error as Error).message}`,
      { code: "MIGRATION_GONE", cause: error },
    );
  }
}

/** The entry point that a migration writes; undefined if there is none. */
export function readEntrypoint(client: Client, zoneId: string): Promise<Ruleset | undefined> {
  return client.rulesets.findEntrypoint({ level: "zones", id: zoneId }, MANAGED_PHASE);
}

/**
 * Reads everything that the migration of a zone depends on. For a zone that is finishing or finished, only the status.
 */
export async function observeZone(client: Client, zoneId: string, known?: Zone): Promise<Survey> {
  const [zone, status] = await Promise.all([
    known ?? readIfAllowed(client.zones.get(zoneId)),
    readStatus(client, zoneId),
  ]);
  const phase = phaseOf(status);
  const seen = { zoneId, zoneName: zone?.name ?? "", plan: zone?.plan ?? "", status, phase };
  if (isDecided(phase)) return { ...seen, previous: {} };
  const compatibility = await client.wafMigration.check(zoneId);
  const [response, previous, entrypoint] = await Promise.all([
    compatibility.compatible ? retrieve(client, zoneId) : {},
    readPrevious(client, zoneId, compatibility.compatible),
    readEntrypoint(client, zoneId),
  ]);
  return { ...seen, compatibility, ...response, previous, ...(entrypoint === undefined ? {} : { entrypoint }) };
}

/** Reads only whether a zone can be migrated, with fewer requests than {@link observeZone}. */
export async function observeZoneBriefly(client: Client, zone: Zone): Promise<Survey> {
  const status = await readStatus(client, zone.id);
  const phase = phaseOf(status);
  const seen = { zoneId: zone.id, zoneName: zone.name, plan: zone.plan, status, phase };
  if (isDecided(phase)) return { ...seen, previous: {} };
  const compatibility = await client.wafMigration.check(zone.id);
  if (compatibility.compatible) return { ...seen, compatibility, ...(await retrieve(client, zone.id)), previous: {} };
  const overrides = await readIfAllowed(client.previousWaf.overrides(zone.id));
  return { ...seen, compatibility, previous: overrides === undefined ? {} : { overrides } };
}

/** The configuration, or the service's message if it returned none. */
async function retrieve(
  client: Client,
  zoneId: string,
): Promise<{ readonly config?: RetrievedConfig; readonly configFailure?: string }> {
  try {
    return { config: await client.wafMigration.config(zoneId) };
  } catch (error) {
    if (error instanceof ApiError && (error.code === "API_INVALID" || error.code === "API_CONFLICT"))
      return { configFailure: error.message };
    throw error;
  }
}

async function readPrevious(client: Client, zoneId: string, compatible: boolean): Promise<PreviousWaf> {
  const { previousWaf } = client;
  const [setting, packages, bypassRules, pageRules, overrides] = await Promise.all([
    readIfAllowed(previousWaf.setting(zoneId)),
    readPackages(client, zoneId),
    readIfAllowed(previousWaf.bypassRules(zoneId)),
    readIfAllowed(previousWaf.pageRules(zoneId)),
    compatible ? undefined : readIfAllowed(previousWaf.overrides(zoneId)),
  ]);
  const all = { setting, ...packages, bypassRules, pageRules, overrides };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The packages, with groups and rules of the core rule set and of all others. */
async function readPackages(client: Client, zoneId: string): Promise<PreviousWaf> {
  const packages = await readIfAllowed(client.previousWaf.packages(zoneId));
  if (packages === undefined) return {};
  const isCore = ({ detectionMode }: WafPackage): boolean => detectionMode === "anomaly";
  const [core, managed] = await Promise.all([
    readParts(client, zoneId, packages.filter(isCore)),
    readParts(
      client,
      zoneId,
      packages.filter((one) => !isCore(one)),
    ),
  ]);
  return {
    packages,
    coreGroups: core.groups,
    coreRules: core.rules,
    managedGroups: managed.groups,
    managedRules: managed.rules,
  };
}

/** All groups and all rules of some packages; undefined for what no longer exists or may not be read. */
async function readParts(client: Client, zoneId: string, packages: readonly WafPackage[]) {
  if (packages.length === 0) return {};
  const { previousWaf } = client;
  const each = <T>(read: (id: string) => Promise<T[]>): Promise<T[] | undefined> =>
    readIfAllowed(Promise.all(packages.map(({ id }) => read(id))).then((lists) => lists.flat()));
  const [groups, rules] = await Promise.all([
    each((id) => previousWaf.groups(zoneId, id)),
    each((id) => previousWaf.rules(zoneId, id)),
  ]);
  return { groups, rules };
}

/** Undefined for what no longer exists or may not be read, which is not a failure. */
async function readIfAllowed<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isInaccessible(error) || isRetired(error)) return undefined;
    throw error;
  }
}
