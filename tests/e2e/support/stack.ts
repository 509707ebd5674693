import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import type { Emulator, Seed } from "../../../emulator/index.js";
import type * as rulesets from "../../../provider/index.js";
import { whenDone } from "../../support/cleanup.js";
import { Service, TOKEN } from "../../support/emulator.js";
import { emulatorWith } from "../../support/emulators.js";
import { until } from "../../support/patience.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const loadLate = join(__dirname, "load-late.cjs");
const virtualTime = join(__dirname, "virtual-time.cjs");

/** What a program gets: the package as users import it, and Pulumi. */
export type Library = typeof rulesets & { readonly pulumi: typeof pulumi };
/** A Pulumi program. It runs in another process, so it can use only its two parameters. */
export type Program<Args> = (lib: Library, args: Args) => unknown;

export type Config = Readonly<Record<string, { readonly value: string; readonly secret?: boolean }>>;

export interface StackOptions {
  readonly seed?: Seed;
  readonly config?: Config;
  readonly token?: string;
  readonly edge?: object;
  /** Whether waiting for the service moves the clocks of the provider process and the emulator, instead of taking time. */
  readonly virtualTime?: boolean;
}

/** The result of an operation of the engine. */
export interface Outcome {
  readonly ok: boolean;
  /** Everything it printed. */
  readonly text: string;
  /** The requests it made, as `GET /zones/…`. */
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
  /** Where the program declares it, as a URI. */
  readonly sourcePosition?: string;
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
    execArgv: ["--no-warnings", "--require", loadLate],
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
  /** Whether an operation is still running. */
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

  /** Ends the process, and waits for it: until then, it keeps the process of the tests alive. */
  async kill(): Promise<void> {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null) return;
    const ended = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await ended;
  }
}

/** Processes of closed stacks, for later stacks of this file: a new process has to load the whole SDK. */
const idle: Runner[] = [];
afterAll(() => Promise.all(idle.splice(0).map((runner) => runner.kill())));

/** A stack on the real engine with a file backend, and the emulator that it uses. */
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

  static async start(options: StackOptions = {}): Promise<EngineStack> {
    const { seed, token, edge } = options;
    const emulator = await emulatorWith({ seed, token, ...(edge === undefined ? {} : { edge }) });
    const stack = new EngineStack(emulator, temporaryFolder());
    whenDone(() => stack.close());
    if (options.virtualTime === true) {
      stack.setEnv({ NODE_OPTIONS: preloading(loadLate, virtualTime), E2E_SERVICE: emulator.url });
    }
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

  /** Sets environment variables of the engine and the provider process; undefined removes one. */
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
  /** Runs `pulumi preview --json`; `text` contains its output. */
  previewJson<Args>(program: Program<Args>, args: Args, options: object = {}): Promise<Outcome> {
    return this.run("preview", program, args, { json: true, ...options });
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
  /** Runs another `pulumi` command on this stack. */
  async command(...args: string[]): Promise<string> {
    return (await this.ask("command", { args, env: this.env })) as string;
  }

  /** Runs a command of this package in the folder of the project. */
  async tool(...args: string[]): Promise<{ readonly code: number; readonly text: string }> {
    return (await this.ask("tool", { args, env: this.env })) as { readonly code: number; readonly text: string };
  }

  private async run(what: string, program: unknown, args: unknown, options: object): Promise<Outcome> {
    await this.service.forget();
    const source = typeof program === "function" ? program.toString() : undefined;
    try {
      const value = await this.ask("run", { what, source, args, options, env: this.env });
      const { text, changes, outputs } = value as Pick<Outcome, "text" | "changes" | "outputs">;
      return { ok: true, text: tidy(text), requests: await this.service.requests(), changes, outputs };
    } catch (error) {
      const text = tidy((error as Error).message);
      return { ok: false, text, requests: await this.service.requests(), changes: {}, outputs: {} };
    }
  }

  /**
   * Kills only the engine, in the middle of an operation, as `kill -9` or a lack of memory would. Waits until every process
   * that the engine had started has ended; requests that are held get their responses.
   * @param isDue whether it is time to kill the engine; by default, once every fault has met a request
   */
  async killDuring(
    running: Promise<Outcome>,
    isDue = async (): Promise<boolean> => (await this.service.faultsLeft()) === 0,
  ): Promise<Outcome> {
    const ended: Outcome[] = [];
    void running.then((outcome) => ended.push(outcome));
    await until(async () => ended.length > 0 || (await isDue()));
    if (ended.length > 0) throw new Error(`the run ended before it was to be killed: ${ended[0]?.text ?? ""}`);
    const isAnyRunning = this.killEngine();
    await this.service.noFaults();
    const outcome = await running;
    await until(() => !isAnyRunning());
    return outcome;
  }
  /** Kills the engine; returns a check whether any process that it had started is still running. */
  private killEngine(): () => boolean {
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

  /** The text of the state file. */
  stateText(): string {
    return readFileSync(join(this.folder, ".pulumi", "stacks", "test", "dev.json"), "utf8");
  }
  /** The resources of this package in the state. */
  resources(): StateResource[] {
    const state = JSON.parse(this.stateText()) as { checkpoint: { latest: { resources?: StateResource[] } } };
    const all = state.checkpoint.latest.resources ?? [];
    return all.filter(({ type }) => /^(pulumi-nodejs:dynamic\/rulesets|rulesets:index):/.test(type));
  }
  /** Changes the state to what an older version, another tool or a killed run would have left. */
  async rewriteState(change: (text: string) => string): Promise<void> {
    const deployment = await this.ask("export", {});
    await this.ask("import", { deployment: JSON.parse(change(JSON.stringify(deployment))) as unknown });
  }

  private async close(): Promise<void> {
    if (this.runner.isBusy) await this.runner.kill();
    else idle.push(this.runner);
  }
}

/** The parent of every process on this machine: from /proc, or from `ps` where /proc does not exist. */
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

/** The state (group 1) and the parent (group 2) of a process. */
function statOf(pid: string): RegExpExecArray | null {
  try {
    return /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return null;
  }
}

/** Whether a process is running. A zombie is not: it has ended, and only its parent has not noticed yet. */
function isRunning(pid: number): boolean {
  if (existsSync("/proc/self/stat")) return /^[^ZX]$/.test(statOf(String(pid))?.[1] ?? "Z");
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The output without the harmless warning about where the dynamic provider was found. */
function tidy(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.includes("using pulumi-resource-pulumi-nodejs from $PATH"))
    .join("\n");
}

/** The value of NODE_OPTIONS that loads modules first. */
function preloading(...modules: readonly string[]): string {
  return modules.map((path) => `--require "${path}"`).join(" ");
}

/** Environment variables for an engine with its own home folder, without credentials of this machine and update checks. */
function engineEnvironment(folder: string): Record<string, string> {
  return {
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    NODE_OPTIONS: preloading(loadLate),
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
