#!/usr/bin/env node
import "../provider/runtime/needed-node.js";
import { messageOf } from "../provider/model/errors.js";
import { NoAnswer } from "../rules-files/no-answer.js";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Command, type Help } from "commander";
import { addCertificates } from "./certificates/options.js";
import { columnsOf } from "./columns.js";
import type { CommandContext } from "./context.js";
import { addDoctor } from "./doctor/options.js";
import type { OwnPackage } from "./doctor/facts.js";
import { addDrift } from "./drift/options.js";
import { addEmulator } from "./emulator/options.js";
import { addFleet } from "./fleet/options.js";
import { addGenerate } from "./generate/options.js";
import { addManaged } from "./managed/options.js";
import { addLanguageServer } from "./language-server/options.js";
import { addInit } from "./init/options.js";
import { addMigration } from "./migration/options.js";
import { progressBar } from "./progress.js";
import { addReport } from "./report/options.js";
import { addRules } from "./rules/options.js";
import { addSummarize } from "./summarize/options.js";
import { addVersions } from "./versions/options.js";
import { wrapText } from "./wrap.js";

const load = createRequire(__filename);

/** The package this file lies in, at `dist/cli/`. */
function readPackage(): OwnPackage {
  return JSON.parse(readFileSync(join(__dirname, "..", "..", "package.json"), "utf8")) as OwnPackage;
}

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
  connect: (options, connection) => {
    const { connect } = load("./connect.js") as typeof import("./connect.js");
    return connect(options, process.env, printNote, connection);
  },
  openSession: (options) => {
    const { openSession } = load("./connect.js") as typeof import("./connect.js");
    return openSession(options, process.env, { print, printNote });
  },
};
const { own, print, printNote, columns } = context;

// A reader such as `head` may close the output early. The command still ends with its exit code.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return;
  printNote(`pulumi-rulesets: the output cannot be written: ${error.message}`);
  process.exit(1);
});
// Nobody is left to tell.
process.stderr.on("error", () => undefined);

/** Narrower terminals have no room for a description beside the option that it is about. */
const NARROW = 60;

/** An option or a command of the help, with its description below it. */
function belowTerm(term: string, _width: number, description: string, help: Help): string {
  const indent = " ".repeat(6);
  const text = help.boxWrap(description, (help.helpWidth ?? NARROW) - indent.length);
  return `  ${term}\n${text.replace(/^(?=.)/gm, indent)}`;
}

const program = new Command("pulumi-rulesets")
  .description("Command-line tools for Cloudflare rulesets, alongside the Pulumi package")
  .version(own.version)
  // Also the help of a narrow terminal is wrapped, and what commands add to it.
  .configureHelp({
    minWidthToWrap: 20,
    ...(columns !== undefined && columns < NARROW ? { formatItem: belowTerm } : {}),
  })
  .configureOutput({
    getOutHelpWidth: () => columns ?? 80,
    writeOut: (text) => process.stdout.write(wrapText(text, columns)),
  })
  .showHelpAfterError("To see the usage, run the command with --help.");

// In the order of the help.
for (const add of [
  addInit,
  addEmulator,
  addMigration,
  addCertificates,
  addRules,
  addGenerate,
  addReport,
  addManaged,
  addSummarize,
  addDrift,
  addVersions,
  addFleet,
  addDoctor,
  addLanguageServer,
])
  add(program, context);

program.parseAsync().catch((error: unknown) => {
  // Only a terminal has columns.
  const { columns: width } = process.stderr as { readonly columns?: number };
  // Node's message says nothing about the input, which is the only thing that nests so deeply.
  const isTooDeep = error instanceof RangeError && error.message.includes("call stack");
  const message = isTooDeep ? "a file is not read, because its values are nested too deeply" : messageOf(error);
  printNote(wrapText(`pulumi-rulesets: ${message}`, width));
  process.exitCode = error instanceof NoAnswer ? 3 : 1;
});
