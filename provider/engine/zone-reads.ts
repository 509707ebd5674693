import type { Zone, ZonesClient } from "../client/index.js";

/** Zones as this run has read them, each once: name and plan stay what they are while it runs. */
export class ZoneReads {
  private readonly zones = new Map<string, Promise<Zone | undefined>>();

  constructor(private readonly client: () => ZonesClient) {}

  /** Undefined where nobody answers, or the credentials may not read it: nothing depends on a zone alone. */
  find(zoneId: string): Promise<Zone | undefined> {
    const known = this.zones.get(zoneId) ?? this.ask(zoneId);
    this.zones.set(zoneId, known);
    return known;
  }

  private async ask(zoneId: string): Promise<Zone | undefined> {
    try {
      return await this.client().get(zoneId);
    } catch {
      return undefined;
    }
  }
}
