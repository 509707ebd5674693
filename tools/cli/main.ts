#!/usr/bin/env node
import "../../provider/border/needed-node.js";
import { messageOf } from "../../core/model/errors.js";
import { late } from "../../core/model/late.js";
import type { ConfigReader } from "../../provider/settings.js";
import { NoAnswer } from "../rules-files/no-answer.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandContext } from "./context.js";
import type { OwnPackage } from "./doctor/facts.js";
import { createProgram } from "./program.js";
import { progressBar } from "./progress.js";
import { columnsOf, wrapText } from "./wrap.js";

/** Only for what calls the service. */
const loadConnect = late<typeof import("./connect.js")>(() => require("./connect.js"));
const loadSettings = late<typeof import("./project/settings.js")>(() => require("./project/settings.js"));

/** The package this file lies in, at `dist/tools/cli/`. */
function readPackage(): OwnPackage {
  return JSON.parse(readFileSync(join(__dirname, "..", "..", "..", "package.json"), "utf8")) as OwnPackage;
}

/** Settings of stacks that were read. */
const settings = new Map<string, ConfigReader>();

const context: CommandContext = {
  own: readPackage(),
  print: (line) => {
    process.stdout.write(`${line}\n`);
  },
  printNote: (line) => {
    process.stderr.write(`${line}\n`);
  },
  columns: columnsOf(process.stdout, process.env),
  progress: () => progressBar(process.stderr, process.env),
  config:
    ({ stack }, folder) =>
    (key) => {
      const id = JSON.stringify([folder, stack]);
      const read = settings.get(id) ?? loadSettings().settingsFor(folder, stack, process.env);
      settings.set(id, read);
      return read(key);
    },
  connect: (options, { folder = ".", ...connection } = {}) =>
    loadConnect().connect(options, process.env, printNote, { config: config(options, folder), ...connection }),
  openSession: (options) =>
    loadConnect().openSession(options, process.env, { print, printNote, config: config(options, ".") }),
};
const { print, printNote, config } = context;

// A reader such as `head` may close the output early. The command still ends with its exit code.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return;
  printNote(`pulumi-rulesets: the output cannot be written: ${error.message}`);
  process.exit(1);
});
// Nobody is left to tell.
process.stderr.on("error", () => undefined);

createProgram(context)
  .parseAsync()
  .catch((error: unknown) => {
    // Node's message says nothing about the input, which is the only thing that nests so deeply.
    const isTooDeep = error instanceof RangeError && error.message.includes("call stack");
    const message = isTooDeep ? "a file was not read, because its values are nested too deeply" : messageOf(error);
    printNote(wrapText(`pulumi-rulesets: ${message}`, columnsOf(process.stderr, {})));
    if (process.argv.includes("--json")) print(JSON.stringify({ error: message }, undefined, 2));
    process.exitCode = error instanceof NoAnswer ? 3 : 1;
  });
