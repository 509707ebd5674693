import { stateOf } from "./front-ends.js";
import { withoutTexts } from "../../provider/engine/stored-as-json.js";
import { programText } from "../../provider/engine/program-run.js";
import type { Session } from "../../provider/engine/session.js";
import { findKind } from "../../provider/kinds/index.js";
import type { Service } from "../support/emulator.js";
import { fromWire, keptAfter, Run, type Action, type Props, type RunOptions, type Stored } from "./run.js";
import { sent } from "./secrets-apart.js";

export type { Action } from "./run.js";

/** The URN of a resource of a TypeScript program. */
export function urnOf(kind: string, name: string, stack = "dev"): string {
  return `urn:pulumi:${stack}::p::pulumi-nodejs:dynamic/rulesets:${kind}::${name}`;
}

/** A clock that moves only when someone sleeps, and moves the emulator's clock with it. */
export class MovedClock {
  private offset = 0;
  private readonly start = Date.parse("2026-01-01T00:00:00Z");
  slept = 0;
  constructor(private readonly service: Pick<Service, "advanceClock">) {}
  now(): number {
    return this.start + this.offset;
  }
  async sleep(ms: number): Promise<void> {
    this.offset += ms;
    this.slept += ms;
    await this.service.advanceClock(ms / 1000);
  }
}

/** A resource in the state of the stack, in clear. */
export interface StoredResource<State> {
  readonly id: string;
  readonly inputs: object;
  readonly state: State;
}

/** The result of a run. */
export interface RunResult {
  readonly action: Action;
  /** Requests from the check to the write. */
  readonly requests: readonly string[];
  /** The same requests with their queries. */
  readonly queries: readonly string[];
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  readonly statuses: readonly string[];
  /** What a preview published. */
  readonly plans: readonly string[];
}

/** The action that the engine plans, and the checked inputs in clear and as the engine stores them. */
export interface Plan {
  readonly action: Action;
  readonly inputs: Props;
  /** With secrets in their wire form. */
  readonly checked: Props;
}

/** One resource of any kind and its state, driven as the engine drives it: a new process for every run. */
export class ManagedResource<State, K extends StoredResource<State> = StoredResource<State>> {
  private resource: { readonly kept: K; readonly stored?: Stored; readonly hasFailed?: boolean } | undefined;
  readonly clock: MovedClock;
  private current: Run | undefined;

  constructor(
    readonly kind: string,
    readonly service: Service,
    readonly urn = "urn:test",
    readonly url: string = service.emulator.url,
    /** Options for every run. */
    public settings: RunOptions = {},
  ) {
    this.clock = new MovedClock(service);
  }

  /** A new provider process. */
  start(options: RunOptions = {}): Run {
    this.run = new Run(this.url, { clock: this.clock, ...this.settings, ...options });
    return this.run;
  }

  /** The process of this resource, which another resource may share. */
  get run(): Run {
    return (this.current ??= this.start());
  }
  set run(run: Run) {
    this.current = run;
    runs.set(run.session, run);
  }

  newSession(options: RunOptions = {}): Session {
    return this.start(options).session;
  }
  get session(): Session {
    return this.run.session;
  }
  set session(session: Session) {
    const run = runs.get(session);
    if (run === undefined) throw new Error("no resource has made that session");
    this.run = run;
  }

  /** The messages of the last run. */
  get notes(): readonly string[] {
    return this.run.notes;
  }

  get plans(): readonly string[] {
    return this.run.plans;
  }
  get warnings(): readonly string[] {
    return this.run.warnings;
  }

  get kept(): K | undefined {
    return this.resource?.kept;
  }
  /** Replaces the state that was last written or read. */
  set kept(kept: K | undefined) {
    this.resource = kept === undefined ? undefined : { kept };
  }

  /** The same as the engine stores it, with secrets in their wire form. */
  get stored(): Stored | undefined {
    return this.resource?.stored;
  }

  private keep(stored: Stored | undefined, hasFailed = false): void {
    this.resource = stored === undefined ? undefined : { kept: keptOf(this.kind, stored) as K, stored, hasFailed };
  }

  /**
   * What a run with unchanged arguments plans. After a write that failed in part the engine updates in any case, until an update
   * succeeds or a refresh has read the resource.
   */
  get unchangedAction(): Action {
    return this.resource?.hasFailed === true ? "update" : "none";
  }

  /** What the engine passes to a call: a test may have replaced the state. */
  private get olds(): Stored | undefined {
    const { kept, stored } = this;
    if (stored !== undefined) return { ...stored, inputs: fromWire(stored.inputs) };
    return kept === undefined
      ? undefined
      : { id: kept.id, inputs: { ...kept.inputs }, outputs: { ...(kept.state as object) } };
  }

  private check(olds: Props, args: object, preview: boolean): Promise<Props> {
    return this.run.check(this.kind, olds, {
      ...sent(args),
      __urn: this.urn,
      __program: programText({ preview }),
    });
  }

  /** `check` and `diff`, as a preview calls them. Throws every failure as one error. */
  async plan(args: object, preview: boolean): Promise<Plan> {
    const { olds } = this;
    const checked = await this.check(olds?.inputs ?? {}, args, preview);
    const diffed = olds === undefined ? "create" : await this.run.diff(this.kind, olds, checked);
    const action = diffed === "none" ? this.unchangedAction : diffed;
    return { action, inputs: fromWire(checked), checked };
  }

  async preview(args: object, options: RunOptions = {}): Promise<RunResult & Plan> {
    this.start(options);
    await this.service.forget();
    const plan = await this.plan(args, true);
    return { ...(await this.ran(plan.action)), ...plan };
  }

  async up(args: object, options: RunOptions = {}): Promise<RunResult> {
    this.start(options);
    await this.service.forget();
    return this.ran(await this.apply(args));
  }

  /** An `up` in the current process. */
  async apply(args: object): Promise<Action> {
    const { action, checked } = await this.plan(args, false);
    const { olds } = this;
    if (olds === undefined) await this.create(checked);
    else if (action === "replace") await this.replace(args, olds, this.run.deletesFirst);
    else if (action === "none") this.keep({ ...(this.stored ?? olds), inputs: checked });
    else await this.write(this.run.update(this.kind, olds, checked), olds.inputs);
    return action;
  }

  /** Creates the resource from checked inputs, in the current process. */
  async create(checked: Props): Promise<void> {
    await this.write(this.run.create(this.kind, checked), checked);
  }

  private async write(work: Promise<Stored>, inputsAfterFailure: Props): Promise<void> {
    try {
      this.keep(await work);
    } catch (error) {
      const half = keptAfter(error, inputsAfterFailure);
      if (half !== undefined) this.keep(half, true);
      throw error;
    }
  }

  private async replace(args: object, old: Stored, deleteFirst = false): Promise<void> {
    const again = await this.check({}, args, false);
    if (deleteFirst) {
      await this.run.delete(this.kind, old);
      this.keep(undefined);
    }
    await this.create(again);
    if (!deleteFirst) await this.run.delete(this.kind, old);
  }

  /** The preview of `up --replace` and of a taint: a check of a new object. Throws every failure as one error. */
  async previewReplacement(args: object): Promise<void> {
    this.start();
    await this.check({}, args, true);
  }

  /** `up --replace` and a taint: no diff, a new object, and the old one deleted last. */
  async replaceForced(args: object, options: { readonly deleteFirst?: boolean } = {}): Promise<RunResult> {
    this.start();
    await this.service.forget();
    if (this.olds !== undefined) await this.replace(args, this.olds, options.deleteFirst);
    return this.ran("replace");
  }

  /** `replaceOnChanges`: an update that the engine turns into a replacement. */
  async replaceOnChanges(args: object): Promise<RunResult> {
    this.start();
    await this.service.forget();
    await this.plan(args, false);
    if (this.olds !== undefined) await this.replace(args, this.olds);
    return this.ran("replace");
  }

  /** A refresh. False when the object is gone. */
  async refresh(options: RunOptions = {}): Promise<boolean> {
    if (this.kept === undefined) return false;
    this.start(options);
    await this.service.forget();
    return this.read();
  }

  /** A refresh in the current process. */
  async read(): Promise<boolean> {
    const { olds } = this;
    if (olds === undefined) return false;
    const found = await this.run.read(this.kind, olds);
    this.keep(found === undefined ? undefined : { ...found, id: olds.id });
    return found !== undefined;
  }

  async destroy(options: RunOptions = {}): Promise<readonly string[]> {
    const { olds } = this;
    if (olds === undefined) return [];
    this.start(options);
    await this.service.forget();
    await this.run.delete(this.kind, olds);
    this.keep(undefined);
    return this.service.requests();
  }

  /** The progress lines of the last run. */
  get statuses(): readonly string[] {
    return this.run.statuses;
  }

  /** Deletes what another resource of the same run managed before, as the engine does at the end of a rename. */
  async deleteOther(id: string, state: object): Promise<void> {
    await this.run.delete(this.kind, { id, outputs: { ...state } });
  }

  private async ran(action: Action): Promise<RunResult> {
    const { notes, warnings, statuses, plans } = this.run;
    const queries = await this.service.queries();
    const requests = await this.service.requests();
    const messages = { notes: [...notes], warnings: [...warnings], statuses: [...statuses], plans: [...plans] };
    return { action, requests, queries, ...messages };
  }

  /** Expects that nothing is left to write, that nothing is sent, and that a refresh returns the same state. */
  async settled(args: object): Promise<void> {
    const action = this.unchangedAction;
    expect(await this.up(args)).toMatchObject({ action, requests: [] });
    const before = this.kept;
    await this.refresh();
    expect(this.kept).toEqual(before);
    expect(await this.up(args)).toMatchObject({ action: "none", requests: [] });
  }
}

/** The process of each session. */
const runs = new WeakMap<Session, Run>();

/** A stored resource in clear, with the values of what the engine stores as texts. */
export function keptOf(kind: string, { id, inputs, outputs }: Stored): StoredResource<unknown> {
  const { textNames = [] } = findKind(kind) ?? {};
  return { id, inputs: fromWire(inputs), state: withoutTexts(stateOf(kind, fromWire(outputs)), textNames) };
}
