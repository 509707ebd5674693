import type { Command } from "commander";
import type { CommandContext } from "../context.js";
import type { EmulatorCommand } from "./command.js";

/** Adds `emulator`. */
export function addEmulator(program: Command, { print }: CommandContext): void {
  program
    .command("emulator")
    .description("run the rulesets service on this machine, for trying and testing stacks offline")
    .option("-p, --port <number>", "port to listen on; 0 picks a free one", "8787")
    .option("--host <address>", "loopback address to bind to", "127.0.0.1")
    .option("--state <file>", "keep everything in this file across restarts; default: in memory only")
    .option("--edge-port <number>", "serve HTTP as the zones would, on this port; 0 picks a free one")
    .option("--origin <url>", "origin for requests that no rule stops; default: echo them")
    .option("--dns-port <number>", "serve the CAA records of the seed over DNS, on this UDP port; 0 picks a free one")
    .option("--seed <file>", "JSON file of the initial state")
    .option("--token <token>", "accept only this token")
    .addHelpText(
      "after",
      `
Examples:
  npx pulumi-rulesets emulator --state rulesets.db
      keeps zones and rules until the file is deleted
  npx pulumi-rulesets emulator --seed zones.json --edge-port 8788
      starts with the zones of a file, and sends the requests to port 8788 through their rules

It prints how to point a stack at it, and the address of a page that shows what it does. Ctrl-C ends it.
docs/emulator.md describes the seed.

Exit codes:
  0  it was stopped
  1  any error`,
    )
    .action(async (options: EmulatorCommand) => {
      const { runEmulator } = await import("./command.js");
      await runEmulator(options, print);
    });
}
