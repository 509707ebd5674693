import { createClient } from "../../provider/client/index.js";
import { attend } from "../../provider/kinds/ruleset/attend.js";
import type { RawInputs } from "../../provider/kinds/ruleset/check-request.js";
import { check } from "../../provider/kinds/ruleset/check.js";
import { create } from "../../provider/kinds/ruleset/create.js";
import { deleteRuleset } from "../../provider/kinds/ruleset/delete.js";
import { diff } from "../../provider/kinds/ruleset/diff.js";
import type { CheckedInputs, ResourceKind, RulesetState } from "../../provider/kinds/ruleset/model.js";
import { read } from "../../provider/kinds/ruleset/read.js";
import { update } from "../../provider/kinds/ruleset/update.js";
import { inputsOf } from "../../provider/kinds/ruleset/model.js";
import { PartialFailure } from "../../provider/model/errors.js";
import { failureText } from "../../provider/validation/index.js";
import { Session } from "../../provider/engine/session.js";
import type { JsonObject } from "../../provider/model/json.js";
import type { StackResource } from "../../provider/engine/predecessors.js";
import type { OnConflict } from "../../provider/model/options.js";
import { startEmulator, type Emulator, type Seed } from "../../emulator/index.js";
import { Service, TOKEN } from "../support/emulator.js";

/** Where the state of the stack could be read, if there were an engine. */
const STACK = { monitor: "none", name: "o/p/s" };

export type Action = "create" | "update" | "replace" | "none";

/** What a run of one resource came to. */
export interface Ran {
  readonly action: Action;
  /** Requests from the check to the write. */
  readonly requests: readonly string[];
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

interface Kept {
  readonly id: string;
  readonly inputs: CheckedInputs;
  readonly state: RulesetState;
}

/** One resource and its state, driven as the engine drives it: a new process for every run. */
export class Driven {
  kept: Kept | undefined;
  readonly notes: string[] = [];
  readonly warnings: string[] = [];
  session: Session;
  /** Whether the engine tells what the state of the stack holds. */
  tellsState = true;
  /** Every resource of the same stack. */
  private stack: Driven[] = [this];

  constructor(
    readonly kind: ResourceKind,
    readonly service: Service,
    readonly urn: string = "urn:test",
    private readonly url: string = service.emulator.url,
  ) {
    this.session = this.newSession();
  }

  /** Another resource of the same stack. */
  sibling(kind: ResourceKind, urn: string): Driven {
    const sibling = new Driven(kind, this.service, urn, this.url);
    sibling.stack = this.stack;
    this.stack.push(sibling);
    return sibling;
  }

  /** What the engine tells of the stack's last state. */
  private records(): StackResource[] {
    return this.stack.flatMap(({ kind, kept }) =>
      kept === undefined ? [] : [{ kind, state: JSON.parse(JSON.stringify(kept.state)) as JsonObject }],
    );
  }

  newSession(options: { readonly onConflict?: OnConflict; readonly client?: () => never } = {}): Session {
    const client = createClient({ baseUrl: this.url, credentials: { kind: "token", apiToken: TOKEN }, maxRetries: 0 });
    this.notes.length = 0;
    this.warnings.length = 0;
    this.session = new Session({
      client: options.client ?? (() => client),
      onConflictOverride: options.onConflict,
      readStack: () => (this.tellsState ? Promise.resolve(this.records()) : Promise.reject(new Error("unavailable"))),
      reporter: {
        info: (_, text) => this.notes.push(text),
        warn: (_, text) => this.warnings.push(text),
        status: () => undefined,
      },
    });
    return this.session;
  }

  /** The engine hands states over as plain objects, whatever they were before. */
  private acrossTheBorder(): void {
    if (this.kept !== undefined) this.kept = JSON.parse(JSON.stringify(this.kept)) as Kept;
  }

  /** `check` and `diff`, as a preview calls them. Throws the failures. */
  async plan(inputs: object, preview: boolean): Promise<{ readonly action: Action; readonly checked: CheckedInputs }> {
    this.acrossTheBorder();
    const news = { ...inputs, __urn: this.urn, __preview: preview, __stack: STACK } as unknown as RawInputs;
    const checked = await check(this.kind, this.session, this.kept?.inputs as unknown as RawInputs | undefined, news);
    if (checked.failures.length > 0) throw new Error(checked.failures.map(failureText).join("\n"));
    if (this.kept === undefined) return { action: "create", checked: checked.inputs };
    const change = diff(this.kind, this.kept.state, checked.inputs);
    await attend(this.session, this.kept.id, this.kept.state, checked.inputs, change);
    return { action: change.kind, checked: checked.inputs };
  }

  async preview(inputs: object): Promise<Ran> {
    this.newSession();
    await this.service.forget();
    const { action } = await this.plan(inputs, true);
    return this.ran(action);
  }

  async up(inputs: object, options: { readonly onConflict?: OnConflict } = {}): Promise<Ran> {
    this.newSession(options);
    await this.service.forget();
    const { action, checked } = await this.plan(inputs, false);
    const old = this.kept;
    try {
      if (action === "create") await this.make(checked);
      if (action === "update" && old !== undefined) {
        this.kept = {
          id: old.id,
          inputs: checked,
          state: await update(this.kind, this.session, old.id, old.state, checked),
        };
      }
      if (action === "none" && old !== undefined) this.kept = { ...old, inputs: checked };
      if (action === "replace" && old !== undefined) await this.replace(inputs, old);
    } catch (error) {
      if (error instanceof PartialFailure && old !== undefined) {
        this.kept = { ...old, state: (error as PartialFailure<RulesetState>).state };
      }
      throw error;
    }
    return this.ran(action);
  }

  /** What `up --replace` and a taint do: no diff, a new object, and the old one deleted last. */
  async replaceForced(inputs: object, options: { readonly deleteFirst?: boolean } = {}): Promise<Ran> {
    this.newSession();
    await this.service.forget();
    if (this.kept !== undefined) await this.replace(inputs, this.kept, options.deleteFirst);
    return this.ran("replace");
  }

  /** What `replaceOnChanges` does: an update that the engine turns into a replacement. */
  async replaceOnChanges(inputs: object): Promise<Ran> {
    this.newSession();
    await this.service.forget();
    await this.plan(inputs, false);
    if (this.kept !== undefined) await this.replace(inputs, this.kept);
    return this.ran("replace");
  }

  private async replace(inputs: object, old: Kept, deleteFirst = false): Promise<void> {
    const news = { ...inputs, __urn: this.urn, __preview: false, __stack: STACK } as unknown as RawInputs;
    const again = await check(this.kind, this.session, {}, news);
    if (again.failures.length > 0) throw new Error(again.failures.map(failureText).join("\n"));
    if (deleteFirst) {
      await deleteRuleset(this.session, old.id, old.state);
      this.kept = undefined;
    }
    await this.make(again.inputs);
    if (!deleteFirst) await deleteRuleset(this.session, old.id, old.state);
  }

  private async make(checked: CheckedInputs): Promise<void> {
    try {
      const { id, state } = await create(this.kind, this.session, checked);
      this.kept = { id, inputs: checked, state };
    } catch (error) {
      if (error instanceof PartialFailure)
        this.kept = { id: error.id, inputs: checked, state: (error as PartialFailure<RulesetState>).state };
      throw error;
    }
  }

  /** A refresh. False when the object is gone. */
  async refresh(): Promise<boolean> {
    if (this.kept === undefined) return false;
    this.newSession();
    await this.service.forget();
    const found = await read(this.kind, this.session, this.kept.id, this.kept.state);
    this.kept = found === undefined ? undefined : { id: this.kept.id, inputs: found.inputs, state: found.state };
    return found !== undefined;
  }

  async destroy(options: { readonly onConflict?: OnConflict } = {}): Promise<readonly string[]> {
    if (this.kept === undefined) return [];
    this.newSession(options);
    await this.service.forget();
    await deleteRuleset(this.session, this.kept.id, this.kept.state);
    this.kept = undefined;
    return this.service.requests();
  }

  /** Deletes what another resource of the same run held before, as the engine does at the end of a rename. */
  async deleteOther(id: string, state: RulesetState): Promise<void> {
    await deleteRuleset(this.session, id, state);
  }

  private async ran(action: Action): Promise<Ran> {
    return { action, requests: await this.service.requests(), notes: [...this.notes], warnings: [...this.warnings] };
  }

  /** What must hold after every step: nothing left to do, nothing sent, and a refresh that finds the state as it is. */
  async settled(inputs: object): Promise<void> {
    const again = await this.up(inputs);
    expect(again).toMatchObject({ action: "none", requests: [] });
    const before = this.kept;
    await this.refresh();
    expect(await this.service.requests()).toHaveLength(1);
    expect(this.kept?.state).toEqual(before?.state);
    expect(this.kept?.inputs).toEqual(inputsOf(before?.state as CheckedInputs));
    expect(await this.up(inputs)).toMatchObject({ action: "none", requests: [] });
  }
}

export interface Step {
  readonly inputs: object;
  readonly expect: Action;
  /** Method and the end of the path, in order. */
  readonly requests?: readonly string[];
  /** Runs before the step, as somebody else. */
  readonly meanwhile?: (service: Service, kept: Kept | undefined) => Promise<void>;
}

/** Tests a resource by steps, and after each one that it has come to rest. */
export function lifecycle(
  name: string,
  kind: ResourceKind,
  steps: (ids: { zoneId: string; accountId: string }) => readonly Step[],
  seed?: Seed,
): void {
  test(name, async () => {
    const { emulator, service, ids } = await startService(seed);
    try {
      const driven = new Driven(kind, service);
      for (const step of steps(ids)) {
        await step.meanwhile?.(service, driven.kept);
        const ran = await driven.up(step.inputs);
        expect(ran.action).toBe(step.expect);
        if (step.requests !== undefined) {
          expect(
            ran.requests.map((request) =>
              request.replace(/\/(zones|accounts)\/[0-9a-f]{32}/, "").replace(/[0-9a-f]{32}/g, "<id>"),
            ),
          ).toEqual(step.requests);
        }
        await driven.settled(step.inputs);
      }
      await driven.destroy();
      for (const scope of [`zones/${ids.zoneId}`, `accounts/${ids.accountId}`]) {
        const left = (await service.list(scope)).filter(({ kind }) => kind !== "managed");
        const whole = await Promise.all(left.map(({ id }) => service.ruleset(scope, id)));
        expect(whole.flatMap((ruleset) => ruleset.rules)).toEqual([]);
        expect(left.filter((ruleset) => ruleset.kind === "custom")).toEqual([]);
      }
    } finally {
      await emulator.close();
    }
  });
}

export async function startService(
  seed?: Seed,
): Promise<{ emulator: Emulator; service: Service; ids: { zoneId: string; accountId: string } }> {
  const emulator = await startEmulator({ seed });
  const service = new Service(emulator);
  return { emulator, service, ids: { zoneId: await service.zone(), accountId: await service.account() } };
}
