import type { Clock, CustomHostnamesClient } from "../../client/index.js";
import type { CustomHostname } from "../../model/certificates.js";

/** How long a cached response is valid, counted from its arrival. */
const FRESH_MS = 30_000;
/**
 * How many single hostnames of a zone are requested concurrently. While others wait, their number shows how many are
 * wanted.
 */
const MAX_CONCURRENT = 4;
/** After this many requests for single hostnames, one page is read to learn the number of pages. */
const REQUESTS_BEFORE_PAGES = 5;

interface Query<T> {
  /** The cached answer, if there is one. */
  readonly known: () => T | undefined;
  readonly ask: () => Promise<T>;
}

interface Known {
  readonly at: number;
  readonly hostname: CustomHostname;
}

/**
 * The custom hostnames of one zone. Each hostname is requested on its own until reading pages is cheaper: when the
 * number of remaining pages is at most the number of waiting queries plus the number of requests that pages have saved
 * so far. The total therefore never exceeds one request per hostname queried, plus the page that reveals the number of
 * pages if that page contains none of them.
 */
export class ZoneHostnames {
  private readonly known = new Map<string, Known>();
  /** Queries in flight, shared by all callers with the same key. */
  private readonly asking = new Map<string, Promise<unknown>>();
  /** By ID, the event at which it was last dropped from the cache. */
  private readonly dropped = new Map<string, number>();
  private events = 0;
  private listing: Promise<void> | undefined;
  private pagesRead = 0;
  /** Undefined before the first page; infinite if the list cannot be read. */
  private totalPages: number | undefined;
  /** When the last page arrived. */
  private pageAt = 0;
  /** When the list was complete. */
  private listedAt: number | undefined;
  /** IDs on the pages read so far of the current list. */
  private listed: string[] = [];
  /** Requests for single hostnames: in flight, and in total. */
  private inFlight = 0;
  private requested = 0;
  private waiting = 0;
  /** Keys that have been answered: each justifies one request. */
  private readonly answered = new Set<string>();
  /** Queries answered from pages, less the number of pages read. */
  private saved = 0;
  private readonly queue: (() => void)[] = [];

  constructor(
    private readonly zoneId: string,
    private readonly client: () => CustomHostnamesClient,
    private readonly clock: Pick<Clock, "now">,
  ) {}

  byId(id: string): Promise<CustomHostname | undefined> {
    return this.shared(id, {
      known: () => this.freshById(id),
      ask: async () => {
        const event = this.events;
        const found = await this.client().find(this.zoneId, id);
        if (found !== undefined) this.store(found, event);
        return found;
      },
    });
  }

  /** Every custom hostname with that name. Only a complete list shows that there is no other. */
  byName(name: string): Promise<readonly CustomHostname[]> {
    const isNamed = ({ hostname }: CustomHostname): boolean => hostname === name;
    return this.shared(name, {
      known: () => this.freshList()?.filter(isNamed),
      ask: async () => {
        const event = this.events;
        const found = (await this.client().list(this.zoneId, { hostname: name })).filter(isNamed);
        for (const hostname of found) this.store(hostname, event);
        return found;
      },
    });
  }

  /** Drops a hostname from the cache. Responses and lists already in flight no longer count for it. */
  forget(id: string): void {
    this.events += 1;
    this.dropped.set(id, this.events);
    this.known.delete(id);
    // The list is no longer complete: its entries stay valid, but a hostname that is not in it must be requested.
    this.listedAt = undefined;
  }

  private shared<T>(key: string, query: Query<T>): Promise<T> {
    const running = this.asking.get(key) as Promise<T> | undefined;
    if (running !== undefined) return running;
    const response = this.find(key, query).finally(() => this.asking.delete(key));
    this.asking.set(key, response);
    return response;
  }

  /** The cached answer, or one that arrives with a page; otherwise sends the query itself. */
  private async find<T>(key: string, { known, ask }: Query<T>): Promise<T> {
    this.waiting += 1;
    try {
      for (;;) {
        const found = known();
        if (found !== undefined) {
          if (!this.answered.has(key)) this.saved += 1;
          return found;
        }
        if (this.listing === undefined && this.shouldReadPage()) this.listing = this.readPage();
        if (this.listing !== undefined) await this.listing;
        else if (this.inFlight < MAX_CONCURRENT) break;
        else await new Promise<void>((resolve) => this.queue.push(resolve));
      }
    } finally {
      this.answered.add(key);
      this.waiting -= 1;
    }
    this.inFlight += 1;
    this.requested += 1;
    try {
      return await ask();
    } finally {
      this.inFlight -= 1;
      this.wake();
    }
  }

  /** Resumes every waiting query: it may now pay to read a page. */
  private wake(): void {
    for (const resume of this.queue.splice(0)) resume();
  }

  private shouldReadPage(): boolean {
    this.restartStaleList();
    if (this.listedAt !== undefined && this.isFresh(this.listedAt)) return false;
    if (this.totalPages === undefined) return Math.max(this.waiting, this.requested) >= REQUESTS_BEFORE_PAGES;
    return this.totalPages - this.pagesRead <= this.waiting + this.saved;
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
      const { hostnames, pages } = await this.client().page(this.zoneId, this.pagesRead + 1);
      this.pageAt = this.clock.now();
      this.totalPages = pages;
      this.pagesRead += 1;
      for (const hostname of hostnames) {
        this.store(hostname, event);
        this.listed.push(hostname.id);
      }
      if (this.pagesRead >= pages) this.endList();
    } catch {
      this.totalPages = Infinity;
    } finally {
      this.listing = undefined;
      this.wake();
    }
  }

  /** Dates every entry to the end of the list, since reading all pages may take longer than a response stays valid. */
  private endList(): void {
    this.listedAt = this.pageAt;
    for (const id of this.listed) {
      const entry = this.known.get(id);
      if (entry !== undefined) this.known.set(id, { ...entry, at: this.pageAt });
    }
    this.startList();
  }

  /** Caches a response, unless the hostname changed after the request was sent. */
  private store(hostname: CustomHostname, event: number): void {
    if ((this.dropped.get(hostname.id) ?? 0) > event) return;
    this.known.set(hostname.id, { at: this.clock.now(), hostname });
  }

  private freshById(id: string): CustomHostname | undefined {
    const entry = this.known.get(id);
    return entry !== undefined && this.isFresh(entry.at) ? entry.hostname : undefined;
  }

  private freshList(): CustomHostname[] | undefined {
    if (this.listedAt === undefined || !this.isFresh(this.listedAt)) return undefined;
    return [...this.known.values()].filter(({ at }) => this.isFresh(at)).map(({ hostname }) => hostname);
  }

  private isFresh(at: number): boolean {
    return this.clock.now() - at < FRESH_MS;
  }
}
