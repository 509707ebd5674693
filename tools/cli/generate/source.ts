import { readParallel } from "../options.js";
import { type Client, type Zone } from "../../../client/index.js";
import {
  addMigrations,
  inventoryOf,
  legacyLeftOut,
  legacyOf,
  scopeLabel,
  selectByPhases,
  type ForeignResource,
  type Inventory,
  readForeign,
} from "../../generator/index.js";
import type { Migration } from "../../../core/legacy/report.js";
import { readLegacy } from "./legacy.js";
import { findZones, listZones, readEach, requireZones, selectsZones, type ZoneSelection } from "../zones.js";
import type { Progress } from "../progress.js";
import { ScopeReader, type ReadScope } from "./read.js";
import type { UnreadScope } from "./words.js";
import { rulesetName } from "../../../core/model/names.js";
import { readUserFile } from "../../rules-files/text/read-file.js";

/** Options that select what to read. */
export interface SourceOptions extends ZoneSelection {
  /** State files of other tools, to read instead of the service. */
  readonly from?: readonly string[];
  readonly phase?: readonly string[];
  readonly certificates: boolean;
  readonly lists: boolean;
  /** Whether to add the rules that replace page rules and other previous features. */
  readonly fromLegacy?: boolean;
  /** Whether those rules are disabled. */
  readonly disabled?: boolean;
  readonly parallel: string;
}

/** What the program is generated from, and what to report about it. */
export interface Source {
  readonly inventory: Inventory;
  readonly unread: readonly UnreadScope[];
  /** The resources that another tool manages. */
  readonly foreign: readonly ForeignResource[];
  /** Names of the zones that the previous WAF still protects. */
  readonly onPreviousWaf: readonly string[];
  /** What replaces the previous features of zones. */
  readonly migrations: readonly Migration[];
}

/** Reads what exists: from files of other tools, or from the service. */
export async function readSource(options: SourceOptions, connect: () => Client, progress: Progress): Promise<Source> {
  refuseBesideLegacy(options);
  return options.from === undefined ? readInventory(options, connect, progress) : fromFiles(options.from, options);
}

/** The comparison needs the rules of all phases. */
function refuseBesideLegacy({ fromLegacy, disabled, phase }: SourceOptions): void {
  if (fromLegacy !== true && disabled === true)
    throw new Error("--disabled is about the rules that --from-legacy adds: add --from-legacy, or omit --disabled");
  if (fromLegacy === true && phase !== undefined)
    throw new Error("--from-legacy compares the rules of all phases: omit --phase");
}

function fromFiles(paths: readonly string[], options: SourceOptions): Source {
  const { phase, certificates, lists } = options;
  if (selectsZones(options))
    throw new Error("--from reads files instead of the service: omit --zone, --account and --all-zones");
  const all = readFiles(paths);
  const foreign =
    phase === undefined
      ? all
          .filter(({ type }) => certificates || !/^cloudflare_(custom_hostname|total_tls)$/.test(type))
          .filter(({ type }) => lists || !/^cloudflare_list(_item)?$/.test(type))
      : selectByPhases(all, phase);
  const found = inventoryOf(foreign, phase);
  const isMigrated = options.fromLegacy === true;
  const { zones, leftOut } = isMigrated ? legacyOf(foreign) : { zones: [], leftOut: legacyLeftOut(foreign) };
  const { inventory, migrations } = addMigrations(found, zones, options.disabled === true);
  const complete = { ...inventory, leftOut: [...inventory.leftOut, ...leftOut] };
  return { inventory: complete, unread: [], foreign, onPreviousWaf: [], migrations };
}

async function readInventory(options: SourceOptions, connect: () => Client, progress: Progress): Promise<Source> {
  const parallel = readParallel(options.parallel);
  requireZones(options);
  const client = connect();
  const reader = new ScopeReader(client, {
    phases: options.phase,
    certificates: options.certificates && options.phase === undefined,
    lists: options.lists && options.phase === undefined,
  });
  const { zones, accounts, failures } = await selectScopes(options, client);
  const results = await readEach([...accounts, ...zones], {
    parallel,
    progress,
    read: (one) => (accounts.includes(one) ? reader.account(one.id) : reader.zone(one)),
  });
  const read = results.flatMap((result): ReadScope[] => ("failure" in result ? [] : [result.value]));
  const unread: UnreadScope[] = [
    ...failures,
    ...results.flatMap((result) => ("failure" in result ? [{ name: result.zone.name, failure: result.failure }] : [])),
    ...read.flatMap(({ found, failure }) => (failure === undefined ? [] : [{ name: scopeLabel(found), failure }])),
  ];
  const inventory: Inventory = {
    scopes: read.map(({ found }) => found),
    leftOut: read.flatMap(({ leftOut }) => leftOut),
    knownNames: new Map(
      read.flatMap(({ foreign }) =>
        foreign.map(({ id, name, phase }) => [id, `${rulesetName({ kind: "custom", name, phase })} of the account`]),
      ),
    ),
    managedNames: reader.names.of,
    isServices: true,
  };
  const onPreviousWaf = read.flatMap(({ found, usesPreviousWaf }) => (usesPreviousWaf === true ? [found.name] : []));
  if (options.fromLegacy !== true) return { inventory, unread, foreign: [], onPreviousWaf, migrations: [] };
  const previous = await readLegacy(client, zones, { parallel, progress });
  const migrated = addMigrations(inventory, previous.legacy, options.disabled === true);
  return { ...migrated, unread: [...unread, ...previous.unread], foreign: [], onPreviousWaf };
}

async function selectScopes(options: SourceOptions, client: Client) {
  const { zone = [], account, allZones } = options;
  const accounts = [...new Set(account)].map((id): Zone => ({
    id,
    name: `account ${id}`,
    accountId: id,
    accountName: "",
    plan: "",
  }));
  const named = zone.length === 0 ? { zones: [], failures: [] } : await findZones(client, zone, []);
  const all = allZones === true ? await listZones(client, account) : { zones: [], failures: [] };
  const zones = [...new Map([...named.zones, ...all.zones].map((one) => [one.id, one])).values()];
  const failures = [...named.failures, ...all.failures];
  return { accounts, zones, failures: failures.map(({ zone: { name }, failure }) => ({ name, failure })) };
}

/** Reads states of Terraform, OpenTofu and Pulumi. */
function readFiles(paths: readonly string[]): ForeignResource[] {
  return paths.flatMap(readState);
}

/** A state may contain secrets, so no part of it appears in a message. */
function readState(path: string): ForeignResource[] {
  const text = decoded(readUserFile(path === "-" ? 0 : path));
  const name = path === "-" ? "standard input" : path;
  const resources = readForeign(parse(text, name));
  if (resources !== undefined) return resources;
  throw new Error(
    `${name} is not a readable state file. To continue: pass a state file of Terraform or OpenTofu (version 4), the output of ` +
      "`terraform show -json` or `tofu show -json`, or that of `pulumi stack export`",
  );
}

/** Decodes a file by its byte order mark: PowerShell writes UTF-16 when output is redirected to a file. */
function decoded(bytes: Buffer): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name} is not JSON`);
  }
}
