import { join } from "node:path";
import { Option, type Command } from "commander";
import type { CommandContext } from "../context.js";
import { DEFAULT_ZONE, LANGUAGES, PIPELINES } from "./choices.js";
import type { InitCommand } from "./command.js";

/** Adds `init`. */
export function addInit(program: Command, { own, print }: CommandContext): void {
  program
    .command("init")
    .description("write a new project that works on the emulator first, with tests and a pipeline; overwrites nothing")
    .argument("[folder]", "where to write it; default: this folder")
    .option("--name <name>", "name of the project; default: that of the folder")
    .option("--zone <name>", "name of the zone to protect; the emulator has the default one", DEFAULT_ZONE)
    .addOption(new Option("--language <language>", "language of the program").choices(LANGUAGES).default(LANGUAGES[0]))
    .addOption(
      new Option("--pipeline <service>", "CI service of the pipeline").choices(PIPELINES).default(PIPELINES[0]),
    )
    .addHelpText(
      "after",
      `
An existing package.json is kept, and completed.

Exit codes:
  0  the project is written
  1  any error; then nothing is written`,
    )
    .action(async (folder: string | undefined, options: InitCommand) => {
      const { runInit } = await import("./command.js");
      runInit(folder, options, {
        print,
        version: own.version,
        own: join(__dirname, "..", "..", "..", ".."),
        folder: process.cwd(),
      });
    });
}
