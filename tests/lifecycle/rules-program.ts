import type { StackResource } from "../../provider/engine/predecessors.js";
import type { PreviewChecks } from "../../provider/model/options.js";
import type { RuleState } from "../../provider/kinds/ruleset-rule/description.js";
import type { JsonObject } from "../../provider/model/json.js";
import type { Emulator } from "../../emulator/index.js";
import type { Service } from "../support/emulator.js";
import { startService } from "./harness.js";
import { fromWire, keptAfter, Run, type Action, type Props, type RunOptions, type Stored } from "./run.js";

interface Kept {
  readonly kind: string;
  readonly id: string;
  readonly inputs: Props;
  readonly state: Props;
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

/** Arguments of a RulesetRule; another kind has `kind`. */
export type ProgramArgs = Readonly<Record<string, { readonly kind?: string } & Readonly<Record<string, unknown>>>>;

/**
 * A program with several resources in one stack, driven as the engine drives it: one process per run, checks in the order of
 * the program, concurrent writes, and deletes last.
 */
export class RulesProgram {
  readonly kept = new Map<string, Kept>();
  private current: Run | undefined;

  constructor(
    readonly service: Service,
    readonly stack = "dev",
  ) {}

  state(name: string): RuleState {
    return this.kept.get(name)?.state as RuleState;
  }

  urnOf(name: string, kind = "RulesetRule"): string {
    return `urn:pulumi:${this.stack}::p::pulumi-nodejs:dynamic/rulesets:${kind}::${name}`;
  }

  /** A new provider process. */
  protected start(options: RunOptions = {}): Run {
    const readStack = () => Promise.resolve(this.records());
    return (this.current = new Run(this.service.emulator.url, { readStack, ...options }));
  }

  private records(): StackResource[] {
    return [...this.kept.values()].map(({ kind, state }) => ({ type: kind, state: fromWire(state) as JsonObject }));
  }

  preview(
    program: ProgramArgs,
    previewChecks?: PreviewChecks,
  ): Promise<ProgramRun & { inputs: Record<string, Props> }> {
    return this.carryOut(program, true, this.start(previewChecks === undefined ? {} : { previewChecks }));
  }

  up(program: ProgramArgs): Promise<ProgramRun & { inputs: Record<string, Props> }> {
    return this.carryOut(program, false, this.start());
  }

  /** An `up` in which every resource depends on the one before it, and so is checked after that one has been written. */
  upInTurn(program: ProgramArgs): Promise<ProgramRun & { inputs: Record<string, Props> }> {
    return this.carryOut(program, false, this.start(), true);
  }

  private async carryOut(program: ProgramArgs, preview: boolean, run: Run, inTurn = false) {
    await this.service.forget();
    const actions: Record<string, Action | "delete"> = {};
    const inputs: Record<string, Props> = {};
    const failures: Error[] = [];
    const writes: (() => Promise<void>)[] = [];
    const old: [string, Kept][] = [];
    for (const [name, { kind = "RulesetRule", ...args }] of Object.entries(program)) {
      const before = this.kept.get(name);
      const news = {
        ...args,
        __urn: this.urnOf(name, kind),
        __preview: preview,
        __stack: { monitor: "none", name: "o/p/s" },
      };
      const check = async (olds: Props): Promise<Props | undefined> => {
        try {
          return fromWire(await run.check(kind, olds, news));
        } catch (error) {
          failures.push(error as Error);
          return undefined;
        }
      };
      let next = await check(before?.inputs ?? {});
      if (next === undefined) continue;
      const action = before === undefined ? "create" : await run.diff(kind, storedOf(before), next);
      actions[name] = action;
      if (action === "replace") next = await check({});
      if (next === undefined) continue;
      const checked = next;
      inputs[name] = checked;
      if (action === "none" && before !== undefined && !preview) this.kept.set(name, { ...before, inputs: checked });
      if (action === "replace" && before !== undefined) old.push([name, before]);
      if (action === "update" && before !== undefined)
        writes.push(() => this.write(name, kind, run.update(kind, storedOf(before), checked), before.inputs));
      if (action === "create" || action === "replace")
        writes.push(() => this.write(name, kind, run.create(kind, checked), checked));
      if (inTurn) await writes.pop()?.();
    }
    if (failures.length > 0) throw new Error(failures.map(({ message }) => message).join("\n"));
    for (const [name, before] of this.kept) if (program[name] === undefined) old.push([name, before]);
    if (!preview) {
      const done = await Promise.allSettled(writes.map((write) => write()));
      const failed = done.flatMap((result) => (result.status === "rejected" ? [result.reason as Error] : []));
      if (failed[0] !== undefined) throw failed[0];
      for (const [name, before] of old) await this.remove(run, name, before, program[name] === undefined);
    }
    for (const [name] of old) actions[name] ??= "delete";
    return { actions, inputs, requests: await this.methods(), notes: run.notes, warnings: run.warnings };
  }

  private async write(name: string, kind: string, work: Promise<Stored>, inputsAfterFailure: Props): Promise<void> {
    try {
      this.keep(name, kind, await work);
    } catch (error) {
      const half = keptAfter(error, inputsAfterFailure);
      if (half !== undefined) this.keep(name, kind, half);
      throw error;
    }
  }

  private keep(name: string, kind: string, { id, inputs, outputs }: Stored): void {
    this.kept.set(name, { kind, id, inputs: fromWire(inputs), state: fromWire(outputs) });
  }

  private async remove(run: Run, name: string, kept: Kept, gone: boolean): Promise<void> {
    await run.delete(kept.kind, storedOf(kept));
    if (gone) this.kept.delete(name);
  }

  /** The messages of a run. */
  get messages(): { readonly notes: readonly string[]; readonly warnings: readonly string[] } {
    return this.current ?? { notes: [], warnings: [] };
  }

  /** Refreshes everything concurrently. Returns the methods of the requests. */
  async refresh(): Promise<string> {
    const run = this.start();
    await this.service.forget();
    await Promise.all(
      [...this.kept].map(async ([name, kept]) => {
        const found = await run.read(kept.kind, storedOf(kept));
        if (found === undefined) this.kept.delete(name);
        else this.keep(name, kept.kind, { ...found, id: kept.id });
      }),
    );
    return this.methods();
  }

  async destroy(): Promise<string> {
    const run = this.start();
    await this.service.forget();
    for (const [name, kept] of [...this.kept]) await this.remove(run, name, kept, true);
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
  emulator: Emulator;
  service: Service;
  zoneId: string;
  program: RulesProgram;
}> {
  const { emulator, service, ids } = await startService();
  return { emulator, service, zoneId: ids.zoneId, program: new RulesProgram(service) };
}
