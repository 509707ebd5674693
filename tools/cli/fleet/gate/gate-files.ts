import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { checksumOf } from "../../../fleet/changes.js";
import type { Gate } from "../../../fleet/definition.js";
import { findFiles } from "../../../rules-files/text/find-files.js";
import { readUserFile } from "../../../rules-files/text/read-file.js";
import type { FleetOptions } from "../context.js";

/** Checksums of files that a gate reads, by their paths relative to the file of the fleet. */
type GateFiles = Readonly<Record<string, string>>;

/**
 * The files on which the verdict of a gate depends, as they are now: invariants, tests, and the files that a command
 * names. What such a file reads in turn is not known.
 * @param mayBeGone whether invariants or tests may be missing
 * @throws Error if they are and may not
 */
export function gateFiles(gate: Gate, { file }: Pick<FleetOptions, "file">, mayBeGone = false): GateFiles {
  const folder = resolve(dirname(file));
  const named = namedFiles(gate, (path) => resolve(folder, path), mayBeGone);
  return Object.fromEntries(named.map((path) => [relative(folder, path), checksumOfFile(path)]));
}

/** Files that a gate reads now and that are not as in the plan: different, new in a folder, or gone. */
export function changedFiles(gate: Gate, planned: GateFiles, options: Pick<FleetOptions, "file">): readonly string[] {
  const now = gateFiles(gate, options, true);
  const names = Object.keys({ ...now, ...planned });
  return names.filter((name) => (now[name] ?? "") !== (planned[name] ?? "")).sort();
}

function namedFiles(gate: Gate, beside: (path: string) => string, mayBeGone: boolean): readonly string[] {
  const found = (paths: readonly string[], ending: string, what: string): readonly string[] =>
    findFiles(paths.map(beside), { ending, what, mayBeGone });
  switch (gate.kind) {
    case "prove":
      return found(gate.files, "invariants", "invariants");
    case "test":
      return found(gate.files, "firewall", "tests");
    case "run":
      return namedBy(gate.command, beside);
    case "summarize":
    case "wait":
    case "approval":
      return [];
  }
}

/** The files that a command names, relative to that of the fleet, without those that it writes with `>`. */
function namedBy(command: string, beside: (path: string) => string): readonly string[] {
  const words = command.replace(/>+\s*[^\s;|&]+/g, " ").split(/[\s'"=;|&()<]+/);
  const files = words.filter((word) => word !== "" && !isAbsolute(word)).map(beside);
  return [...new Set(files.filter(isFile))];
}

function checksumOfFile(path: string): string {
  return checksumOf(readUserFile(path).toString("base64"));
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
