import type { Zone, ZonesClient } from "../client/index.js";

/**
 * Zones as this run has read them, each once: name and plan stay what they are while it runs. After the first one, pages of
 * its account are read, each with fifty zones, as long as they save requests: there is never more than one request beyond
 * one for each zone.
 */
export class ZoneReads {
  private readonly zones = new Map<string, Promise<Zone | undefined>>();
  /** What pages told, by id. */
  private readonly listed = new Map<string, Zone>();
  /** By id of the account, its pages as far as they have not been read. */
  private readonly pages = new Map<string, AsyncGenerator<readonly Zone[]>>();
  /** The account of the last zone that was read by itself. */
  private account = "";
  private asked = 0;
  private requests = 0;
  /** One question after the other, so that each profits from the answers to those before. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly client: () => ZonesClient) {}

  /** Undefined where nobody answers, or the credentials may not read it: nothing depends on a zone alone. */
  find(zoneId: string): Promise<Zone | undefined> {
    const known = this.zones.get(zoneId) ?? this.last.then(() => this.ask(zoneId));
    this.zones.set(zoneId, known);
    this.last = known;
    return known;
  }

  private async ask(zoneId: string): Promise<Zone | undefined> {
    const before = this.asked;
    this.asked += 1;
    // A page may be in vain once: whatever it saved pays for the next.
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

  /** False when there is none. */
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
