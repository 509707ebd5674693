import { inputProperties } from "../../provider/engine/description.js";
import type { RulesetInputs, RulesetState } from "../../provider/kinds/ruleset/description.js";
import { PHASE_ENTRYPOINT, RULESET } from "../../provider/kinds/ruleset/description.js";
import { startEmulator, type Emulator, type Seed } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { Managed, type Kept as KeptOf, type Action } from "./managed.js";

export type { Action, Ran } from "./managed.js";

export type ResourceKind = typeof PHASE_ENTRYPOINT.type | typeof RULESET.type;

interface Kept extends KeptOf<RulesetState> {
  readonly inputs: RulesetInputs;
}

/** A resource that a ruleset stands behind. */
export class Driven extends Managed<RulesetState, Kept> {
  /** Another resource of the same stack. */
  sibling(kind: ResourceKind, urn: string): Driven {
    const sibling = new Driven(kind, this.service, urn, this.url);
    sibling.stack = this.stack;
    this.stack.push(sibling);
    return sibling;
  }

  /** What must hold after every step; a refresh of a ruleset takes one request. */
  override async settled(inputs: object): Promise<void> {
    expect(await this.up(inputs)).toMatchObject({ action: "none", requests: [] });
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
