import type { ProveInput } from "./prove.js";
import { listsIn } from "../formula/known-lists.js";
import { isHostOf } from "../zones.js";
import { Experiment, hostOf, type Shown } from "./experiment.js";
import type { Invariant } from "./invariant.js";

/** Repeats the requests that violate an invariant in a zone for zones with the same rules, without searching again. */
export class SameForOthers {
  private readonly experiments = new Map<Invariant, Experiment>();

  constructor(private readonly zone: Required<Pick<ProveInput, "rulesets" | "zone">>) {}

  /**
   * The request for another zone, by its name.
   * @returns undefined if that request misses nothing, because the host matters
   */
  forZone(zoneName: string, invariant: Invariant, shown: Shown): Shown | undefined {
    const { rulesets, zone } = this.zone;
    const experiment =
      this.experiments.get(invariant) ??
      new Experiment(invariant, { rulesets, zone, host: zone.name, lists: listsIn(rulesets), uses: new Set() });
    this.experiments.set(invariant, experiment);
    const host = hostOf(shown);
    const isOwn = zone.name !== undefined && isHostOf(zone.name, host);
    return experiment.atHost(
      shown,
      isOwn ? host.slice(0, host.length - (zone.name ?? "").length) + zoneName : zoneName,
    );
  }
}
