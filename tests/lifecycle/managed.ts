import type { ResolveCaa } from "../../provider/certificates/authorities.js";
import { createClient } from "../../provider/client/index.js";
import { caaLookup } from "../../provider/kinds/hostnames/caa-lookup.js";
import { KINDS, type Lifecycle, type Props } from "../../provider/kinds/index.js";
import { PartialFailure } from "../../provider/model/errors.js";
import type { ReadStack } from "../../provider/engine/predecessors.js";
import { Session, type PreviewChecks } from "../../provider/engine/session.js";
import { failureText } from "../../provider/validation/index.js";
import type { Service } from "../support/emulator.js";
import { TOKEN } from "../support/emulator.js";

/** Time that moves only when somebody sleeps, and takes the emulator along. */
export class MovedClock {
  private offset = 0;
  private readonly start = Date.parse("2026-01-01T00:00:00Z");
  slept = 0;
  constructor(private readonly service: Service) {}
  now(): number {
    return this.start + this.offset;
  }
  async sleep(ms: number): Promise<void> {
    this.offset += ms;
    this.slept += ms;
    await this.service.advanceClock(ms / 1000);
  }
}

export interface Kept<State> {
  readonly id: string;
  readonly inputs: object;
  readonly state: State;
}

/** What a run came to. */
export interface Ran {
  readonly action: "create" | "update" | "replace" | "none";
  readonly requests: readonly string[];
  /** The same requests with their queries. */
  readonly queries: readonly string[];
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  readonly statuses: readonly string[];
}

/** What a run is given beside its arguments. */
interface SessionOptions {
  readonly previewChecks?: PreviewChecks;
  readonly client?: () => never;
  readonly resolveCaa?: ResolveCaa;
  readonly readStack?: ReadStack;
}

/** One resource of any kind and its state, driven as the engine drives it: a new process for every run. */
export class Managed<State> {
  kept: Kept<State> | undefined;
  readonly lifecycle: Lifecycle;
  readonly clock: MovedClock;
  session: Session;
  private notes: string[] = [];
  private warnings: string[] = [];
  private statuses: string[] = [];

  constructor(
    kind: string,
    readonly service: Service,
    readonly urn = "urn:test",
  ) {
    this.lifecycle = KINDS[kind]?.() as Lifecycle;
    this.clock = new MovedClock(service);
    this.session = this.newSession();
  }

  newSession(options: SessionOptions = {}): Session {
    [this.notes, this.warnings, this.statuses] = [[], [], []];
    const credentials = { kind: "token", apiToken: TOKEN } as const;
    const client = createClient({ baseUrl: this.service.emulator.url, credentials, maxRetries: 0 });
    this.session = new Session({
      client: options.client ?? (() => client),
      previewChecks: options.previewChecks,
      readStack: options.readStack,
      clock: this.clock,
      reporter: {
        info: (_, text) => this.notes.push(text),
        warn: (_, text) => this.warnings.push(text),
        status: (_, text) => this.statuses.push(text),
      },
    });
    if (options.resolveCaa !== undefined) this.session.setPart(caaLookup, options.resolveCaa);
    return this.session;
  }

  /** `check` and `diff`. Throws every failure as one error. */
  async plan(args: object, preview: boolean): Promise<{ readonly action: Ran["action"]; readonly inputs: Props }> {
    // The engine hands states over as plain objects, whatever they were before.
    if (this.kept !== undefined) this.kept = JSON.parse(JSON.stringify(this.kept)) as Kept<State>;
    const news = { ...args, __urn: this.urn, __preview: preview, __stack: { monitor: "none", name: "o/p/s" } };
    const checked = await this.lifecycle.check(this.session, (this.kept?.inputs ?? {}) as Props, news);
    if (checked.failures.length > 0) throw new Error(checked.failures.map(failureText).join("\n"));
    const inputs = checked.inputs as Props;
    if (this.kept === undefined) return { action: "create", inputs };
    const change = await this.lifecycle.diff(this.session, this.kept.id, this.kept.state as Props, inputs);
    return { action: change.kind, inputs };
  }

  async preview(args: object, options: SessionOptions = {}): Promise<Ran & { readonly inputs: Props }> {
    this.newSession(options);
    await this.service.forget();
    const { action, inputs } = await this.plan(args, true);
    return { ...(await this.ran(action)), inputs };
  }

  async up(args: object, options: SessionOptions = {}): Promise<Ran> {
    this.newSession(options);
    await this.service.forget();
    const { action, inputs } = await this.plan(args, false);
    const old = this.kept;
    try {
      if (action === "create") {
        const { id, state } = await this.lifecycle.create(this.session, inputs);
        this.kept = { id, inputs, state: state as State };
      } else if (old !== undefined && action === "update") {
        const state = await this.lifecycle.update(this.session, old.id, old.state as Props, inputs);
        this.kept = { id: old.id, inputs, state: state as State };
      } else if (old !== undefined) {
        this.kept = { ...old, inputs };
      }
    } catch (error) {
      if (error instanceof PartialFailure) {
        const { id, state } = error as PartialFailure<State>;
        this.kept = { id, inputs: old?.inputs ?? inputs, state };
      }
      throw error;
    }
    return this.ran(action);
  }

  /** A refresh. False when the object is gone. */
  async refresh(): Promise<boolean> {
    if (this.kept === undefined) return false;
    this.newSession();
    await this.service.forget();
    const found = await this.lifecycle.read(this.session, this.kept.id, this.kept.state as Props);
    this.kept =
      found === undefined ? undefined : { id: this.kept.id, inputs: found.inputs, state: found.state as State };
    return found !== undefined;
  }

  /** What was said of the delete stays in {@link told}. */
  async destroy(): Promise<readonly string[]> {
    if (this.kept === undefined) return [];
    this.newSession();
    await this.service.forget();
    await this.lifecycle.delete(this.session, this.kept.id, this.kept.state as Props);
    this.kept = undefined;
    return this.service.requests();
  }

  /** The notes of the last run. */
  get told(): readonly string[] {
    return this.notes;
  }

  private async ran(action: Ran["action"]): Promise<Ran> {
    const { notes, warnings, statuses } = this;
    const queries = await this.service.queries();
    return { action, requests: await this.service.requests(), queries, notes, warnings, statuses };
  }

  /** What must hold after every step: nothing left to do, nothing sent, and a refresh that finds the state as it is. */
  async settled(args: object): Promise<void> {
    expect(await this.up(args)).toMatchObject({ action: "none", requests: [] });
    const before = this.kept;
    await this.refresh();
    expect(this.kept).toEqual(before);
    expect(await this.up(args)).toMatchObject({ action: "none", requests: [] });
  }
}
