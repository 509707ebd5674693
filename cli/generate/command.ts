import { existsSync, writeFileSync } from "node:fs";
import type { Client, Zone } from "../../provider/client/index.js";
import {
  generateProgram,
  handOverSteps,
  importFile,
  inventoryOf,
  selectByPhases,
  projectFiles,
  projectName,
  type ForeignResource,
  type GeneratedProgram,
  type Inventory,
} from "../../generator/index.js";
import { readEach, findZones } from "../fleet.js";
import type { Progress } from "../progress.js";
import { readFiles } from "./from-files.js";
import { ScopeReader, type ReadScope } from "./read.js";
import {
  clearSecretWords,
  importSteps,
  missingWords,
  nextSteps,
  previousWafWords,
  replacedWords,
  type UnreadScope,
} from "./words.js";
import { refuseExisting, refuseIncomplete, writeProject } from "./write.js";
import { rulesetName } from "../../provider/model/names.js";
import { plural } from "../../provider/model/words.js";
import { requirePhase } from "../phase.js";

/** Options of the command. */
export interface GenerateOptions {
  readonly zone?: readonly string[];
  readonly account?: readonly string[];
  /** State files of other tools, to read instead of the service. */
  readonly from?: readonly string[];
  readonly allZones?: boolean;
  readonly phase?: readonly string[];
  readonly certificates: boolean;
  readonly lists: boolean;
  readonly out?: string;
  /** Where to write a file for `pulumi import`, instead of a program. */
  readonly importFile?: string;
  readonly overwrite?: boolean;
  readonly json?: boolean;
  readonly parallel: string;
}

/** The side effects of the command. */
export interface GenerateIo {
  readonly print: (line: string) => void;
  readonly printNote: (line: string) => void;
  readonly progress: Progress;
  readonly version: string;
  readonly sdk: string;
}

/** Project files next to the program: created in a new folder, left alone if they exist. */
const PROJECT_FILES = ["Pulumi.yaml", "package.json", "tsconfig.json"];

/**
 * Generates a program for existing resources. Returns the exit code: 0 everything is in it, 2 something was left out, 3 something
 * could not be read.
 */
export async function generate(options: GenerateOptions, connect: () => Client, io: GenerateIo): Promise<0 | 2 | 3> {
  if (options.out !== undefined && options.overwrite !== true)
    refuseExisting(options.out, ["index.ts", ...PROJECT_FILES]);
  const { importFile: importPath } = options;
  refuseBesideImports(options);
  options.phase?.forEach(requirePhase);
  const source =
    options.from === undefined ? await readInventory(options, connect, io.progress) : fromFiles(options.from, options);
  return importPath === undefined
    ? deliverProgram(source, options, io)
    : deliverImports(source, importPath, options, io);
}

/** What cannot be combined with an import file: it lists what exists, and is no program. */
function refuseBesideImports({ importFile: path, overwrite, from, out, json }: GenerateOptions): void {
  if (path === undefined) return;
  const other = from !== undefined ? "--from" : out !== undefined ? "--out" : json === true ? "--json" : undefined;
  if (other !== undefined) throw new Error(`--import-file cannot be combined with ${other}`);
  if (overwrite !== true && existsSync(path))
    throw new Error(
      `${path} already exists; nothing was written. To continue: choose another file, or pass --overwrite`,
    );
}

/** Writes a file for `pulumi import`, reports what is not in it, and returns the exit code. */
function deliverImports(
  { inventory, unread, onPreviousWaf }: Source,
  path: string,
  { overwrite }: GenerateOptions,
  { printNote }: GenerateIo,
): 0 | 2 | 3 {
  const { declared, secrets, leftOut } = generateProgram(inventory);
  if (declared.length === 0) printNote("Found nothing to import.");
  else {
    writeFileSync(path, importFile(declared), { flag: overwrite === true ? "w" : "wx" });
    printNote(`${plural(declared.length, "resource")} in ${path}`);
  }
  for (const text of [...missingWords({ secrets: [], leftOut }, unread), ...clearSecretWords(secrets)]) printNote(text);
  for (const text of previousWafWords(onPreviousWaf)) printNote(text);
  if (declared.length > 0) printNote(importSteps(path));
  if (unread.length > 0) return 3;
  return leftOut.length + secrets.length > 0 ? 2 : 0;
}

/** What the program is generated from, and what to report about it. */
interface Source {
  readonly inventory: Inventory;
  readonly unread: readonly UnreadScope[];
  /** The resources that another tool manages. */
  readonly foreign: readonly ForeignResource[];
  /** Names of the zones that the previous WAF still protects. */
  readonly onPreviousWaf: readonly string[];
}

function fromFiles(paths: readonly string[], options: GenerateOptions): Source {
  const { zone, account, allZones, phase, certificates, lists } = options;
  if (zone !== undefined || account !== undefined || allZones === true)
    throw new Error("--from reads files instead of the service: omit --zone, --account and --all-zones");
  const all = readFiles(paths);
  const foreign =
    phase === undefined
      ? all
          .filter(({ type }) => certificates || !/^cloudflare_(custom_hostname|total_tls)$/.test(type))
          .filter(({ type }) => lists || !/^cloudflare_list(_item)?$/.test(type))
      : selectByPhases(all, phase);
  return { inventory: inventoryOf(foreign, phase), unread: [], foreign, onPreviousWaf: [] };
}

async function readInventory(options: GenerateOptions, connect: () => Client, progress: Progress): Promise<Source> {
  const parallel = Number(options.parallel);
  if (!Number.isInteger(parallel) || parallel < 1)
    throw new Error(`--parallel must be a whole number of at least 1, not ${options.parallel}`);
  requireSelection(options);
  const client = connect();
  const reader = new ScopeReader(client, {
    phases: options.phase,
    certificates: options.certificates && options.phase === undefined,
    lists: options.lists && options.phase === undefined,
  });
  const { zones, accounts, failures } = await selectScopes(options, client);
  const results = await readEach([...accounts, ...zones], {
    client,
    parallel,
    progress,
    read: (one) => (accounts.includes(one) ? reader.account(one.id) : reader.zone(one)),
  });
  const read = results.flatMap((result): ReadScope[] => ("failure" in result ? [] : [result.value]));
  const unread: UnreadScope[] = [
    ...failures,
    ...results.flatMap((result) => ("failure" in result ? [{ name: result.zone.name, failure: result.failure }] : [])),
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
  };
  const onPreviousWaf = read.flatMap(({ found, usesPreviousWaf }) => (usesPreviousWaf === true ? [found.name] : []));
  return { inventory, unread, foreign: [], onPreviousWaf };
}

function requireSelection({ zone = [], account = [], allZones }: GenerateOptions): void {
  if (zone.length + account.length === 0 && allZones !== true)
    throw new Error("specify zones with --zone, an account with --account, or all zones with --all-zones");
}

async function selectScopes({ zone = [], account = [], allZones }: GenerateOptions, client: Client) {
  const accounts = [...new Set(account)].map((id): Zone => ({
    id,
    name: `account ${id}`,
    accountId: id,
    accountName: "",
    plan: "",
  }));
  const named = zone.length === 0 ? { zones: [], failures: [] } : await findZones(client, zone, []);
  const all = allZones === true ? await listAll(client, account) : [];
  const zones = [...new Map([...named.zones, ...all].map((one) => [one.id, one])).values()];
  return { accounts, zones, failures: named.failures.map(({ zone: { name }, failure }) => ({ name, failure })) };
}

/** Every zone of the accounts, or every zone that the credentials can access. */
async function listAll(client: Client, accounts: readonly string[]): Promise<Zone[]> {
  if (accounts.length === 0) return client.zones.list();
  return (await Promise.all(accounts.map((accountId) => client.zones.list({ accountId })))).flat();
}

/** Writes or prints the program, reports what is missing from it, and returns the exit code. */
function deliverProgram(
  { inventory, unread, foreign, onPreviousWaf }: Source,
  { out, overwrite, json }: GenerateOptions,
  { print, printNote, version, sdk }: GenerateIo,
): 0 | 2 | 3 {
  const program = generateProgram(inventory);
  const steps = handOverSteps(foreign, program);
  const resources = program.declared.length;
  if (resources === 0) printNote("Found nothing that a program could declare.");
  const project = projectFiles({ name: projectName(inventory), version, sdk });
  if (out !== undefined && resources > 0) {
    const paths = [...program.files, ...project].map(({ path }) => path);
    if (overwrite !== true) refuseExisting(out, paths);
    else if (unread.length > 0)
      refuseIncomplete(
        out,
        paths,
        unread.map(({ name, failure }) => `${name}: ${failure}`),
      );
    const replaced = writeProject(out, program.files, project);
    printNote(`${plural(resources, "resource")} in ${out}: ${program.files.map(({ path }) => path).join(", ")}`);
    for (const text of replacedWords(replaced)) printNote(text);
  }
  if (json === true) print(JSON.stringify({ ...jsonOf(program, unread), steps }, undefined, 2));
  else if (out === undefined && resources > 0) print(programText(program));
  for (const text of missingWords(program, unread)) printNote(text);
  for (const text of json === true ? [] : steps) printNote(text);
  for (const text of previousWafWords(onPreviousWaf)) printNote(text);
  if (out !== undefined && resources > 0) printNote(nextSteps(out, program.secrets.length));
  if (unread.length > 0) return 3;
  return program.leftOut.length + program.secrets.length > 0 ? 2 : 0;
}

/** A single file verbatim; several with their names. */
function programText({ files }: GeneratedProgram): string {
  const [only] = files;
  if (files.length === 1 && only !== undefined) return only.text.trimEnd();
  return files
    .map(({ path, text }) => `// ${path}\n${text}`)
    .join("\n")
    .trimEnd();
}

function jsonOf({ files, declared, secrets, leftOut }: GeneratedProgram, unread: readonly UnreadScope[]): object {
  return { resources: declared.length, files, secrets, leftOut, notRead: unread };
}
