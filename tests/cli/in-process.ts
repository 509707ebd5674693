import { Command } from "commander";
import { addManaged } from "../../tools/cli/managed/options.js";
import { NO_PROGRESS } from "../../tools/cli/progress.js";
import { addReport } from "../../tools/cli/report/options.js";
import { unpacedClientFor } from "../support/client.js";
import type { Finished } from "./support.js";

/** Runs `report` or a command of `managed` in this process, for a service at an address, which is faster than the built command. */
export async function runInProcess(url: string, args: readonly string[]): Promise<Finished> {
  const [printed, program] = [[] as string[], new Command().exitOverride()];
  const print = (line: string): void => void printed.push(line);
  const context = {
    own: { version: "0.0.0", engines: { node: "" }, peerDependencies: { "@pulumi/pulumi": "" } },
    ...{ print, printNote: print, progress: () => NO_PROGRESS, config: () => () => undefined },
    connect: () => unpacedClientFor(url),
    openSession: () => {
      throw new Error("nothing is written");
    },
  };
  addManaged(program, context);
  addReport(program, context);
  try {
    await program.parseAsync(args, { from: "user" });
    return { code: Number(process.exitCode ?? 0), stdout: printed.map((line) => `${line}\n`).join(""), stderr: "" };
  } catch (error) {
    return { code: 1, stdout: "", stderr: (error as Error).message };
  } finally {
    process.exitCode = undefined;
  }
}
