import { perRun } from "../../engine/session.js";
import type { Clock, CustomHostnamesClient } from "../../../client/index.js";
import { ListReads } from "../../engine/reads/list-reads.js";
import type { Session } from "../../engine/session.js";
import type { CustomHostname } from "../../../core/model/certificates.js";

/** How many single hostnames of a zone are requested concurrently. */
const MAX_CONCURRENT = 4;
/** From this many hostnames of a zone on, a page of a thousand may be read. */
const WORTHWHILE = 3;

/** Custom hostnames read in this run: one by one, or in pages where a program uses many hostnames of a zone. */
export class HostnameReads {
  /** IDs of hostnames whose certificate this run reissues: a resource that waits for such a certificate must wait again. */
  readonly reissued = new Set<string>();
  private readonly zones = new Map<string, ListReads<CustomHostname>>();

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

  private zone(zoneId: string): ListReads<CustomHostname> {
    const known = this.zones.get(zoneId) ?? this.listOf(zoneId);
    this.zones.set(zoneId, known);
    return known;
  }

  private listOf(zoneId: string): ListReads<CustomHostname> {
    const source = {
      idOf: ({ id }: CustomHostname) => id,
      nameOf: ({ hostname }: CustomHostname) => hostname,
      find: (id: string) => this.client().find(zoneId, id),
      search: (name: string) => this.client().search(zoneId, name),
      page: (number: number) => this.client().page(zoneId, number),
      worthwhile: WORTHWHILE,
      concurrent: MAX_CONCURRENT,
    };
    return new ListReads(source, this.clock);
  }
}

/** The cache of this run, shared by every kind that reads hostnames. */
export const hostnameReads = perRun(
  (session: Session): HostnameReads => new HostnameReads(() => session.client.customHostnames, session.clock),
);

export function noHostnameText(zoneId: string, id: string): string {
  return `there is no custom hostname ${id} in zone ${zoneId}`;
}
