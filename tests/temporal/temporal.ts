import { spawn, type ChildProcess } from "node:child_process";
import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../cli/support.js";
import { until } from "../support/patience.js";

const example = join(root, "examples", "fleet-temporal");

/** What `fleet.ts status` prints, as far as tests read it. */
export interface RollOutStatus {
  readonly state: string;
  readonly words: string;
  readonly running: readonly string[];
  readonly shards: Readonly<Record<string, string>>;
}

/** Temporal's development server, workers of the example, and its command. */
export class Temporal {
  private readonly processes: ChildProcess[] = [];
  private server: ChildProcess | undefined;

  private constructor(
    private readonly port: number,
    /** The folder with `fleet.yaml`. */
    private readonly folder: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  static async start(folder: string, env: NodeJS.ProcessEnv): Promise<Temporal> {
    const temporal = new Temporal(await freePort(), folder, env);
    await temporal.startServer();
    return temporal;
  }

  /** Starts the server with what it kept in its file. */
  async startServer(): Promise<void> {
    const address = ["--ip", "127.0.0.1", "--port", String(this.port)];
    const file = ["--db-filename", join(this.folder, "temporal.db")];
    this.server = this.spawn(process.env.TEMPORAL ?? "temporal", [
      ...["server", "start-dev", "--headless", "--log-level", "error"],
      ...address,
      ...file,
    ]);
    await until(async () => (await this.fleet("status")).ready);
  }

  async killServer(): Promise<void> {
    await kill(this.server);
  }

  startWorker(...queues: readonly string[]): ChildProcess {
    return this.spawn(process.execPath, [
      ...["--no-warnings", join(example, "worker.ts"), "--address", this.address, "--folder", this.folder],
      ...queues,
    ]);
  }

  /** Runs the command of the example. */
  async run(...args: readonly string[]): Promise<string> {
    const { failure, stdout } = await this.fleet(...args);
    if (failure !== undefined) throw new Error(failure);
    return stdout;
  }

  async status(): Promise<RollOutStatus> {
    return JSON.parse(await this.run("status")) as RollOutStatus;
  }

  /** Waits for a state of the rollout. */
  async reaches(state: string): Promise<RollOutStatus> {
    for (;;) {
      const status = await this.status();
      if (status.state === state) return status;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map(kill));
  }

  private get address(): string {
    return `127.0.0.1:${String(this.port)}`;
  }

  private async fleet(
    ...args: readonly string[]
  ): Promise<{ readonly stdout: string; readonly failure?: string; readonly ready: boolean }> {
    const command = [
      "--no-warnings",
      join(example, "fleet.ts"),
      ...args,
      "--address",
      this.address,
      "--by",
      "a tester",
    ];
    try {
      const { stdout } = await promisify(execFile)(process.execPath, command);
      return { stdout, ready: true };
    } catch (error) {
      const failure = (error as Error).message;
      return { stdout: "", failure, ready: failure.includes("no rollout of") };
    }
  }

  /** Starts a process in a group of its own, as on a machine of its own. */
  private spawn(file: string, args: readonly string[]): ChildProcess {
    const stdio = ["ignore", "ignore", "inherit"] as const;
    const child = spawn(file, args, { env: this.env, detached: true, stdio: [...stdio] });
    this.processes.push(child);
    return child;
  }
}

/** Ends a process with all that it has started, at once. */
export async function kill(child: ChildProcess | undefined): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.on("close", done));
  process.kill(-child.pid, "SIGKILL");
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => server.on("listening", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === "object" && address !== null ? address.port : 0;
}
