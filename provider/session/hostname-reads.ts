import type { CustomHostnamesClient } from "../client/index.js";
import type { Clock } from "../http/index.js";
import type { CustomHostname } from "../model/certificates.js";

/** How long an answer serves for the edit that follows it. */
const FRESH_MS = 30_000;
/** After so many questions about single hostnames of a zone, the whole list is the cheaper question. */
const ONE_BY_ONE = 5;

interface Zone {
  asked: number;
  listedAt: number | undefined;
  readonly known: Map<string, { readonly at: number; readonly hostname: CustomHostname }>;
}

/**
 * Custom hostnames as this run has read them, kept for thirty seconds. A program that names many hostnames of a zone has
 * them read in pages of fifty instead of one by one.
 */
export class HostnameReads {
  private readonly zones = new Map<string, Zone>();

  constructor(
    private readonly client: () => CustomHostnamesClient,
    private readonly clock: Pick<Clock, "now">,
  ) {}

  async byId(zoneId: string, id: string): Promise<CustomHostname | undefined> {
    const zone = this.zone(zoneId);
    const known = zone.known.get(id);
    if (known !== undefined && this.isFresh(known.at)) return known.hostname;
    if (await this.listed(zoneId, zone)) return zone.known.get(id)?.hostname;
    const found = await this.client().find(zoneId, id);
    if (found !== undefined) this.learn(zoneId, found);
    return found;
  }

  /** Every hostname of that name. */
  async byName(zoneId: string, name: string): Promise<CustomHostname[]> {
    const zone = this.zone(zoneId);
    const isNamed = ({ hostname }: CustomHostname): boolean => hostname === name;
    if (await this.listed(zoneId, zone))
      return [...zone.known.values()].map(({ hostname }) => hostname).filter(isNamed);
    const found = (await this.client().list(zoneId, { hostname: name })).filter(isNamed);
    for (const hostname of found) this.learn(zoneId, hostname);
    return found;
  }

  learn(zoneId: string, hostname: CustomHostname): void {
    this.zone(zoneId).known.set(hostname.id, { at: this.clock.now(), hostname });
  }

  forget(zoneId: string, id: string): void {
    this.zone(zoneId).known.delete(id);
  }

  /** Whether the whole zone is known; it is read now when enough was asked for. */
  private async listed(zoneId: string, zone: Zone): Promise<boolean> {
    if (zone.listedAt !== undefined && this.isFresh(zone.listedAt)) return true;
    zone.asked += 1;
    if (zone.asked <= ONE_BY_ONE) return false;
    const at = this.clock.now();
    for await (const page of this.client().pages(zoneId)) for (const hostname of page) this.learn(zoneId, hostname);
    zone.listedAt = at;
    return true;
  }

  private isFresh(at: number): boolean {
    return this.clock.now() - at < FRESH_MS;
  }

  private zone(zoneId: string): Zone {
    const known = this.zones.get(zoneId);
    if (known !== undefined) return known;
    const zone: Zone = { asked: 0, listedAt: undefined, known: new Map() };
    this.zones.set(zoneId, zone);
    return zone;
  }
}
