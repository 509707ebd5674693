import { parsePlan } from "../../provider/engine/plan-text.js";
import type { Seed } from "../../emulator/index.js";
import { IS_PLUGIN } from "./front-ends.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { ManagedRuleset, type ResourceKind } from "./harness.js";
import { ManagedResource, type Action, type StoredResource, type RunResult } from "./managed.js";

/** The zone and the account of the emulator. */
export interface Ids {
  readonly zoneId: string;
  readonly accountId: string;
}

export interface Step {
  readonly inputs: object;
  readonly expect: Action;
  /** Notes and warnings of the preview, in order. @default anything */
  readonly says?: readonly unknown[];
  /** How many rules or items change, as the plan of the preview says. @default any */
  readonly counts?: string;
  /** Of the `up`, in order: method and the end of the path, or the method alone. @default any */
  readonly requests?: readonly string[];
  /** Part of the state after the step. */
  readonly state?: object;
  /** Runs before the step, as someone else. */
  readonly meanwhile?: (service: Service, kept: StoredResource<unknown> | undefined) => Promise<void>;
}

/** What happens to a resource after its first step, in addition to the steps. */
export interface LifecycleEvents {
  /** Someone else's change: the inputs and state that a refresh finds, and the action of the next `up`. */
  readonly drift?: {
    readonly by: (service: Service, kept: StoredResource<unknown>) => Promise<unknown>;
    readonly shows: object;
    readonly expect: Action;
  };
  /** Deletes the resource as someone else: a refresh drops it. */
  readonly gone?: (service: Service, kept: StoredResource<unknown>) => Promise<unknown>;
  /** The response of the write is lost: this `up` or the next one finishes the step, without a second write. */
  readonly lost?: string;
  /** Methods of the requests of a delete; or the error that refuses it. */
  readonly delete: readonly string[] | RegExp;
}

/** The service's answer to an address that it does not have, such as a misspelled base URL. */
const NO_ROUTE = {
  success: false,
  errors: [{ code: 7000, message: "No route for that URI" }],
  messages: [],
  result: null,
};

/** An answer in the service's format that contains nothing. */
const DONE = { success: true, errors: [], messages: [] };

export type Steps = (ids: Ids, service: Service) => readonly Step[] | Promise<readonly Step[]>;

interface Started {
  readonly service: Service;
  readonly ids: Ids;
  readonly managed: ManagedResource<unknown>;
  readonly steps: readonly Step[];
}

/** Tests a resource by steps, and that it is stable after each one. */
export function lifecycle(name: string, kind: string, steps: Steps, seed?: Seed): void {
  test(name, () =>
    withResource(kind, steps, seed, async ({ managed, service, ids, steps: all }) => {
      for (const step of all) await runStep(managed, step);
      if (managed instanceof ManagedRuleset) await leavesNothing(managed, service, ids);
    }),
  );
}

/** The same, and what happens to the resource after its first step. */
export function lifecycleWithEvents(kind: string, steps: Steps, events: LifecycleEvents, seed?: Seed): void {
  const testResource = (name: string, work: (started: Started, first: Step) => Promise<void>): void => {
    test(name, () =>
      withResource(kind, steps, seed, async (started) => {
        const [first] = started.steps;
        if (first === undefined) throw new Error("no steps");
        await work(started, first);
      }),
    );
  };
  describe(kind, () => {
    lifecycle("step by step, stable after each", kind, steps, seed);

    const { drift, gone, lost } = events;
    if (drift !== undefined)
      testResource(
        "someone else's change shows in a refresh, and the next up reverts it",
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
      testResource("a missing resource is dropped by a refresh", async ({ managed, service }, { inputs }) => {
        await managed.up(inputs);
        await gone(service, keptBy(managed));
        expect([await managed.refresh(), managed.kept]).toEqual([false, undefined]);
      });
    if (lost !== undefined)
      testResource("a write whose response is lost is not sent twice", async ({ managed, service }, { inputs }) => {
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
    testResource("a success that says nothing is no answer to a refresh", async ({ managed, service }, { inputs }) => {
      await managed.up(inputs);
      const before = managed.kept;
      for (const body of [DONE, { ...DONE, result: {} }]) {
        await service.fault({ status: 200, body, times: 99 });
        await expect(managed.refresh()).rejects.toThrow(/^GET \S+: |without an ID/);
        await service.noFaults();
        expect(managed.kept).toEqual(before);
      }
      await service.forget();
      await managed.settled(inputs);
    });
    testResource("a 404 of something else than the service drops nothing", async ({ managed, service }, { inputs }) => {
      await managed.up(inputs);
      for (const body of ["<html>not found</html>", NO_ROUTE]) {
        await service.fault({ status: 404, body, times: 99 });
        await expect(managed.refresh()).rejects.toThrow("check rulesets:baseUrl");
        await service.noFaults();
        await managed.settled(inputs);
      }
    });
    testResource("is deleted", async ({ managed }, { inputs }) => {
      await managed.up(inputs);
      if (events.delete instanceof RegExp) await expect(managed.destroy()).rejects.toThrow(events.delete);
      else expect((await managed.destroy()).map(methodOf)).toEqual(events.delete);
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
  const service = new Service(emulator);
  const ids = { zoneId: await service.zone(), accountId: await service.account() };
  const all = await steps(ids, service);
  await service.forget();
  const managed = isRulesetKind(kind) ? new ManagedRuleset(kind, service) : new ManagedResource<unknown>(kind, service);
  await work({ service, ids, managed, steps: all });
}

function isRulesetKind(kind: string): kind is ResourceKind {
  return kind === "PhaseEntrypoint" || kind === "Ruleset";
}

function keptBy(managed: ManagedResource<unknown>): StoredResource<unknown> {
  if (managed.kept === undefined) throw new Error("nothing is kept");
  return managed.kept;
}

/** Checks the messages of the preview, the requests of the `up`, the state, and that nothing is left to do. */
async function runStep(managed: ManagedResource<unknown>, { inputs, meanwhile, ...expected }: Step): Promise<void> {
  await meanwhile?.(managed.service, managed.kept);
  const preview = await managed.preview(inputs);
  expect(preview.requests.filter((request) => methodOf(request) !== "GET")).toEqual([]);
  if (expected.says !== undefined) {
    const said = [...preview.notes, ...preview.warnings];
    expect(said).toHaveLength(expected.says.length);
    // The provider plugin says what only previews say after the comparison.
    expect(said).toEqual(IS_PLUGIN ? expect.arrayContaining([...expected.says]) : expected.says);
  }
  if (expected.counts !== undefined) expect(preview.plans.map(parsePlan)).toMatchObject([{ counts: expected.counts }]);
  const ran = await managed.up(inputs);
  expect([preview.action, ran.action]).toEqual([expected.expect, expected.expect]);
  if (expected.requests !== undefined) expect(shown(ran, expected.requests)).toEqual(expected.requests);
  if (expected.state !== undefined) expect(managed.kept?.state).toMatchObject(expected.state);
  await managed.settled(inputs);
}

/** The requests as a table writes them: the method alone where it has only that, and no IDs. */
function shown({ requests }: RunResult, wanted: readonly string[]): string[] {
  return requests.map((request, index) =>
    wanted[index]?.includes(" ") === false
      ? methodOf(request)
      : request.replace(/\/(zones|accounts)\/[0-9a-f]{32}/, "").replace(/[0-9a-f]{32}/g, "<id>"),
  );
}

function methodOf(request: string): string {
  return request.split(" ")[0] ?? "";
}

/** Expects that no rule and no custom ruleset is left at the end. */
async function leavesNothing(resource: ManagedRuleset, service: Service, { zoneId, accountId }: Ids): Promise<void> {
  await resource.destroy();
  for (const scope of [`zones/${zoneId}`, `accounts/${accountId}`]) {
    const left = (await service.list(scope)).filter(({ kind }) => kind !== "managed");
    const whole = await Promise.all(left.map(({ id }) => service.ruleset(scope, id)));
    expect(whole.flatMap((ruleset) => ruleset.rules)).toEqual([]);
    expect(left.filter((ruleset) => ruleset.kind === "custom")).toEqual([]);
  }
}
