import { createClient } from "../../provider/client/index.js";
import { inputProperties } from "../../provider/engine/description.js";
import type { Kind } from "../../provider/engine/kind.js";
import type { Props } from "../../provider/engine/lifecycle.js";
import type { RulesetInputs, RulesetState } from "../../provider/kinds/ruleset/description.js";
import { PHASE_ENTRYPOINT, RULESET } from "../../provider/kinds/ruleset/description.js";
import { phaseEntrypoint, ruleset } from "../../provider/kinds/ruleset/kind.js";
import { PartialFailure } from "../../provider/model/errors.js";
import { failureText } from "../../provider/validation/index.js";
import { Session, type SessionOptions } from "../../provider/engine/session.js";
import type { JsonObject } from "../../provider/model/json.js";
import type { StackResource } from "../../provider/engine/predecessors.js";
import type { OnConflict } from "../../provider/model/options.js";
import { startEmulator, type Emulator, type Seed } from "../../emulator/index.js";
import { Service, TOKEN } from "../support/emulator.js";

/** Where the state of the stack could be read, if there were an engine. */
const STACK = { monitor: "none", name: "o/p/s" };

export type ResourceKind = typeof PHASE_ENTRYPOINT.type | typeof RULESET.type;
const KINDS: Readonly<Record<ResourceKind, Kind>> = { PhaseEntrypoint: phaseEntrypoint, Ruleset: ruleset };

export type Action = "create" | "update" | "replace" | "none";

/** What a run of one resource came to. */
export interface Ran {
  readonly action: Action;
  /** Requests from the check to the write. */
  readonly requests: readonly string[];
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** What a run may be told by variables of its environment. */
interface Variables {
  readonly onConflict?: OnConflict;
  readonly maxRemovedPercent?: number;
}

interface Kept {
  readonly id: string;
  readonly inputs: RulesetInputs;
  readonly state: RulesetState;
}

/** One resource and its state, driven as the engine drives it: a new process for every run. */
export class Driven {
  kept: Kept | undefined;
  readonly notes: string[] = [];
  readonly warnings: string[] = [];
  session: Session;
  /** What the configuration sets. */
  settings: Partial<SessionOptions> = {};
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

  newSession(options: Variables & { readonly client?: () => never } = {}): Session {
    const client = createClient({ baseUrl: this.url, credentials: { kind: "token", apiToken: TOKEN }, maxRetries: 0 });
    this.notes.length = 0;
    this.warnings.length = 0;
    this.session = new Session({
      ...this.settings,
      client: options.client ?? (() => client),
      onConflictOverride: options.onConflict,
      maxRemovedPercentOverride: options.maxRemovedPercent,
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
  async plan(inputs: object, preview: boolean): Promise<{ readonly action: Action; readonly checked: RulesetInputs }> {
    this.acrossTheBorder();
    const { kept } = this;
    const checked = await this.check({ ...kept?.inputs }, inputs, preview);
    if (kept === undefined) return { action: "create", checked };
    const change = await this.provider.diff(this.session, kept.id, { ...kept.state }, { ...checked });
    return { action: change.kind, checked };
  }

  private get provider(): Kind {
    return KINDS[this.kind];
  }

  private async check(olds: Props, inputs: object, preview: boolean): Promise<RulesetInputs> {
    const news = { ...inputs, __urn: this.urn, __preview: preview, __stack: STACK };
    const checked = await this.provider.check(this.session, olds, news);
    if (checked.failures.length > 0) throw new Error(checked.failures.map(failureText).join("\n"));
    return checked.inputs as RulesetInputs;
  }

  async preview(inputs: object): Promise<Ran> {
    this.newSession();
    await this.service.forget();
    const { action } = await this.plan(inputs, true);
    return this.ran(action);
  }

  async up(inputs: object, options: Variables = {}): Promise<Ran> {
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
          state: (await this.provider.update(this.session, old.id, { ...old.state }, { ...checked })) as RulesetState,
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
    const again = await this.check({}, inputs, false);
    if (deleteFirst) {
      await this.deleteOther(old.id, old.state);
      this.kept = undefined;
    }
    await this.make(again);
    if (!deleteFirst) await this.deleteOther(old.id, old.state);
  }

  private async make(checked: RulesetInputs): Promise<void> {
    try {
      const { id, state } = await this.provider.create(this.session, { ...checked });
      this.kept = { id, inputs: checked, state: state as RulesetState };
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
    this.acrossTheBorder();
    const { id, state } = this.kept;
    const found = await this.provider.read(this.session, id, { ...state });
    this.kept =
      found === undefined
        ? undefined
        : { id, inputs: found.inputs as RulesetInputs, state: found.state as RulesetState };
    return found !== undefined;
  }

  async destroy(options: Variables = {}): Promise<readonly string[]> {
    if (this.kept === undefined) return [];
    this.newSession(options);
    await this.service.forget();
    await this.deleteOther(this.kept.id, this.kept.state);
    this.kept = undefined;
    return this.service.requests();
  }

  /** Deletes what another resource of the same run held before, as the engine does at the end of a rename. */
  async deleteOther(id: string, state: RulesetState): Promise<void> {
    await this.provider.delete(this.session, id, { ...state });
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
    expect(this.kept?.inputs).toEqual(inputsIn(before?.state));
    expect(await this.up(inputs)).toMatchObject({ action: "none", requests: [] });
  }
}

/** The declared inputs inside a state. */
export function inputsIn(state: RulesetState | undefined): object {
  const names = Object.keys(inputProperties(RULESET)).filter((name) => name !== "__declared");
  return Object.fromEntries(Object.entries(state ?? {}).filter(([name]) => names.includes(name)));
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
