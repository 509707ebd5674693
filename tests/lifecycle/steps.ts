import type { Seed } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { Driven, type ResourceKind } from "./harness.js";
import { Managed, type Action, type Kept, type Ran } from "./managed.js";

/** What a program may name: the zone and the account of the emulator. */
export interface Ids {
  readonly zoneId: string;
  readonly accountId: string;
}

export interface Step {
  readonly inputs: object;
  readonly expect: Action;
  /** Notes and warnings of the preview, in order. @default anything */
  readonly says?: readonly unknown[];
  /** Of the `up`, in order: method and the end of the path, or the method alone. @default any */
  readonly requests?: readonly string[];
  /** Members of the state after the step. */
  readonly state?: object;
  /** Runs before the step, as somebody else. */
  readonly meanwhile?: (service: Service, kept: Kept<unknown> | undefined) => Promise<void>;
}

/** What becomes of a resource after its first step, beside the steps. */
export interface Fates {
  /** Somebody else's change: what a refresh then finds among inputs and state, and what the next `up` does about it. */
  readonly drift?: {
    readonly by: (service: Service, kept: Kept<unknown>) => Promise<unknown>;
    readonly shows: object;
    readonly expect: Action;
  };
  /** Takes away what is managed, as somebody else: a refresh drops it. */
  readonly gone?: (service: Service, kept: Kept<unknown>) => Promise<unknown>;
  /** The answer of the write is lost: the step is finished by another `up`, or by the same, without a second write. */
  readonly lost?: string;
  /** Methods of the requests of a delete; or why it is refused. */
  readonly delete: readonly string[] | RegExp;
}

export type Steps = (ids: Ids, service: Service) => readonly Step[] | Promise<readonly Step[]>;

interface Started {
  readonly service: Service;
  readonly ids: Ids;
  readonly managed: Managed<unknown>;
  readonly steps: readonly Step[];
}

/** Tests a resource by steps, and after each one that it has come to rest. */
export function lifecycle(name: string, kind: string, steps: Steps, seed?: Seed): void {
  test(name, () =>
    withResource(kind, steps, seed, async ({ managed, service, ids, steps: all }) => {
      for (const step of all) await take(managed, step);
      if (managed instanceof Driven) await leavesNothing(managed, service, ids);
    }),
  );
}

/** The same, and what becomes of the resource after its first step. */
export function life(kind: string, steps: Steps, fates: Fates, seed?: Seed): void {
  const made = (name: string, work: (started: Started, first: Step) => Promise<void>): void => {
    test(name, () =>
      withResource(kind, steps, seed, async (started) => {
        const [first] = started.steps;
        if (first === undefined) throw new Error("no steps");
        await work(started, first);
      }),
    );
  };
  describe(kind, () => {
    lifecycle("step by step, at rest after each", kind, steps, seed);

    const { drift, gone, lost } = fates;
    if (drift !== undefined)
      made(
        "somebody else's change shows in a refresh, and the next up answers it",
        async ({ managed, service }, { inputs }) => {
          await managed.up(inputs);
          await drift.by(service, keptBy(managed));
          expect(await managed.refresh()).toBe(true);
          expect(managed.kept).toMatchObject(drift.shows);
          expect((await managed.up(inputs)).action).toBe(drift.expect);
          await managed.settled(inputs);
        },
      );
    if (gone !== undefined)
      made("what is gone is dropped by a refresh", async ({ managed, service }, { inputs }) => {
        await managed.up(inputs);
        await gone(service, keptBy(managed));
        expect([await managed.refresh(), managed.kept]).toEqual([false, undefined]);
      });
    if (lost !== undefined)
      made("a write whose answer is lost is not sent twice", async ({ managed, service }, { inputs }) => {
        await service.fault({ method: lost, cut: "after" });
        const first = await managed.up(inputs).then(
          ({ requests }) => requests,
          () => service.requests(),
        );
        const again = await managed.up(inputs);
        const writes = [...first, ...again.requests].filter((request) => request.startsWith(lost));
        expect(writes).toHaveLength(1);
        await managed.settled(inputs);
      });
    made("a delete", async ({ managed }, { inputs }) => {
      await managed.up(inputs);
      if (fates.delete instanceof RegExp) await expect(managed.destroy()).rejects.toThrow(fates.delete);
      else expect((await managed.destroy()).map(methodOf)).toEqual(fates.delete);
    });
  });
}

async function withResource(
  kind: string,
  steps: Steps,
  seed: Seed | undefined,
  work: (started: Started) => Promise<void>,
): Promise<void> {
  const emulator = await freshEmulator({ seed });
  try {
    const service = new Service(emulator);
    const ids = { zoneId: await service.zone(), accountId: await service.account() };
    const all = await steps(ids, service);
    await service.forget();
    const managed = isRulesetKind(kind) ? new Driven(kind, service) : new Managed<unknown>(kind, service);
    await work({ service, ids, managed: managed, steps: all });
  } finally {
    await emulator.close();
  }
}

function isRulesetKind(kind: string): kind is ResourceKind {
  return kind === "PhaseEntrypoint" || kind === "Ruleset";
}

function keptBy(managed: Managed<unknown>): Kept<unknown> {
  if (managed.kept === undefined) throw new Error("nothing is kept");
  return managed.kept;
}

/** What the preview says, what the `up` sends, the state, and that nothing is left to do. */
async function take(managed: Managed<unknown>, { inputs, meanwhile, ...expected }: Step): Promise<void> {
  await meanwhile?.(managed.service, managed.kept);
  const preview = await managed.preview(inputs);
  expect(preview.requests.filter((request) => methodOf(request) !== "GET")).toEqual([]);
  if (expected.says !== undefined) expect([...preview.notes, ...preview.warnings]).toEqual(expected.says);
  const ran = await managed.up(inputs);
  expect([preview.action, ran.action]).toEqual([expected.expect, expected.expect]);
  if (expected.requests !== undefined) expect(shown(ran, expected.requests)).toEqual(expected.requests);
  if (expected.state !== undefined) expect(managed.kept?.state).toMatchObject(expected.state);
  await managed.settled(inputs);
}

/** The requests as a table writes them: the method alone where it does, and no ids. */
function shown({ requests }: Ran, wanted: readonly string[]): string[] {
  return requests.map((request, index) =>
    wanted[index]?.includes(" ") === false
      ? methodOf(request)
      : request.replace(/\/(zones|accounts)\/[0-9a-f]{32}/, "").replace(/[0-9a-f]{32}/g, "<id>"),
  );
}

function methodOf(request: string): string {
  return request.split(" ")[0] ?? "";
}

/** No rule, and no ruleset that somebody must have made, is left at the end. */
async function leavesNothing(driven: Driven, service: Service, { zoneId, accountId }: Ids): Promise<void> {
  await driven.destroy();
  for (const scope of [`zones/${zoneId}`, `accounts/${accountId}`]) {
    const left = (await service.list(scope)).filter(({ kind }) => kind !== "managed");
    const whole = await Promise.all(left.map(({ id }) => service.ruleset(scope, id)));
    expect(whole.flatMap((ruleset) => ruleset.rules)).toEqual([]);
    expect(left.filter((ruleset) => ruleset.kind === "custom")).toEqual([]);
  }
}
