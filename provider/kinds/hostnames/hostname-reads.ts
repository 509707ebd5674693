import type { Clock, CustomHostnamesClient } from "../../client/index.js";
import type { Session } from "../../engine/session.js";
import type { CustomHostname } from "../../model/certificates.js";
import { ZoneHostnames } from "./zone-hostnames.js";

/**
 * Custom hostnames as this run has read them, kept for thirty seconds. A program that names many hostnames of a zone has
 * them read in pages instead of one by one.
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

  /** Every hostname of that name. */
  byName(zoneId: string, name: string): Promise<readonly CustomHostname[]> {
    return this.zone(zoneId).byName(name);
  }

  /** Drops what is known of a hostname that is about to change; answers that are under way no longer count for it. */
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

/** The hostnames that a run has read, shared by every kind that reads them. */
export const hostnameReads = (session: Session): HostnameReads =>
  new HostnameReads(() => session.client.customHostnames, session.clock);
