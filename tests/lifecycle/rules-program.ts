import { programText } from "../../provider/engine/program-run.js";
import type { RuleState } from "../../provider/kinds/rulesets/rule/description.js";
import type { Service } from "../support/emulator.js";
import { startService } from "./harness.js";
import { fromWire, keptAfter, Run, type Action, type Props, type RunOptions, type Stored } from "./run.js";
import { urnOf } from "./managed.js";

interface Kept {
  readonly kind: string;
  readonly id: string;
  readonly inputs: Props;
  readonly state: Props;
  /** Whether its last write ended early: until a refresh, the engine updates it even if its inputs are unchanged. */
  readonly hasFailed?: boolean;
  /**
   * Whether it was deleted before its replacement was created, and that was not created. The engine keeps its state until it
   * is, and calls the provider for it no more.
   */
  readonly isPendingReplacement?: boolean;
}

/** The result of a run of a program. */
export interface ProgramRun {
  /** By name: what happened to each resource, including deleted ones. */
  readonly actions: Readonly<Record<string, string>>;
  /** Methods of the requests, in order. */
  readonly requests: string;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** Arguments of a RulesetRule; another kind of resource has `kind`, and the argument of that name is `rulesetKind`. */
export type ProgramArgs = Readonly<Record<string, { readonly kind?: string } & Readonly<Record<string, unknown>>>>;

/** What the engine does differently in a run. */
export interface EngineOptions {
  /** Whether every resource depends on the one before it, and so is checked after that one has been written. */
  readonly inTurn?: boolean;
  /** Names of resources whose writes are never started, as after an error elsewhere or an interrupt. */
  readonly unstarted?: readonly string[];
  /** Names of resources with `deleteBeforeReplace` whose create is not started after their delete, as after an interrupt. */
  readonly uncreated?: readonly string[];
  /** Whether resources are deleted although others failed. */
  readonly continueOnError?: boolean;
  /** `--target`: the engine passes only these resources to the provider, and leaves the rest as they were. */
  readonly targets?: readonly string[];
  /** `--replace` or a taint. */
  readonly replaces?: readonly string[];
  /** Resources with `deleteBeforeReplace`. */
  readonly deleteFirst?: readonly string[];
  /** By name, the previous names of resources with `aliases`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** By name, the arguments in `ignoreChanges`: the engine passes those of the last run. */
  readonly ignored?: Readonly<Record<string, readonly string[]>>;
  /** Resources with `retainOnDelete`. */
  readonly retained?: readonly string[];
  /** Resources with `protect`: a run that would delete one fails at its end, before any delete. */
  readonly protected?: readonly string[];
}

/** Engine options, and those of the provider process. */
export type CourseOptions = EngineOptions & RunOptions;

/**
 * A program with several resources in one stack, driven as the engine drives it: one process per run, checks in the order of
 * the program, concurrent writes, and deletes last.
 */
export class RulesProgram {
  readonly kept = new Map<string, Kept>();
  /** Old objects of resources that were replaced by a run that ended before its deletes: the next run deletes them. */
  private pendingDeletes: (readonly [string, Kept])[] = [];
  private current: Run | undefined;

  constructor(
    readonly service: Service,
    readonly stack = "dev",
  ) {}

  state(name: string): RuleState {
    return this.kept.get(name)?.state as RuleState;
  }

  urnOf(name: string, kind = "RulesetRule"): string {
    return urnOf(kind, name, this.stack);
  }

  /** A new provider process. */
  protected start(options: CourseOptions = {}): Run {
    return (this.current = new Run(this.service.emulator.url, options));
  }

  /** What the engine has recorded so far: after a kill, nothing else. */
  get recorded(): ReadonlyMap<string, Kept> {
    return new Map(this.kept);
  }
  set recorded(kept: ReadonlyMap<string, Kept>) {
    this.kept.clear();
    for (const [name, each] of kept) this.kept.set(name, each);
  }

  preview(program: ProgramArgs, options: CourseOptions = {}): Promise<ProgramRun & { inputs: Record<string, Props> }> {
    return this.carryOut(program, true, options);
  }

  up(program: ProgramArgs, options: CourseOptions = {}): Promise<ProgramRun & { inputs: Record<string, Props> }> {
    return this.carryOut(program, false, options);
  }

  /** An `up` in which every resource depends on the one before it. */
  upInTurn(program: ProgramArgs): Promise<ProgramRun & { inputs: Record<string, Props> }> {
    return this.up(program, { inTurn: true });
  }

  private async carryOut(program: ProgramArgs, preview: boolean, options: CourseOptions) {
    const run = this.start(options);
    await this.service.forget();
    const { inTurn = false, unstarted = [], replaces = [], deleteFirst = [], targets } = options;
    const isTarget = (name: string): boolean => targets?.includes(name) !== false;
    const actions: Record<string, Action | "delete"> = {};
    const inputs: Record<string, Props> = {};
    const failures: Error[] = [];
    const writes: (() => Promise<void>)[] = [];
    const old: [string, Kept][] = [];
    this.rename(options.aliases ?? {});
    for (const [name, { kind = "RulesetRule", rulesetKind, ...rest }] of Object.entries(program)) {
      if (!isTarget(name)) continue;
      const args = rulesetKind === undefined ? rest : { ...rest, kind: rulesetKind };
      const before = this.kept.get(name);
      const ignored = options.ignored?.[name];
      const news = {
        ...args,
        ...Object.fromEntries(before === undefined ? [] : (ignored ?? []).map((each) => [each, before.inputs[each]])),
        ...(ignored === undefined ? {} : { __ignore: ignored }),
        __urn: this.urnOf(name, kind),
        __program: programText({ preview }),
      };
      const check = async (olds: Props): Promise<Props | undefined> => {
        try {
          return fromWire(await run.check(kind, olds, news));
        } catch (error) {
          failures.push(error as Error);
          return undefined;
        }
      };
      const isForced = before !== undefined && replaces.includes(name);
      let next = await check(isForced ? {} : (before?.inputs ?? {}));
      if (next === undefined) continue;
      const diffed =
        before === undefined ? "create" : isForced ? "replace" : await run.diff(kind, storedOf(before), next);
      const isPending = before?.isPendingReplacement === true;
      const action = isPending ? "replace" : diffed === "none" && before?.hasFailed === true ? "update" : diffed;
      actions[name] = action;
      if (action === "replace" && !isForced) next = await check({});
      if (next === undefined) continue;
      const checked = next;
      inputs[name] = checked;
      if (action === "none" && before !== undefined && !preview) this.kept.set(name, { ...before, inputs: checked });
      const isDeletedFirst = action === "replace" && !isPending && deleteFirst.includes(name);
      if (action === "replace" && before !== undefined && !isPending && !isDeletedFirst) old.push([name, before]);
      const make = () => this.write(name, kind, run.create(kind, checked), checked);
      if (action === "update" && before !== undefined)
        writes.push(() => this.write(name, kind, run.update(kind, storedOf(before), checked), before.inputs));
      if (action === "create" || (action === "replace" && !isDeletedFirst)) writes.push(make);
      if (isDeletedFirst && before !== undefined)
        writes.push(async () => {
          await run.delete(before.kind, storedOf(before));
          this.kept.set(name, { ...before, isPendingReplacement: true });
          if (options.uncreated?.includes(name) === true) throw new Error(`${name} was not created`);
          await make();
        });
      if (unstarted.includes(name) && writes.length > 0) {
        const stopped = new Error(`${name} was not started`);
        writes.splice(-1, 1, () => Promise.reject(stopped));
      }
      if (inTurn && !preview) await writes.pop()?.();
    }
    if (failures.length > 0) throw new Error(failures.map(({ message }) => message).join("\n"));
    for (const [name, before] of this.kept) if (program[name] === undefined && isTarget(name)) old.push([name, before]);
    if (!preview) await this.apply(run, program, { writes, old, options });
    for (const [name] of old) actions[name] ??= "delete";
    return { actions, inputs, requests: await this.methods(), notes: run.notes, warnings: run.warnings };
  }

  /** Writes concurrently, and deletes last; nothing if something failed, unless the engine continues on errors. */
  private async apply(
    run: Run,
    program: ProgramArgs,
    {
      writes,
      old,
      options,
    }: {
      readonly writes: readonly (() => Promise<void>)[];
      readonly old: readonly [string, Kept][];
      readonly options: EngineOptions;
    },
  ): Promise<void> {
    const done = await Promise.allSettled(writes.map((write) => write()));
    const failed = done.flatMap((result) => (result.status === "rejected" ? [result.reason as Error] : []));
    const { continueOnError = false, retained = [] } = options;
    const isRetained = ([name]: readonly [string, Kept]): boolean => retained.includes(name);
    // The old object of a replacement is to be deleted once the new one exists.
    const replaced = old.filter(([name, before]) => program[name] !== undefined && this.kept.get(name) !== before);
    this.pendingDeletes.push(...replaced.filter((each) => !isRetained(each)));
    if (failed[0] !== undefined && !continueOnError) throw failed[0];
    const gone = old.filter(([name]) => program[name] === undefined);
    const kept = gone.find(([name]) => options.protected?.includes(name) === true);
    if (kept !== undefined) throw new Error(`${kept[0]} is protected`);
    const deletes = [
      ...this.pendingOf(options).map((each) => () => this.removePending(run, each)),
      ...gone.map((each) => () => this.removeGone(run, each, isRetained(each))),
    ];
    for (const remove of deletes) {
      try {
        await remove();
      } catch (error) {
        if (!continueOnError) throw error;
        failed.push(error as Error);
      }
    }
    if (failed[0] !== undefined) throw new Error(failed.map(({ message }) => message).join("\n"));
  }

  /** The old objects that a run deletes. */
  private pendingOf({ targets }: EngineOptions): readonly (readonly [string, Kept])[] {
    return this.pendingDeletes.filter(([name]) => targets?.includes(name) !== false);
  }

  private async removePending(run: Run, pending: readonly [string, Kept]): Promise<void> {
    await run.delete(pending[1].kind, storedOf(pending[1]));
    this.pendingDeletes = this.pendingDeletes.filter((each) => each !== pending);
  }

  private async removeGone(run: Run, [name, kept]: readonly [string, Kept], isRetained: boolean): Promise<void> {
    if (isRetained) this.kept.delete(name);
    else await this.remove(run, name, kept);
  }

  /** What `aliases` do: the state of a resource gets its new name; its outputs stay as they are. */
  private rename(aliases: Readonly<Record<string, string>>): void {
    for (const [name, previous] of Object.entries(aliases)) {
      const kept = this.kept.get(previous);
      if (kept === undefined) continue;
      this.kept.delete(previous);
      this.kept.set(name, kept);
    }
  }

  private async write(name: string, kind: string, work: Promise<Stored>, inputsAfterFailure: Props): Promise<void> {
    try {
      this.keep(name, kind, await work);
    } catch (error) {
      const half = keptAfter(error, inputsAfterFailure);
      if (half !== undefined) this.keep(name, kind, half, true);
      throw error;
    }
  }

  private keep(name: string, kind: string, { id, inputs, outputs }: Stored, hasFailed = false): void {
    const kept = { kind, id, inputs: fromWire(inputs), state: fromWire(outputs) };
    this.kept.set(name, hasFailed ? { ...kept, hasFailed } : kept);
  }

  private async remove(run: Run, name: string, kept: Kept): Promise<void> {
    if (kept.isPendingReplacement !== true) await run.delete(kept.kind, storedOf(kept));
    this.kept.delete(name);
  }

  /** Old objects by the names of their resources, which the engine does not show to the provider. */
  get oldObjects(): readonly (readonly [string, Kept])[] {
    return this.pendingDeletes;
  }

  /** The messages of a run. */
  get messages(): { readonly notes: readonly string[]; readonly warnings: readonly string[] } {
    return this.current ?? { notes: [], warnings: [] };
  }

  /** Refreshes everything concurrently, old objects too. Returns the methods of the requests. */
  async refresh(): Promise<string> {
    const run = this.start();
    await this.service.forget();
    await Promise.all(
      [...this.kept].map(async ([name, kept]) => {
        if (kept.isPendingReplacement === true) return;
        const found = await run.read(kept.kind, storedOf(kept));
        if (found === undefined) this.kept.delete(name);
        else this.keep(name, kept.kind, { ...found, id: kept.id });
      }),
    );
    const pending = await Promise.all(
      this.pendingDeletes.map(async ([name, kept]): Promise<(readonly [string, Kept])[]> => {
        const found = await run.read(kept.kind, storedOf(kept));
        return found === undefined ? [] : [[name, { ...kept, state: fromWire(found.outputs) }]];
      }),
    );
    this.pendingDeletes = pending.flat();
    return this.methods();
  }

  /** `pulumi destroy`, of all resources or of `targets`. */
  async destroy(options: CourseOptions = {}): Promise<string> {
    const { targets } = options;
    const run = this.start(options);
    await this.service.forget();
    for (const each of this.pendingOf(options)) await this.removePending(run, each);
    for (const [name, kept] of [...this.kept])
      if (targets?.includes(name) !== false) await this.remove(run, name, kept);
    return this.methods();
  }

  private async methods(): Promise<string> {
    return (await this.service.requests()).map((request) => request.split(" ")[0]).join(" ");
  }

  /** Expects that nothing is left to do, that nothing is sent, and that a refresh returns the same states. */
  async settled(program: ProgramArgs): Promise<void> {
    const none = Object.fromEntries(Object.keys(program).map((name) => [name, "none"]));
    expect(await this.up(program)).toMatchObject({ actions: none, requests: "" });
    const before = new Map(this.kept);
    await this.refresh();
    expect(new Map(this.kept)).toEqual(before);
    expect(await this.up(program)).toMatchObject({ actions: none, requests: "" });
  }
}

/** What the engine passes to a call: a test may have replaced the state. */
function storedOf({ id, inputs, state }: Kept): Stored {
  return { id, inputs, outputs: state };
}

/** A program that has not run yet, and a service with one zone for it. */
export async function startRulesProgram(): Promise<{
  service: Service;
  zoneId: string;
  program: RulesProgram;
}> {
  const { service, zoneId } = await startService();
  return { service, zoneId, program: new RulesProgram(service) };
}
