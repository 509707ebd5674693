import type { Zone, ZonesClient } from "../client/index.js";

/**
 * Zones read in this run, each once: name and plan do not change meanwhile. After the first zone, pages of its account,
 * fifty zones each, are read as long as that saves requests. The total never exceeds one request per zone plus one.
 */
export class ZoneReads {
  private readonly zones = new Map<string, Promise<Zone | undefined>>();
  /** Zones from pages, by ID. */
  private readonly listed = new Map<string, Zone>();
  /** By account ID, its remaining pages. */
  private readonly pages = new Map<string, AsyncGenerator<readonly Zone[]>>();
  /** The account of the last zone that was read individually. */
  private account = "";
  private asked = 0;
  private requests = 0;
  /** Queries run one after the other, so that each can use the responses to those before. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly client: () => ZonesClient) {}

  /**
   * Undefined if the service does not respond or the credentials may not read the zone: nothing depends on a zone
   * alone.
   */
  find(zoneId: string): Promise<Zone | undefined> {
    const known = this.zones.get(zoneId) ?? this.last.then(() => this.request(zoneId));
    this.zones.set(zoneId, known);
    this.last = known;
    return known;
  }

  private async request(zoneId: string): Promise<Zone | undefined> {
    const before = this.asked;
    this.asked += 1;
    // One page may turn out useless; after that, only requests saved so far pay for the next.
    while (!this.listed.has(zoneId) && this.requests <= before && (await this.readPage()));
    return this.listed.get(zoneId) ?? this.read(zoneId);
  }

  private async read(zoneId: string): Promise<Zone | undefined> {
    this.requests += 1;
    try {
      const zone = await this.client().get(zoneId);
      this.account = zone.accountId;
      return zone;
    } catch {
      return undefined;
    }
  }

  /** False when there is no further page. */
  private async readPage(): Promise<boolean> {
    const { account } = this;
    if (account === "") return false;
    const pages = this.pages.get(account) ?? this.client().pages({ accountId: account });
    this.pages.set(account, pages);
    try {
      const page = await pages.next();
      if (page.done === true) return false;
      this.requests += 1;
      for (const zone of page.value) this.listed.set(zone.id, zone);
      return true;
    } catch {
      this.requests += 1;
      return false;
    }
  }
}
