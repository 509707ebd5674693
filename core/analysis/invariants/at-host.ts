import { listsIn } from "../formula/known-lists.js";
import { isHostOf } from "../zones.js";
import { atHost, Experiment, hostOf, type Shown } from "./experiment.js";
import type { Invariant } from "./invariant.js";
import { prove, type ProveInput } from "./prove.js";

type Zone = Required<Pick<ProveInput, "rulesets" | "zone">> & Pick<ProveInput, "now">;

/**
 * Finds, for zones with the same rules, the request of each that violates an invariant: the one that was found in the first zone, with
 * a host of its own. It is run only if a rule or the invariant may read the host.
 */
export class SameForOthers {
  private readonly experiment: Experiment;
  /** What the host of the request has before the name of the zone; undefined if it is a host that rules name, in any zone. */
  private readonly subdomain: string | undefined;
  private readonly texts: string;
  private readonly readsHost: boolean;

  /** @param zone in which the request was found */
  constructor(
    private readonly invariant: Invariant,
    zone: Zone,
    private readonly found: Shown,
  ) {
    const { rulesets, now } = zone;
    const { name } = zone.zone;
    const host = hostOf(found);
    this.subdomain = name !== undefined && isHostOf(name, host) ? host.slice(0, -name.length) : undefined;
    this.experiment = new Experiment(invariant, {
      ...zone,
      now,
      host: name,
      lists: listsIn(rulesets),
      uses: new Set(),
    });
    this.texts = JSON.stringify(rulesets.map(({ rules }) => rules)).toLowerCase();
    this.readsHost = READS_HOST.test(this.texts + invariant.requests);
  }

  /** The request for another zone that has a name. */
  forZone(zone: Zone, zoneName: string): Shown {
    const { subdomain, found, invariant } = this;
    if (subdomain === undefined)
      return this.texts.includes(zoneName.toLowerCase()) ? (violationOf(zone, invariant) ?? found) : found;
    const host = subdomain + zoneName;
    if (!this.readsHost) return withHost(found, host);
    return this.experiment.atHost(found, host) ?? violationOf(zone, invariant) ?? found;
  }
}

/** A request that violates an invariant in a zone, found there by itself. */
function violationOf({ rulesets, zone, now }: Zone, invariant: Invariant): Shown | undefined {
  const [proof] = prove({ rulesets, zone, now, invariants: [invariant] });
  return proof?.verdict === "violated" ? proof : undefined;
}

/** A list of redirects compares the URL. */
const READS_HOST = /http\.host|full_uri|request\.headers|sni|from_?list/i;

/** A request that does the same for every host. */
function withHost({ input, request, text, trace }: Shown, host: string): Shown {
  const was = hostOf({ input });
  const to = (one: string): string => one.replace(`://${was}`, `://${host}`);
  return { input: { ...input, url: atHost(input.url.toString(), host) }, request: to(request), text: to(text), trace };
}
