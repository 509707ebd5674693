import type { Clock, CustomHostnamesClient, HostnameSearch } from "../../client/index.js";
import { FRESH_MS } from "../../engine/reads.js";
import type { CustomHostname } from "../../model/certificates.js";
import { shouldReadPage } from "./page-budget.js";

/**
 * How many single hostnames of a zone are requested concurrently. While others wait, their number shows how many are
 * wanted.
 */
const MAX_CONCURRENT = 4;

interface Query<T> {
  /** The cached answer, if there is one. */
  readonly known: () => T | undefined;
  /** IDs of the hostnames in an answer. */
  readonly idsOf: (answer: T) => readonly string[];
  /** Requests the answer; `search` if the request should also tell the number of pages. */
  readonly ask: (search: boolean) => Promise<T>;
}

interface Known {
  readonly at: number;
  readonly hostname: CustomHostname;
}

/**
 * The custom hostnames of one zone. Each is requested on its own, or found on a page where pages cost less; see
 * `shouldReadPage`. The second request for a single hostname is a search, which may tell the number of pages.
 */
export class ZoneHostnames {
  private readonly known = new Map<string, Known>();
  /** By name, the IDs of the hostnames in the cache. */
  private readonly idsByName = new Map<string, Set<string>>();
  /** Queries in flight, shared by all callers with the same key. */
  private readonly asking = new Map<string, Promise<unknown>>();
  /** By ID, the event at which it was last dropped from the cache. */
  private readonly dropped = new Map<string, number>();
  private events = 0;
  private listing: Promise<void> | undefined;
  private pagesRead = 0;
  /** Undefined while it is unknown; infinite if the list cannot be read. */
  private pages: number | undefined;
  /** The search that may tell the number of pages, while it is in flight and afterwards. */
  private search: { inFlight: boolean } | undefined;
  /** When the last page arrived. */
  private pageAt = 0;
  /** When the list was complete. */
  private listedAt: number | undefined;
  /** IDs on the pages read so far of the current list. */
  private listed: string[] = [];
  /** The number of hostnames according to the first of these pages. */
  private total: number | undefined;
  /** Requests for single hostnames: in flight, and since the list was last complete. */
  private inFlight = 0;
  private requested = 0;
  private waiting = 0;
  /**
   * When a hostname was last returned, by ID, and by name where there is none: as long as a response is valid, each of
   * them justifies one request.
   */
  private readonly returned = new Map<string, number>();
  /** Queries answered from pages, less the number of pages read. */
  private saved = 0;
  /** By key, resumes the queries that wait for their turn. */
  private readonly queue = new Map<string, () => void>();

  constructor(
    private readonly zoneId: string,
    private readonly client: () => CustomHostnamesClient,
    private readonly clock: Pick<Clock, "now">,
  ) {}

  byId(id: string): Promise<CustomHostname | undefined> {
    return this.shared<CustomHostname | undefined>(id, {
      known: () => this.freshById(id),
      idsOf: (found) => [found?.id ?? id],
      ask: async (search) => {
        const event = this.events;
        const searched = search
          ? await this.searchFor({ id }).catch(() => {
              this.cannotList();
            })
          : undefined;
        // Only a read of the hostname itself shows that it no longer exists.
        const found = searched?.find((hostname) => hostname.id === id) ?? (await this.client().find(this.zoneId, id));
        if (found !== undefined) this.store(found, event);
        return found;
      },
    });
  }

  /** Every custom hostname with that name. Only a complete list shows that there is no other. */
  byName(name: string): Promise<readonly CustomHostname[]> {
    return this.shared(name, {
      known: () => this.freshByName(name),
      idsOf: (found) => (found.length === 0 ? [name] : found.map(({ id }) => id)),
      ask: async () => {
        const event = this.events;
        const found = (await this.searchFor({ hostname: name })).filter(({ hostname }) => hostname === name);
        for (const hostname of found) this.store(hostname, event);
        return found;
      },
    });
  }

  /** Drops a hostname from the cache. Responses and lists already in flight no longer count for it. */
  forget(id: string): void {
    this.events += 1;
    this.dropped.set(id, this.events);
    this.idsByName.get(this.known.get(id)?.hostname.hostname ?? "")?.delete(id);
    this.known.delete(id);
    this.returned.delete(id);
    // The list is no longer complete: its entries stay valid, but a hostname that is not in it must be requested.
    this.listedAt = undefined;
  }

  private shared<T>(key: string, query: Query<T>): Promise<T> {
    const running = this.asking.get(key) as Promise<T> | undefined;
    if (running !== undefined) return running;
    const answer = this.answer(key, query).finally(() => this.asking.delete(key));
    this.asking.set(key, answer);
    return answer;
  }

  /** The cached answer, or one that arrives with a page; otherwise sends the query itself. */
  private async answer<T>(key: string, { known, idsOf, ask }: Query<T>): Promise<T> {
    this.waiting += 1;
    try {
      for (;;) {
        const found = known();
        if (found !== undefined) {
          if (this.isFirst(idsOf(found))) this.saved += 1;
          // It may have been resumed for a request that it does not make.
          this.wake();
          return found;
        }
        if (this.listing === undefined && this.shouldReadPage()) this.listing = this.readPage();
        if (this.listing !== undefined) await this.listing;
        else if (this.inFlight < MAX_CONCURRENT && this.search?.inFlight !== true) break;
        else await new Promise<void>((resolve) => this.queue.set(key, resolve));
      }
    } finally {
      this.waiting -= 1;
    }
    const search = this.pages === undefined && this.search === undefined && this.requested > 0;
    if (search) this.search = { inFlight: true };
    this.inFlight += 1;
    this.requested += 1;
    try {
      const answer = await ask(search);
      this.isFirst(idsOf(answer));
      return answer;
    } finally {
      if (search) this.search = { inFlight: false };
      this.inFlight -= 1;
      this.wake();
    }
  }

  /** Whether returning these justifies a request: whether none of them was returned lately. */
  private isFirst(ids: readonly string[]): boolean {
    const isFirst = !ids.some((id) => this.isFresh(this.returned.get(id) ?? -Infinity));
    if (isFirst) for (const id of ids) this.returned.set(id, this.clock.now());
    return isFirst;
  }

  private async searchFor(query: Parameters<CustomHostnamesClient["search"]>[1]): Promise<HostnameSearch["hostnames"]> {
    const { hostnames, pages } = await this.client().search(this.zoneId, query);
    this.pages ??= pages;
    return hostnames;
  }

  /** From now on, every hostname is requested on its own. */
  private cannotList(): void {
    this.pages = Infinity;
  }

  /** Resumes as many waiting queries as may be sent, or every one: it may now be answered, or pay to read a page. */
  private wake(count = MAX_CONCURRENT - this.inFlight): void {
    let left = count;
    for (const key of this.queue.keys()) {
      if (left <= 0) return;
      left -= 1;
      this.resume(key);
    }
  }

  private resume(key: string): void {
    const resume = this.queue.get(key);
    this.queue.delete(key);
    resume?.();
  }

  private shouldReadPage(): boolean {
    this.restartStaleList();
    if (this.listedAt !== undefined && this.isFresh(this.listedAt)) return false;
    // The number of pages will be known in a moment.
    if (this.pages === undefined && this.search?.inFlight !== false) return false;
    const { pages, pagesRead, waiting, saved, requested } = this;
    return shouldReadPage({ pages, pagesRead, waiting, saved, requested });
  }

  /** Starts over when the pages read so far are stale. */
  private restartStaleList(): void {
    if (this.pagesRead > 0 && !this.isFresh(this.pageAt)) this.startList();
  }

  private startList(): void {
    this.pagesRead = 0;
    this.listed = [];
  }

  /**
   * Reads the next page. If the list cannot be read, each query is sent on its own and gets its own response or error.
   */
  private async readPage(): Promise<void> {
    const event = this.events;
    this.saved -= 1;
    try {
      const { hostnames, pages, total } = await this.client().page(this.zoneId, this.pagesRead + 1);
      this.pageAt = this.clock.now();
      this.pages = pages;
      if (this.pagesRead === 0) this.total = total;
      this.pagesRead += 1;
      for (const hostname of hostnames) {
        this.store(hostname, event);
        this.listed.push(hostname.id);
      }
      if (this.pagesRead >= pages) this.endList(total === this.total);
    } catch {
      this.cannotList();
    } finally {
      this.listing = undefined;
      this.wake(Infinity);
    }
  }

  /**
   * Dates every entry to the end of the list, since reading all pages may take longer than a response stays valid. If
   * the number of hostnames changed meanwhile, one may have moved to a page already read: then the list does not show
   * what is missing.
   */
  private endList(isComplete: boolean): void {
    if (isComplete) this.listedAt = this.pageAt;
    this.requested = 0;
    for (const id of this.listed) {
      const entry = this.known.get(id);
      if (entry !== undefined) this.known.set(id, { ...entry, at: this.pageAt });
    }
    this.startList();
  }

  /** Caches a response, unless the hostname changed after the request was sent. */
  private store(hostname: CustomHostname, event: number): void {
    if ((this.dropped.get(hostname.id) ?? 0) > event) return;
    const { id, hostname: name } = hostname;
    this.known.set(id, { at: this.clock.now(), hostname });
    this.resume(id);
    const ids = this.idsByName.get(name);
    if (ids === undefined) this.idsByName.set(name, new Set([id]));
    else ids.add(id);
  }

  private freshById(id: string): CustomHostname | undefined {
    const entry = this.known.get(id);
    return entry !== undefined && this.isFresh(entry.at) ? entry.hostname : undefined;
  }

  /** Every hostname with that name, if a complete list shows them. */
  private freshByName(name: string): CustomHostname[] | undefined {
    if (this.listedAt === undefined || !this.isFresh(this.listedAt)) return undefined;
    const found = [...(this.idsByName.get(name) ?? [])].flatMap((id) => this.freshById(id) ?? []);
    return found.filter(({ hostname }) => hostname === name);
  }

  private isFresh(at: number): boolean {
    return this.clock.now() - at < FRESH_MS;
  }
}
