import { Command, type Help } from "commander";
import { addCertificates } from "./certificates/options.js";
import { addDoctor } from "./doctor/options.js";
import { addDrift } from "./drift/options.js";
import { addEmulator } from "./emulator/options.js";
import { addFleet } from "./fleet/options.js";
import { addGenerate } from "./generate/options.js";
import { addManaged } from "./managed/options.js";
import { addLanguageServer } from "./language-server/options.js";
import { addInit } from "./init/options.js";
import { addMigration } from "./migration/options.js";
import { addReport } from "./report/options.js";
import { addRules } from "./rules/options.js";
import { addSummarize } from "./summarize/options.js";
import { addVerify } from "./verify/options.js";
import { addVersions } from "./versions/options.js";
import type { CommandContext } from "./context.js";
import { wrapText } from "./wrap.js";

/** Narrower terminals have no room for a description beside the option that it is about. */
const NARROW = 60;

/** An option or a command of the help, with its description below it. */
function belowTerm(term: string, _width: number, description: string, help: Help): string {
  const indent = " ".repeat(6);
  const text = help.boxWrap(description, (help.helpWidth ?? NARROW) - indent.length);
  return `  ${term}\n${text.replace(/^(?=.)/gm, indent)}`;
}

/** The whole tree of commands. */
export function createProgram(context: CommandContext): Command {
  const { own, columns } = context;
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
    addVerify,
    addLanguageServer,
  ])
    add(program, context);
  refuseOptionsOfGroups(program);
  return program;
}

/**
 * A command with sub-commands takes the options that it shares with one of them for its own, wherever they are written, so only
 * commands without any may have options.
 * @throws Error that names such a command
 */
export function refuseOptionsOfGroups(group: Command): void {
  for (const command of group.commands.filter(({ commands }) => commands.length > 0)) {
    const [option] = command.options;
    if (option !== undefined)
      throw new Error(`${command.name()} has sub-commands, so it cannot have the option ${option.flags}`);
    refuseOptionsOfGroups(command);
  }
}
