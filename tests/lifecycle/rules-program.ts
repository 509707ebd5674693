import { createClient, type Client } from "../../provider/client/index.js";
import type { StackResource } from "../../provider/engine/predecessors.js";
import { Session, type PreviewChecks } from "../../provider/engine/session.js";
import { KINDS, type Props } from "../../provider/kinds/index.js";
import type { RuleState } from "../../provider/kinds/ruleset-rule/description.js";
import { PartialFailure } from "../../provider/model/errors.js";
import type { JsonObject } from "../../provider/model/json.js";
import { failureText } from "../../provider/validation/index.js";
import { TOKEN, type Service } from "../support/emulator.js";

interface Kept {
  readonly kind: string;
  readonly id: string;
  readonly inputs: Props;
  readonly state: Props;
}

/** What a run of a program came to. */
export interface ProgramRun {
  /** By name: what happened to each resource, the deleted ones too. */
  readonly actions: Readonly<Record<string, string>>;
  /** Methods of the requests, in order. */
  readonly requests: string;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** Arguments of a RulesetRule; another kind names itself. */
export type ProgramArgs = Readonly<Record<string, { readonly kind?: string } & Readonly<Record<string, unknown>>>>;

/**
 * A program of several resources in one stack, driven as the engine drives it: one process for a run, checks in the order of
 * the program, writes at the same time, and deletes last.
 */
export class RulesProgram {
  readonly kept = new Map<string, Kept>();
  private notes: string[] = [];
  private warnings: string[] = [];

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

  /** What a run asks the service with. */
  protected newClient(): Client {
    const credentials = { kind: "token", apiToken: TOKEN } as const;
    return createClient({ baseUrl: this.service.emulator.url, credentials, maxRetries: 0 });
  }

  private newSession(previewChecks?: PreviewChecks): Session {
    [this.notes, this.warnings] = [[], []];
    const client = this.newClient();
    return new Session({
      client: () => client,
      previewChecks,
      readStack: () => Promise.resolve(this.records()),
      reporter: {
        info: (_, text) => this.notes.push(text),
        warn: (_, text) => this.warnings.push(text),
        status: () => undefined,
      },
    });
  }

  private records(): StackResource[] {
    return [...this.kept.values()].map(({ kind, state }) => ({ type: kind, state: plain(state) as JsonObject }));
  }

  preview(
    program: ProgramArgs,
    previewChecks?: PreviewChecks,
  ): Promise<ProgramRun & { inputs: Record<string, Props> }> {
    return this.run(program, true, this.newSession(previewChecks));
  }

  up(program: ProgramArgs): Promise<ProgramRun & { inputs: Record<string, Props> }> {
    return this.run(program, false, this.newSession());
  }

  private async run(program: ProgramArgs, preview: boolean, session: Session) {
    await this.service.forget();
    const actions: Record<string, string> = {};
    const inputs: Record<string, Props> = {};
    const failures: string[] = [];
    const writes: (() => Promise<void>)[] = [];
    const old: [string, Kept][] = [];
    for (const [name, { kind = "RulesetRule", ...args }] of Object.entries(program)) {
      const lifecycle = KINDS[kind]?.();
      if (lifecycle === undefined) throw new Error(kind);
      const before = this.kept.get(name);
      const news = {
        ...args,
        __urn: this.urnOf(name, kind),
        __preview: preview,
        __stack: { monitor: "none", name: "o/p/s" },
      };
      const check = async (olds: Props): Promise<Props | undefined> => {
        const checked = await lifecycle.check(session, plain(olds), news);
        failures.push(...checked.failures.map(failureText));
        return checked.failures.length > 0 ? undefined : plain(checked.inputs as Props);
      };
      let next = await check(before?.inputs ?? {});
      if (next === undefined) continue;
      const change =
        before === undefined ? undefined : await lifecycle.diff(session, before.id, plain(before.state), next);
      actions[name] = change?.kind ?? "create";
      if (change?.kind === "replace") next = await check({});
      if (next === undefined) continue;
      const checked = next;
      inputs[name] = checked;
      if (change?.kind === "none" && before !== undefined)
        this.keep(name, before, { ...before, inputs: checked }, preview);
      if (change?.kind === "replace" && before !== undefined) old.push([name, before]);
      if (change?.kind === "update" && before !== undefined)
        writes.push(async () => {
          const state = await lifecycle.update(session, before.id, plain(before.state), checked).catch(salvaged);
          this.settle(name, { kind, id: before.id, inputs: checked }, state, before);
        });
      if (change === undefined || change.kind === "replace")
        writes.push(async () => {
          const made = await lifecycle.create(session, checked).catch(salvaged);
          const id = made instanceof PartialFailure ? made.id : made.id;
          this.settle(name, { kind, id, inputs: checked }, made instanceof PartialFailure ? made : made.state);
        });
    }
    if (failures.length > 0) throw new Error(failures.join("\n"));
    for (const [name, before] of this.kept) if (program[name] === undefined) old.push([name, before]);
    if (!preview) {
      const done = await Promise.allSettled(writes.map((write) => write()));
      const failed = done.flatMap((result) => (result.status === "rejected" ? [result.reason as Error] : []));
      if (failed[0] !== undefined) throw failed[0];
      for (const [name, before] of old) await this.remove(session, name, before, program[name] === undefined);
    }
    for (const [name] of old) actions[name] ??= "delete";
    const requests = (await this.service.requests()).map((request) => request.split(" ")[0]).join(" ");
    return { actions, inputs, requests, notes: this.notes, warnings: this.warnings };
  }

  private keep(name: string, before: Kept, kept: Kept, preview: boolean): void {
    this.kept.set(name, preview ? before : kept);
  }

  private settle(name: string, made: Omit<Kept, "state">, state: object, before?: Kept): void {
    if (state instanceof PartialFailure) {
      this.kept.set(name, { ...made, inputs: before?.inputs ?? made.inputs, state: plain(state.state as Props) });
      throw state;
    }
    this.kept.set(name, { ...made, state: plain(state as Props) });
  }

  private async remove(session: Session, name: string, { kind, id, state }: Kept, gone: boolean): Promise<void> {
    await KINDS[kind]?.().delete(session, id, plain(state));
    if (gone) this.kept.delete(name);
  }

  /** What a run said. */
  get said(): { readonly notes: readonly string[]; readonly warnings: readonly string[] } {
    return { notes: this.notes, warnings: this.warnings };
  }

  /** A refresh of everything, at the same time. Returns the methods of the requests. */
  async refresh(): Promise<string> {
    const session = this.newSession();
    await this.service.forget();
    await Promise.all(
      [...this.kept].map(async ([name, { kind, id, state }]) => {
        const found = await KINDS[kind]?.().read(session, id, plain(state));
        if (found === undefined) this.kept.delete(name);
        else
          this.kept.set(name, { kind, id, inputs: plain(found.inputs as Props), state: plain(found.state as Props) });
      }),
    );
    return (await this.service.requests()).map((request) => request.split(" ")[0]).join(" ");
  }

  async destroy(): Promise<string> {
    const session = this.newSession();
    await this.service.forget();
    for (const [name, kept] of [...this.kept]) await this.remove(session, name, kept, true);
    return (await this.service.requests()).map((request) => request.split(" ")[0]).join(" ");
  }

  /** What must hold after every run: nothing left to do, nothing sent, and a refresh that finds every state as it is. */
  async settled(program: ProgramArgs): Promise<void> {
    const none = Object.fromEntries(Object.keys(program).map((name) => [name, "none"]));
    expect(await this.up(program)).toMatchObject({ actions: none, requests: "" });
    const before = new Map(this.kept);
    await this.refresh();
    expect(new Map(this.kept)).toEqual(before);
    expect(await this.up(program)).toMatchObject({ actions: none, requests: "" });
  }
}

function salvaged(error: unknown): PartialFailure<object> {
  if (error instanceof PartialFailure) return error as PartialFailure<object>;
  throw error;
}

/** The engine hands everything over as plain objects, whatever it was before. */
function plain(props: Props): Props {
  return JSON.parse(JSON.stringify(props)) as Props;
}
