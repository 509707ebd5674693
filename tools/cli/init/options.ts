import { join } from "node:path";
import { Option, type Command } from "commander";
import type { CommandContext } from "../context.js";
import { DEFAULT_ZONE, LANGUAGES, languageNamed, PIPELINES } from "./choices.js";
import type { InitCommand } from "./command.js";

/** What is typed: a language may have its short name. */
type TypedOptions = Omit<InitCommand, "language"> & { readonly language?: string };

/** Adds `init`. */
export function addInit(program: Command, { own, print }: CommandContext): void {
  program
    .command("init")
    .description("write a new project that works on the emulator first, with tests and a pipeline; overwrites nothing")
    .argument("[folder]", "where to write it; default: this folder")
    .option("--name <name>", "name of the project; default: that of the folder")
    .option("--zone <name>", `name of the zone that it protects; default: ${DEFAULT_ZONE}, for the emulator`)
    .addOption(
      new Option("--language <language>", "language of the program; default: typescript").choices([...LANGUAGES, "ts"]),
    )
    .addOption(new Option("--pipeline <service>", "CI service of the pipeline; default: github").choices(PIPELINES))
    .option("-y, --yes", "take the defaults without asking")
    .addHelpText(
      "after",
      `
Prompts for missing options in a terminal. An existing package.json is kept, and completed.

Exit codes:
  0  the project is written
  1  any error; then nothing is written`,
    )
    .action(async (folder: string | undefined, { language, ...options }: TypedOptions) => {
      const { runInit } = await import("./command.js");
      const named = language === undefined ? undefined : languageNamed(language);
      await runInit(folder, named === undefined ? options : { ...options, language: named }, {
        print,
        version: own.version,
        own: join(__dirname, "..", "..", "..", ".."),
        folder: process.cwd(),
        stdin: process.stdin,
        stdout: process.stdout,
      });
    });
}
