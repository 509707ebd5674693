import { inputProperties } from "../../provider/engine/description.js";
import type { RulesetInputs, RulesetState } from "../../provider/kinds/rulesets/description.js";
import { PHASE_ENTRYPOINT, RULESET } from "../../provider/kinds/rulesets/description.js";
import type { Seed } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { ManagedResource, type StoredResource } from "./managed.js";

export type { Action, RunResult } from "./managed.js";

export type ResourceKind = typeof PHASE_ENTRYPOINT.type | typeof RULESET.type;

interface StoredRuleset extends StoredResource<RulesetState> {
  readonly inputs: RulesetInputs;
}

/** A resource that manages a ruleset. */
export class ManagedRuleset extends ManagedResource<RulesetState, StoredRuleset> {
  /** Another resource of the same stack. */
  sibling(kind: ResourceKind, urn: string): ManagedRuleset {
    return new ManagedRuleset(kind, this.service, urn, this.url);
  }

  /** The state after every step; a refresh of a ruleset takes one list, or also one read if the list cannot be read. */
  override async settled(inputs: object): Promise<void> {
    const action = this.unchangedAction;
    expect(await this.up(inputs)).toMatchObject({ action, requests: [] });
    const before = this.kept;
    await this.refresh();
    expect(await this.service.requests()).toHaveLength(1);
    expect(this.kept).toEqual(before);
    await this.service.fault({ method: "GET", path: "/rulesets$", status: 403 });
    await this.refresh();
    expect(await this.service.requests()).toHaveLength(2);
    expect(this.kept?.state).toEqual(before?.state);
    expect(this.kept?.inputs).toEqual(inputsIn(before?.state));
    expect(await this.up(inputs)).toMatchObject({ action: "none", requests: [] });
  }
}

/** The declared inputs in a state. */
export function inputsIn(state: RulesetState | undefined): object {
  const names = Object.keys(inputProperties(RULESET)).filter((name) => name !== "__declared");
  return Object.fromEntries(Object.entries(state ?? {}).filter(([name]) => names.includes(name)));
}

export async function startService(seed?: Seed): Promise<{ service: Service; zoneId: string; accountId: string }> {
  const service = new Service(await freshEmulator({ seed }));
  return { service, zoneId: await service.zone(), accountId: await service.account() };
}

/** A service with one zone, as `startService`, and an entry point of it that has not been created yet. */
export async function startEntrypoint(): Promise<{
  service: Service;
  zoneId: string;
  scope: string;
  resource: ManagedRuleset;
}> {
  const { service, zoneId } = await startService();
  const resource = new ManagedRuleset("PhaseEntrypoint", service);
  return { service, zoneId, scope: `zones/${zoneId}`, resource };
}
