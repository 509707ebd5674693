import type { Clock, CustomHostnamesClient } from "../../client/index.js";
import type { Session } from "../../engine/session.js";
import type { CustomHostname } from "../../model/certificates.js";
import { ZoneHostnames } from "./zone-hostnames.js";

/**
 * Custom hostnames read in this run, cached for thirty seconds. When a program uses many hostnames of a zone, they are
 * read in pages instead of one by one.
 */
export class HostnameReads {
  private readonly zones = new Map<string, ZoneHostnames>();

  constructor(
    private readonly client: () => CustomHostnamesClient,
    private readonly clock: Pick<Clock, "now">,
  ) {}

  byId(zoneId: string, id: string): Promise<CustomHostname | undefined> {
    return this.zone(zoneId).byId(id);
  }

  /** Every custom hostname with that name. */
  byName(zoneId: string, name: string): Promise<readonly CustomHostname[]> {
    return this.zone(zoneId).byName(name);
  }

  /** Drops a hostname that is about to change from the cache; responses already in flight no longer count for it. */
  forget(zoneId: string, id: string): void {
    this.zone(zoneId).forget(id);
  }

  private zone(zoneId: string): ZoneHostnames {
    const known = this.zones.get(zoneId);
    if (known !== undefined) return known;
    const zone = new ZoneHostnames(zoneId, this.client, this.clock);
    this.zones.set(zoneId, zone);
    return zone;
  }
}

/** The cache of this run, shared by every kind that reads hostnames. */
export const hostnameReads = (session: Session): HostnameReads =>
  new HostnameReads(() => session.client.customHostnames, session.clock);

/** IDs of hostnames whose certificate this run reissues: a resource that waits for such a certificate must wait again. */
export const reissuedHostnames = (): Set<string> => new Set();
