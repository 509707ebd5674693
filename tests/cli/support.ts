import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const root = join(__dirname, "..", "..");

/** Node's compile cache, shared by every process that the tests start. */
const COMPILED = join(root, "node_modules", ".cache", "compiled");

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command in a process of its own. */
export function cli(args: readonly string[], env: Record<string, string> = {}, cwd = root): Promise<Finished> {
  const file = join(root, "dist", "cli", "main.js");
  return new Promise((done) => {
    const options = { cwd, env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, ...env }, maxBuffer: 1e8 };
    execFile(process.execPath, ["--no-warnings", file, ...args], options, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** What the built command prints to its standard output in a real terminal of some width, by `script` of util-linux, which Debian always has. */
export function inTerminal(args: readonly string[], columns: number, env: Record<string, string>): Promise<string> {
  const unset = { COLUMNS: undefined, NO_COLOR: undefined, FORCE_COLOR: undefined, CI: undefined };
  const quoted = [process.execPath, "--no-warnings", join(root, "dist", "cli", "main.js"), ...args].map(
    (word) => `'${word.replaceAll("'", "'\\''")}'`,
  );
  const command = `stty cols ${String(columns)} rows 24; ${quoted.join(" ")} 2> /dev/null`;
  const options = {
    cwd: root,
    env: { ...process.env, ...unset, NODE_COMPILE_CACHE: COMPILED, TERM: "xterm-256color", ...env },
  };
  return new Promise((done) => {
    const { stdin } = execFile("script", ["-qec", command, "/dev/null"], options, (_, stdout) => {
      done(stdout.replaceAll("\r\n", "\n"));
    });
    stdin?.end();
  });
}

/** Writes files into a new folder, and returns its path. */
export function folder(files: Readonly<Record<string, unknown>>): string {
  const path = mkdtempSync(join(tmpdir(), "rules-cli-"));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(path, name), typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
  }
  return path;
}

/** The path of a file in a new folder. The file exists only if content is given. */
export function newFile(name: string, content?: unknown): string {
  return join(folder(content === undefined ? {} : { [name]: content }), name);
}

/** Runs a shell script, as a runner of GitHub runs a step. */
export function shell(script: string, env: Readonly<Record<string, string>>, cwd = root): Promise<Finished> {
  const options = { cwd, env: { ...process.env, ...env } };
  return new Promise((done) => {
    const args = ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script];
    execFile("bash", args, options, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
