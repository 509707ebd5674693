import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { checksumOf } from "../../../fleet/changes.js";
import type { Gate } from "../../../fleet/definition.js";
import { findFiles } from "../../../provider/files/find-files.js";
import { readUserFile } from "../../../provider/files/read-file.js";
import type { FleetOptions } from "../context.js";

/** Checksums of files that a gate reads, by their paths relative to the file of the fleet; empty for one that is not there. */
export type GateFiles = Readonly<Record<string, string>>;

/**
 * The files on which the verdict of a gate depends, as they are now: invariants, tests, a baseline that exists already, and the
 * files that a command names, also those that are not there. What such a file reads in turn is not known.
 * @param mayBeGone whether invariants, tests or scripts may be missing
 * @throws Error if they are and may not
 */
export function gateFiles(gate: Gate, { file }: Pick<FleetOptions, "file">, mayBeGone = false): GateFiles {
  const folder = resolve(dirname(file));
  const named = namedFiles(gate, (path) => resolve(folder, path), mayBeGone);
  return Object.fromEntries(named.map((path) => [relative(folder, path), isFile(path) ? checksumOfFile(path) : ""]));
}

/** Files that a gate reads now and that are not as in the plan: different, new in a folder, or gone. */
export function changedFiles(gate: Gate, planned: GateFiles, options: Pick<FleetOptions, "file">): readonly string[] {
  const now = gateFiles(gate, options, true);
  // A command may write files that it names, and a baseline can be made after the plan: only what was there counts.
  const names =
    gate.kind === "run" || gate.kind === "report" ? Object.keys(planned) : Object.keys({ ...now, ...planned });
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
    case "report":
      return [gate.baseline].map(beside).filter(isFile);
    case "run":
      return namedBy(gate.command, beside, mayBeGone);
    case "summarize":
    case "wait":
    case "approval":
      return [];
  }
}

/** The paths in a command, without those that it writes with `>`. */
function namedBy(command: string, beside: (path: string) => string, mayBeGone: boolean): readonly string[] {
  const named: string[] = [];
  for (const part of command.replace(/>+&?\s*[^\s;|&()]+/g, " ").split(/[|&;()\n]+/)) {
    const words = part.replace(/^\s*(?:\w+=\S*\s+)+/, "").match(/[^\s"'=<]+/g) ?? [];
    words.forEach((word, index) => {
      // Tools of the system have absolute paths, and differ from machine to machine.
      if (isAbsolute(word) || word.includes("://") || word.startsWith("-")) return;
      const path = beside(word);
      const isThere = isFile(path);
      if (!isThere && !mayBeGone && (SCRIPT.test(word) || (index === 0 && word.includes("/"))))
        throw new Error(
          `${word} is not there. To continue: create it, or name it relative to fleet.yaml; a command that needs other folders can be a script beside it`,
        );
      if (isThere || /[./]/.test(word)) named.push(path);
    });
  }
  return [...new Set(named)];
}

const SCRIPT = /\.(?:sh|bash|[cm]?[jt]s|py|rb|pl|php)$/;

function checksumOfFile(path: string): string {
  return checksumOf(readUserFile(path).toString("base64"));
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
