import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Client } from "../../../client/index.js";
import {
  generateProgram,
  handOverSteps,
  importFile,
  projectFiles,
  projectName,
  type GeneratedProgram,
} from "../../generator/index.js";
import { installedFrom } from "../installed-from.js";
import {
  isComplete as isMigrated,
  migrationPage,
  noteLines,
  verdictLines,
  type Migration,
} from "../../../core/legacy/report.js";
import type { Progress } from "../progress.js";
import {
  clearSecretWords,
  FROM_STATE,
  importSteps,
  keptWords,
  missingWords,
  nextSteps,
  previousWafWords,
  type UnreadScope,
} from "./words.js";
import { refuseExisting, writeProject } from "./write.js";
import { plural } from "../../../core/model/words.js";
import { requirePhase } from "../phase.js";
import { readSource, type Source, type SourceOptions } from "./source.js";

/** Options of the command. */
export interface GenerateOptions extends SourceOptions {
  readonly out?: string;
  /** Where to write a file for `pulumi import`, instead of a program. */
  readonly importFile?: string;
  readonly json?: boolean;
}

/** The side effects of the command. */
interface GenerateIo {
  readonly print: (line: string) => void;
  readonly printNote: (line: string) => void;
  readonly progress: Progress;
  readonly version: string;
  /** The folder of this package. */
  readonly own: string;
  readonly sdk: string;
}

/**
 * Generates a program for existing resources. Returns the exit code: 0 everything is in it, 2 something was left out, 3 something
 * could not be read.
 */
export async function generate(options: GenerateOptions, connect: () => Client, io: GenerateIo): Promise<0 | 2 | 3> {
  if (options.out !== undefined) refuseExisting(options.out, ["index.ts"]);
  const { importFile: importPath } = options;
  refuseBesideImports(options);
  options.phase?.forEach(requirePhase);
  const source = await readSource(options, connect, io.progress);
  return importPath === undefined ? deliverProgram(source, options, io) : deliverImports(source, importPath, io);
}

/** What cannot be combined with an import file: it lists what exists, and is no program. */
function refuseBesideImports({ importFile: path, from, fromLegacy, out, json }: GenerateOptions): void {
  if (path === undefined) return;
  const given = { "--from": from, "--from-legacy": fromLegacy, "--out": out, "--json": json };
  const [other] = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (other !== undefined) throw new Error(`--import-file cannot be combined with ${other}`);
  if (existsSync(path))
    throw new Error(`${path} already exists; nothing was written. To continue: choose another file`);
}

/** Writes a file for `pulumi import`, reports what is not in it, and returns the exit code. */
function deliverImports(
  { inventory, unread, onPreviousWaf }: Source,
  path: string,
  { printNote }: GenerateIo,
): 0 | 2 | 3 {
  const { declared, secrets, leftOut, unchecked } = generateProgram(inventory);
  if (declared.length === 0) printNote("Found nothing to import.");
  else {
    writeFileSync(path, importFile(declared), { flag: "wx" });
    printNote(`${plural(declared.length, "resource")} in ${path}`);
  }
  for (const text of [...missingWords({ secrets: [], leftOut, unchecked }, unread), ...clearSecretWords(secrets)])
    printNote(text);
  for (const text of previousWafWords(onPreviousWaf)) printNote(text);
  if (declared.length > 0) printNote(importSteps(path));
  if (unread.length > 0) return 3;
  return leftOut.length + secrets.length > 0 ? 2 : 0;
}

/** Writes or prints the program, reports what is missing from it, and returns the exit code. */
function deliverProgram(
  { inventory, unread, foreign, onPreviousWaf, migrations }: Source,
  { out, json }: GenerateOptions,
  { print, printNote, version, own, sdk }: GenerateIo,
): 0 | 2 | 3 {
  const program = withMigration(generateProgram(inventory), migrations, out !== undefined || json === true);
  for (const migration of migrations)
    printNote([`${migration.zone}:`, ...verdictLines(migration), ...noteLines(migration, 5)].join("\n"));
  const steps = handOverSteps(foreign, program);
  const resources = program.declared.length;
  if (resources === 0 && unread.length === 0) printNote("Found nothing that a program could declare.");
  if (out !== undefined && resources > 0) {
    const project = projectFiles({
      name: projectName(inventory),
      source: installedFrom(resolve(out), { own, version }),
      sdk,
    });
    refuseExisting(
      out,
      program.files.map(({ path }) => path),
    );
    const kept = writeProject(out, program.files, project);
    printNote(`${plural(resources, "resource")} in ${out}: ${program.files.map(({ path }) => path).join(", ")}`);
    for (const text of keptWords(kept)) printNote(text);
  }
  if (json === true) print(JSON.stringify({ ...jsonOf(program, unread), steps }, undefined, 2));
  else if (out === undefined && resources > 0) print(programText(program));
  for (const text of missingWords(program, unread)) printNote(text);
  for (const text of json === true ? [] : steps) printNote(text);
  if (foreign.length > 0 && migrations.length > 0) printNote(FROM_STATE);
  for (const text of previousWafWords(onPreviousWaf)) printNote(text);
  if (out !== undefined && resources > 0) printNote(nextSteps(out, program.secrets.length, migrations.length > 0));
  if (unread.length > 0) return 3;
  const isOpen =
    program.leftOut.length + program.secrets.length + (inventory.isServices === true ? 0 : program.unchecked.length) >
    0;
  const isComplete = !isOpen && migrations.every(isMigrated);
  return isComplete ? 0 : 2;
}

/** The page about the migration is part of the program, but of none that is only printed. */
function withMigration(program: GeneratedProgram, migrations: readonly Migration[], isKept: boolean): GeneratedProgram {
  if (migrations.length === 0 || !isKept) return program;
  return { ...program, files: [...program.files, { path: "MIGRATION.md", text: migrationPage(migrations) }] };
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

function jsonOf(program: GeneratedProgram, unread: readonly UnreadScope[]): object {
  const { files, declared, secrets, leftOut, unchecked } = program;
  return { resources: declared.length, files, secrets, leftOut, unchecked, notRead: unread };
}
