import { ApiError, type Client, type Ruleset, type RulesetSummary, type Scope } from "../../../client/index.js";
import { scopeWords } from "../../../core/model/ids.js";
import { isVersion, noVersionText } from "../../../core/model/versions.js";
import { noZone } from "../zones.js";
import { requirePhase } from "../phase.js";

/** Selects a ruleset: by its ID, or as the entry point of a phase. */
export interface RulesetOptions {
  /** ID or name. */
  readonly zone?: string;
  readonly account?: string;
  readonly ruleset?: string;
  readonly phase?: string;
}

/** A ruleset at the service, by its ID or by its phase. */
export interface RulesetAddress {
  readonly scope: Scope;
  readonly at: { readonly rulesetId: string } | { readonly phase: string };
  /** Description for messages. */
  readonly where: string;
  /** The same as options, for the next command. */
  readonly options: string;
}

/** Throws if the options do not select exactly one ruleset. */
export function requireRuleset({ zone, account, ruleset, phase }: RulesetOptions): void {
  if ((zone === undefined) === (account === undefined))
    throw new Error("specify either a zone with --zone or an account with --account");
  if ((ruleset === undefined) === (phase === undefined))
    throw new Error("specify either a ruleset with --ruleset or the entry point of a phase with --phase");
  if (ruleset !== undefined && !ID.test(ruleset)) throw new Error("--ruleset must be an ID of 32 hexadecimal digits");
  if (phase !== undefined) requirePhase(phase);
  if (account !== undefined && !ID.test(account)) throw new Error("--account must be an ID of 32 hexadecimal digits");
}

/** The ruleset that valid options select. The only request is for the name of a zone. */
export async function findAddress(client: Client, options: RulesetOptions): Promise<RulesetAddress> {
  const { zone, account, ruleset, phase } = options;
  const scope: Scope =
    zone === undefined ? { level: "accounts", id: account ?? "" } : { level: "zones", id: await zoneId(client, zone) };
  const [owner, scopeOption] =
    zone === undefined ? [scopeWords(scope), `--account ${scope.id}`] : [`zone ${zone}`, `--zone ${zone}`];
  if (ruleset !== undefined) {
    const where = `ruleset ${ruleset} of ${owner}`;
    return { scope, at: { rulesetId: ruleset }, where, options: `${scopeOption} --ruleset ${ruleset}` };
  }
  const entry = phase ?? "";
  return { scope, at: { phase: entry }, where: `${entry} of ${owner}`, options: `${scopeOption} --phase ${entry}` };
}

const ID = /^[0-9a-f]{32}$/;

async function zoneId(client: Client, zone: string): Promise<string> {
  if (ID.test(zone)) return zone;
  const [found] = await client.zones.list({ name: zone });
  if (found === undefined) throw await noZone(client, zone);
  return found.id;
}

/** Every existing version, without rules. Throws when the ruleset does not exist. */
export async function listVersions(client: Client, { scope, at, where }: RulesetAddress): Promise<RulesetSummary[]> {
  const { rulesets } = client;
  const versions = await ("phase" in at
    ? rulesets.listEntrypointVersions(scope, at.phase)
    : rulesets.listVersions(scope, at.rulesetId));
  if (versions.length === 0) throw new Error(`there is no ${"phase" in at ? "entry point for " : ""}${where}`);
  return versions;
}

/** The ruleset as it is now. */
export function getCurrent({ rulesets }: Client, { scope, at }: RulesetAddress): Promise<Ruleset> {
  return "phase" in at ? rulesets.getEntrypoint(scope, at.phase) : rulesets.get(scope, at.rulesetId);
}

/** One version with its rules. If it does not exist, the error lists those that do. */
export async function getVersion(client: Client, address: RulesetAddress, version: string): Promise<Ruleset> {
  const { scope, at, where } = address;
  requireVersion(version);
  try {
    return await ("phase" in at
      ? client.rulesets.getEntrypointVersion(scope, at.phase, version)
      : client.rulesets.getVersion(scope, at.rulesetId, version));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "API_NOT_FOUND") throw error;
    throw new Error(noVersionText(where, version, await listVersions(client, address)), { cause: error });
  }
}

/** Throws if a text cannot be a version number. */
export function requireVersion(version: string): void {
  if (!isVersion(version))
    throw new Error(`${version} is not a version number; \`pulumi-rulesets versions list\` shows them`);
}
