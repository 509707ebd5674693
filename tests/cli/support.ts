import { execFile, fork, type ChildProcess } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { temporaryFolder } from "../support/temporary-folder.js";

export const root = join(__dirname, "..", "..");
export const main = join(root, "dist", "tools", "cli", "main.js");

/** Node's compile cache, shared by every process that the tests start. */
const COMPILED = join(root, "node_modules", ".cache", "compiled");

/** Loads what programs seldom use, such as the TypeScript compiler, only when they do. */
const LOAD_LATE = `--require "${join(root, "tests", "e2e", "support", "load-late.cjs")}"`;

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command runs with, and each process that it starts. */
export const environment = (env: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_COMPILE_CACHE: COMPILED,
  NODE_OPTIONS: LOAD_LATE,
  ...env,
});

/** Runs the built command in a process of its own. */
export function cliProcess(args: readonly string[], env: Record<string, string> = {}, cwd = root): Promise<Finished> {
  const options = { cwd, env: environment(env), maxBuffer: 1e8 };
  return new Promise((done) => {
    execFile(process.execPath, ["--no-warnings", main, ...args], options, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** Collects what a stream has until the mark at the end of a command; returns that with the exit code, which the mark names. */
async function untilMark(stream: Readable | null): Promise<readonly [string, number]> {
  let text = "";
  for (;;) {
    const [chunk] = (await once(stream ?? new EventEmitter(), "data")) as [string];
    text += chunk;
    const [, printed, code] = /^([^]*)\0(\d+)\0$/.exec(text) ?? [];
    if (printed !== undefined) return [printed, Number(code)];
  }
}

let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();
afterAll(async () => {
  if (host === undefined) return;
  const ended = once(host, "exit");
  host.kill("SIGKILL");
  await ended;
});

async function runInHost(args: readonly string[], env: Record<string, string>, cwd: string): Promise<Finished> {
  if (host === undefined) {
    const options = { env: environment({}), execArgv: ["--no-warnings"], silent: true };
    host = fork(join(root, "tests", "support", "command-host.cjs"), [], options);
    host.stdout?.setEncoding("utf8");
    host.stderr?.setEncoding("utf8");
  }
  const printed = Promise.all([untilMark(host.stdout), untilMark(host.stderr)]);
  host.send({ args, env: environment(env), cwd });
  const [[stdout, code], [stderr]] = await printed;
  return { code, stdout, stderr };
}

/**
 * Runs the built command in the process that runs all commands of a test file, one after the other: loading the command takes most
 * of the time of a process of its own.
 */
export function cli(args: readonly string[], env: Record<string, string> = {}, cwd = root): Promise<Finished> {
  const finished = last.then(() => runInHost(args, env, cwd));
  last = finished;
  return finished;
}

/** What the built command prints to its standard output in a real terminal of some width, by `script` of util-linux, which Debian always has. */
export function inTerminal(
  args: readonly string[],
  columns: number,
  env: Record<string, string>,
  typed?: string,
  errors = "/dev/null",
): Promise<string> {
  const unset = { COLUMNS: undefined, NO_COLOR: undefined, FORCE_COLOR: undefined, CI: undefined };
  const quoted = [process.execPath, "--no-warnings", main, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const command = `stty cols ${String(columns)} rows 24; ${quoted.join(" ")} 2>${errors}`;
  const options = {
    cwd: root,
    env: { ...process.env, ...unset, NODE_COMPILE_CACHE: COMPILED, TERM: "xterm-256color", ...env },
  };
  return new Promise((done) => {
    const { stdin } = execFile("script", ["-qec", command, "/dev/null"], options, (_, stdout) => {
      done(stdout.replaceAll("\r\n", "\n"));
    });
    stdin?.end(typed);
  });
}

/** Writes files into a new folder, and returns its path. */
export function folder(files: Readonly<Record<string, unknown>>): string {
  const path = temporaryFolder();
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
  const options = { cwd, env: environment(env) };
  return new Promise((done) => {
    const args = ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script];
    execFile("bash", args, options, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
