import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { checksumOf } from "../../../fleet/changes.js";
import type { Gate } from "../../../fleet/definition.js";
import { findFiles } from "../../../provider/files/find-files.js";
import { readUserFile } from "../../../provider/files/read-file.js";
import type { FleetOptions } from "../context.js";

/** Checksums of files that a gate reads, by their paths relative to the file of the fleet. */
export type GateFiles = Readonly<Record<string, string>>;

/**
 * The files on which the verdict of a gate depends, as they are now: invariants, tests, a baseline that exists already, and the
 * files that a command names. What such a file reads in turn is not known.
 * @throws Error if there are no invariants or tests
 */
export function gateFiles(gate: Gate, { file }: Pick<FleetOptions, "file">): GateFiles {
  const folder = resolve(dirname(file));
  const named = namedFiles(gate, (path) => resolve(folder, path));
  return Object.fromEntries(named.map((path) => [relative(folder, path), checksumOfFile(path)]));
}

/** Files of a plan that are different now, or gone. */
export function changedFiles(planned: GateFiles, { file }: Pick<FleetOptions, "file">): readonly string[] {
  return Object.entries(planned).flatMap(([name, checksum]) => {
    const path = resolve(dirname(file), name);
    return isFile(path) && checksumOfFile(path) === checksum ? [] : [name];
  });
}

function namedFiles(gate: Gate, beside: (path: string) => string): readonly string[] {
  switch (gate.kind) {
    case "prove":
      return findFiles(gate.files.map(beside), { ending: "invariants", what: "invariants" });
    case "test":
      return findFiles(gate.files.map(beside), { ending: "firewall", what: "tests" });
    case "report":
      return [gate.baseline].map(beside).filter(isFile);
    case "run":
      // Tools of the system have absolute paths, and differ from machine to machine.
      return (gate.command.match(/[^\s"'=<>|&;()]+/g) ?? [])
        .filter((word) => !isAbsolute(word))
        .map(beside)
        .filter(isFile);
    case "summarize":
    case "wait":
    case "approval":
      return [];
  }
}

function checksumOfFile(path: string): string {
  return checksumOf(readUserFile(path).toString("base64"));
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
