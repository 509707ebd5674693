import { execFileSync, fork } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import { startEmulator, type Emulator, type Seed } from "../../../emulator/index.js";
import type * as rulesets from "../../../provider/index.js";
import { Service, TOKEN } from "../../support/emulator.js";

const lateModules = join(__dirname, "late-modules.cjs");

/** What a program gets: the package as users import it, and Pulumi. */
export type Library = typeof rulesets & { readonly pulumi: typeof pulumi };
/**
 * A program of the engine. It runs in another process, so it may use nothing but its two parameters.
 */
export type Program<Args> = (lib: Library, args: Args) => unknown;

export type Config = Readonly<Record<string, { readonly value: string; readonly secret?: boolean }>>;

/** What a run of the engine came to. */
export interface Outcome {
  readonly ok: boolean;
  /** Everything it printed. */
  readonly text: string;
  /** Requests made meanwhile, as `GET /zones/…`. */
  readonly requests: string[];
  /** Counts by kind of step: `create`, `update`, `same` … */
  readonly changes: Readonly<Record<string, number>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}

export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
}

interface Answer {
  readonly id: number;
  readonly ok: boolean;
  readonly value?: unknown;
  readonly error?: string;
}

/** The process that runs the programs of one stack after another. */
class Runner {
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private calls = 0;
  private readonly child = fork(join(__dirname, "runner.cjs"), {
    execArgv: ["--no-warnings", "--require", lateModules],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });

  constructor() {
    this.child.on("message", (answer: Answer) => {
      this.waiting.get(answer.id)?.(answer);
      this.waiting.delete(answer.id);
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }
  /** Whether something that was asked for still runs. */
  get isBusy(): boolean {
    return this.waiting.size > 0;
  }

  async ask(operation: string, request: object): Promise<unknown> {
    const id = (this.calls += 1);
    const answer = await new Promise<Answer>((resolve) => {
      this.waiting.set(id, resolve);
      this.child.send({ id, operation, request });
    });
    if (answer.ok) return answer.value;
    throw new Error(answer.error);
  }

  kill(): void {
    this.child.kill("SIGKILL");
  }
}

/** Processes of stacks that are closed, for the next stacks of this file: a new one loads the whole SDK. */
const idle: Runner[] = [];
afterAll(() => {
  for (const runner of idle.splice(0)) runner.kill();
});

/** A stack on the real engine with a backend of files, and the emulator it talks to. */
export class EngineStack {
  readonly service: Service;
  private readonly runner = idle.pop() ?? new Runner();
  private env: Record<string, string>;

  private constructor(
    readonly emulator: Emulator,
    private readonly folder: string,
  ) {
    this.service = new Service(emulator);
    this.env = engineEnvironment(folder);
  }

  static async start(
    options: { seed?: Seed; config?: Config; token?: string; edge?: object } = {},
  ): Promise<EngineStack> {
    const { seed, token, edge } = options;
    const emulator = await startEmulator({ seed, token, ...(edge === undefined ? {} : { edge }) });
    const stack = new EngineStack(emulator, mkdtempSync(join(tmpdir(), "pulumi-rulesets-")));
    const config = {
      "rulesets:apiToken": { value: TOKEN, secret: true },
      "rulesets:baseUrl": { value: emulator.url },
      "rulesets:maxRetries": { value: "0" },
      ...options.config,
    };
    await stack.ask("start", { folder: stack.folder, env: stack.env, config });
    return stack;
  }

  private ask(operation: string, request: object): Promise<unknown> {
    return this.runner.ask(operation, request);
  }

  /** Environment variables of the engine and the provider process; undefined takes one away. */
  setEnv(env: Readonly<Record<string, string | undefined>>): void {
    const all = Object.entries({ ...this.env, ...env });
    this.env = Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
  }
  async setConfig(set: Config): Promise<void> {
    await this.ask("config", { set });
  }
  async removeConfig(...remove: string[]): Promise<void> {
    await this.ask("config", { remove });
  }

  preview<Args>(program: Program<Args>, args: Args, options: object = {}): Promise<Outcome> {
    return this.run("preview", program, args, { diff: true, ...options });
  }
  /** What `pulumi preview --json` prints, which is all of `text`. */
  previewJson<Args>(program: Program<Args>, args: Args): Promise<Outcome> {
    return this.run("preview", program, args, { json: true });
  }
  up<Args>(program: Program<Args>, args: Args, options: object = {}): Promise<Outcome> {
    return this.run("up", program, args, options);
  }
  refresh(options: object = {}): Promise<Outcome> {
    return this.run("refresh", undefined, undefined, options);
  }
  destroy(options: object = {}): Promise<Outcome> {
    return this.run("destroy", undefined, undefined, options);
  }
  /** Another command of the CLI on this stack. */
  async command(...args: string[]): Promise<string> {
    return (await this.ask("command", { args, env: this.env })) as string;
  }

  /** Runs the program of an example's folder, as it is. */
  example(what: "preview" | "up", name: string): Promise<Outcome> {
    const file = join(__dirname, "..", "..", "..", "examples", name, "index.ts");
    return this.run(what, { file }, undefined, {});
  }

  private async run(what: string, program: unknown, args: unknown, options: object): Promise<Outcome> {
    await this.service.forget();
    const source = typeof program === "function" ? program.toString() : undefined;
    const { file } = (program ?? {}) as { file?: string };
    try {
      const value = await this.ask("run", { what, source, file, args, options, env: this.env });
      const { text, changes, outputs } = value as Pick<Outcome, "text" | "changes" | "outputs">;
      return { ok: true, text: tidy(text), requests: await this.service.requests(), changes, outputs };
    } catch (error) {
      const text = tidy((error as Error).message);
      return { ok: false, text, requests: await this.service.requests(), changes: {}, outputs: {} };
    }
  }

  /**
   * Kills the engine in the middle of what it does, as `kill -9` and the system out of memory do, and nothing else.
   * Returns whether any process that it had started still runs.
   */
  killEngine(): () => boolean {
    const parents = processParents();
    const startedBy = (parent: number): number[] =>
      [...parents].flatMap(([pid, ppid]) => (ppid === parent ? [pid] : []));
    const all = (parent: number): number[] => startedBy(parent).flatMap((pid) => [pid, ...all(pid)]);
    const engines = startedBy(this.runner.pid);
    const others = engines.flatMap(all);
    if (others.length === 0) throw new Error("the engine has started nothing yet");
    for (const pid of engines) process.kill(pid, "SIGKILL");
    return () => others.some(isRunning);
  }

  /** The state file as it lies on the disk. */
  stateText(): string {
    return readFileSync(join(this.folder, ".pulumi", "stacks", "test", "dev.json"), "utf8");
  }
  /** The resources of this package in the state. */
  resources(): StateResource[] {
    const state = JSON.parse(this.stateText()) as { checkpoint: { latest: { resources?: StateResource[] } } };
    const all = state.checkpoint.latest.resources ?? [];
    return all.filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/rulesets:"));
  }
  /** Changes the state, as an older version or another tool would have left it. */
  async rewriteState(change: (text: string) => string): Promise<void> {
    const deployment = await this.ask("export", {});
    await this.ask("import", { deployment: JSON.parse(change(JSON.stringify(deployment))) as unknown });
  }

  async close(): Promise<void> {
    if (this.runner.isBusy) this.runner.kill();
    else idle.push(this.runner);
    await this.emulator.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Every process of this machine with its parent: from /proc, and from `ps` where there is none. */
function processParents(): Map<number, number> {
  const pairs = existsSync("/proc/self/stat")
    ? readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .map((name) => [Number(name), Number(statOf(name)?.[2] ?? 0)] as const)
    : execFileSync("ps", ["-axo", "pid=,ppid="], { encoding: "utf8" })
        .trim()
        .split("\n")
        .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  return new Map(pairs);
}

/** State and parent of a process. */
function statOf(pid: string): RegExpExecArray | null {
  try {
    return /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return null;
  }
}

/** A process that ended and that nobody has asked after yet counts as ended. */
function isRunning(pid: number): boolean {
  if (existsSync("/proc/self/stat")) return /^[^ZX]$/.test(statOf(String(pid))?.[1] ?? "Z");
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** What was printed, without the harmless warning on where the dynamic host was found. */
function tidy(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.includes("using pulumi-resource-pulumi-nodejs from $PATH"))
    .join("\n");
}

/** No credentials of this machine, no update check, and a home of its own. */
function engineEnvironment(folder: string): Record<string, string> {
  return {
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    NODE_OPTIONS: `--require "${lateModules}"`,
    CLOUDFLARE_API_TOKEN: "",
    CLOUDFLARE_API_KEY: "",
    CLOUDFLARE_EMAIL: "",
    RULESETS_API_TOKEN: "",
    RULESETS_BASE_URL: "",
    CLOUDFLARE_BASE_URL: "",
    RULESETS_ON_CONFLICT: "",
    RULESETS_MAX_REMOVED_PERCENT: "",
  };
}
