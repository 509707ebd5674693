#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { runEmulator, type EmulatorCommand } from "./emulator.js";

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** From the package this file lies in, at `dist/cli/`. */
function packageVersion(): string {
  const text = readFileSync(join(__dirname, "..", "..", "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

const program = new Command("pulumi-rulesets")
  .description("Rulesets of the Cloudflare API v4: tools beside the Pulumi package")
  .version(packageVersion())
  .showHelpAfterError();

program
  .command("emulator")
  .description("run the rulesets service on this machine, to try and to test stacks offline")
  .option("-p, --port <number>", "port to listen on; 0 takes a free one", "8787")
  .option("--host <address>", "loopback address to bind to", "127.0.0.1")
  .option("--state <file>", "keep everything in this file across restarts")
  .option("--seed <file>", "start with what this JSON file describes")
  .option("--token <token>", "let in this token only")
  .action((options: EmulatorCommand) => runEmulator(options, print));

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`pulumi-rulesets: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
