import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { checksumOf } from "../../../fleet/changes.js";
import type { Gate } from "../../../fleet/definition.js";
import { findFiles } from "../../../rules-files/text/find-files.js";
import { readUserFile } from "../../../rules-files/text/read-file.js";
import type { FleetOptions } from "../context.js";

/** Checksums of files that a gate reads, by their paths relative to the file of the fleet; empty for one that is not there. */
type GateFiles = Readonly<Record<string, string>>;

/**
 * The files on which the verdict of a gate depends, as they are now: invariants, tests, a baseline that exists already, and the
 * files that a command names, also those that are not there. What such a file reads in turn is not known.
 * @param mayBeGone whether invariants, tests or scripts may be missing
 * @throws Error if they are and may not, or if a script that is run by its path is not executable
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

/** The paths in a command, without those that it writes with `>`. Only a shell knows what a word with a pattern or a variable is. */
function namedBy(command: string, beside: (path: string) => string, mayBeGone: boolean): readonly string[] {
  const named: string[] = [];
  for (const all of commandsIn(command)) {
    const words = all.slice(all.findIndex((word) => !/^\w+=/.test(word)));
    const script = scriptAt(words);
    words.forEach((word, index) => {
      if (/^-[eux]*c$/.test(words[index - 1] ?? "") && SHELL.test(words[index - 2] ?? "")) {
        named.push(...namedBy(word, beside, mayBeGone));
        return;
      }
      // Also the value of an option: `--limits=limits.json`.
      const name = word.replace(/^--?[\w-]+=/, "");
      // Tools of the system have absolute paths, and differ from machine to machine.
      if (/[*?[{$`]|^~|^-|:\/\//.test(name) || name === "" || isAbsolute(name)) return;
      const path = beside(name);
      const isThere = isFile(path);
      // Node takes a folder, and a name without `.js`.
      const isFound = existsSync(path) || existsSync(`${path}.js`);
      const isScript =
        index === script || (SCRIPT.test(name) && !/\s/.test(name)) || (index === 0 && name.includes("/"));
      if (!isFound && !mayBeGone && isScript)
        throw new Error(
          `${name} is not there. To continue: create it, or name it relative to fleet.yaml; a command that needs other folders can be a script beside it`,
        );
      if (isThere && !mayBeGone && index === 0 && name.includes("/") && !isExecutable(path))
        throw new Error(
          `${name} is not executable. To continue: \`chmod +x ${name}\`, or name what runs it, such as \`sh ${name}\``,
        );
      if (isThere || /[./]/.test(name)) named.push(path);
    });
  }
  return [...new Set(named)];
}

/** The words of each simple command, without quotes and without the files that it writes. */
function commandsIn(text: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let isWritten = false;
  for (const [token] of text.matchAll(/[|&;()\n]+|>+&?|(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s|&;()<>'"\\])+/gs)) {
    if (/^[|&;()\n]/.test(token)) commands.push([]);
    else if (!token.startsWith(">") && !isWritten)
      commands.at(-1)?.push(token.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, "$1$2$3"));
    isWritten = token.startsWith(">");
  }
  return commands.filter((words) => words.some((word) => !/^\w+=/.test(word)));
}

/** Where the script is that an interpreter runs; -1 if options leave it open. */
function scriptAt([interpreter = "", ...rest]: readonly string[]): number {
  if (!SHELL.test(interpreter) && interpreter !== "node" && interpreter !== "python3") return -1;
  const first = rest.findIndex((word) => !(SHELL.test(interpreter) && /^-[eux]+$/.test(word)));
  return first === -1 ? -1 : first + 1;
}

const SHELL = /^(?:ba)?sh$/;
const SCRIPT = /\.(?:sh|bash|[cm]?[jt]s|py|rb|pl|php)$/;

function checksumOfFile(path: string): string {
  return checksumOf(readUserFile(path).toString("base64"));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
