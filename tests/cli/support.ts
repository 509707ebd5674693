import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const root = join(__dirname, "..", "..");

/** What Node has compiled of the libraries, for every process of a run of the tests. */
const COMPILED = join(root, "node_modules", ".cache", "compiled");

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command as it is installed. */
export function cli(args: readonly string[], env: Record<string, string> = {}, cwd = root): Promise<Finished> {
  const file = join(root, "dist", "cli", "main.js");
  return new Promise((done) => {
    const options = { cwd, env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, ...env }, maxBuffer: 1e8 };
    execFile(process.execPath, ["--no-warnings", file, ...args], options, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** Writes files into a new folder, and hands back its path. */
export function folder(files: Readonly<Record<string, unknown>>): string {
  const path = mkdtempSync(join(tmpdir(), "rules-cli-"));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(path, name), typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
  }
  return path;
}
