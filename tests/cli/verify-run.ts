import { runVerify } from "../../tools/cli/verify/command.js";
import type { Emulator, Seed } from "../../emulator/index.js";
import { createClient, Limiter } from "../../client/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";

export const custom = "http_request_firewall_custom";
export const zone = "test.example.com";
export const zones = [{ name: zone }];
export const rule = { action: "block", expression: "ssl" };

interface RunOptions {
  readonly zone?: string;
  readonly save?: string;
  readonly yesZone?: string;
  readonly isStopped?: () => boolean;
}

/** Runs `verify` against a second emulator, which answers, forbids, fails or ignores as a test says. */
export class VerifyRun {
  private printed: string[] = [];
  private time = 0;
  private constructor(
    readonly emulator: Emulator,
    readonly service: Service,
    private readonly token: string,
  ) {}

  static async start(seed: Seed = { zones }, token = TOKEN): Promise<VerifyRun> {
    const emulator = await freshEmulator({ seed });
    return new VerifyRun(emulator, new Service(emulator), token);
  }

  /** A wait moves the clock of both sides. */
  private readonly clock = {
    now: () => this.time,
    sleep: async (ms: number) => {
      this.time += ms;
      await this.service.advanceClock(ms / 1000);
    },
  };
  get waited(): number {
    return this.time;
  }

  async run(options: RunOptions = {}): Promise<0 | 2 | 3> {
    this.printed = [];
    const { isStopped = () => false, yesZone = options.zone ?? zone } = options;
    const terminal = { isTTY: false } as never;
    return runVerify(
      { zone, ...options },
      {
        connect: (onResponse) =>
          createClient({
            ...{ baseUrl: this.emulator.url, credentials: { kind: "token", apiToken: this.token } },
            ...{ maxRetries: 0, clock: this.clock, onResponse },
            limiter: new Limiter({ clock: this.clock }),
          }),
        consent: { env: {}, stdin: terminal, stdout: terminal, yesZone },
        print: (line) => this.printed.push(line),
        now: () => new Date("2026-11-28T12:00:00Z"),
        isStopped,
      },
    );
  }
  /** Runs until some bodies were sent. */
  runUntil(bodies: number): Promise<0 | 2 | 3> {
    let asked = 0;
    return this.run({ isStopped: () => ++asked > bodies });
  }

  get text(): string {
    return this.printed.join("\n");
  }

  /** What rulesets the zone has, with their versions. */
  async deployed(name = zone): Promise<readonly { readonly id: string; readonly version: string }[]> {
    return this.service.ask("GET", `/zones/${await this.service.zoneNamed(name)}/rulesets`);
  }
  /** The path of the entry point of a phase. */
  async entrypoint(phase = custom): Promise<string> {
    return `/zones/${await this.service.zoneNamed(zone)}/rulesets/phases/${phase}/entrypoint`;
  }
  async dryRuns(): Promise<string[]> {
    return (await this.service.queries()).filter((line) => line.startsWith("PUT") && line.includes("dry_run=true"));
  }
}
