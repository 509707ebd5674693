import type { ProveInput } from "./prove.js";
import { listsIn } from "../formula/known-lists.js";
import { isHostOf } from "../zones.js";
import { Experiment, hostOf, type Shown } from "./experiment.js";
import type { Invariant } from "./invariant.js";

/** Repeats the requests that violate an invariant in a zone for zones with the same rules, without searching again. */
export class SameForOthers {
  private readonly experiments = new Map<Invariant, Experiment>();
  private readonly readsHost: boolean;

  constructor(private readonly zone: Required<Pick<ProveInput, "rulesets" | "zone">>) {
    this.readsHost = zone.rulesets.some(({ rules }) => rules.some((rule) => mayReadHost(JSON.stringify(rule))));
  }

  /**
   * The request for another zone, by its name.
   * @returns undefined if that request misses nothing, because the host matters
   */
  forZone(zoneName: string, invariant: Invariant, shown: Shown): Shown | undefined {
    const { rulesets, zone } = this.zone;
    const was = hostOf(shown);
    if (!this.readsHost && !mayReadHost(invariant.requests)) return withHost(shown, was, zoneName);
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

/** Whether an expression may read the host. */
function mayReadHost(text: string): boolean {
  return /host|full_uri|headers|sni/i.test(text);
}

/** A request that does the same for every host. */
function withHost(shown: Shown, was: string, host: string): Shown {
  const to = (text: string): string => text.replace(`://${was}`, `://${host}`);
  const { input, request, text, trace } = shown;
  return { input: { ...input, url: to(input.url.toString()) }, request: to(request), text: to(text), trace };
}
