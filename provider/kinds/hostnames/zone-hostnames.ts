import type { Clock, CustomHostnamesClient } from "../../client/index.js";
import type { CustomHostname } from "../../model/certificates.js";

/** How long an answer serves for the edit that follows it, counted from when it came. */
const FRESH_MS = 30_000;
/** Hostnames of a zone that are asked for at the same time; those that wait show how many are wanted. */
const AT_ONCE = 4;
/** After so many questions about single hostnames, one page is read to learn how many pages there are. */
const BEFORE_PAGES = 5;

interface Question<T> {
  /** The answer, where it is known already. */
  readonly known: () => T | undefined;
  readonly ask: () => Promise<T>;
}

interface Known {
  readonly at: number;
  readonly hostname: CustomHostname;
}

/**
 * The custom hostnames of one zone. A hostname is asked for by itself until reading pages is the cheaper way: when the
 * pages left are no more than the hostnames that wait for an answer, and those that pages have answered before. So
 * the requests stay within one for each hostname that was asked for, but for the page that tells how many there are,
 * where that page held none of them.
 */
export class ZoneHostnames {
  private readonly known = new Map<string, Known>();
  /** Questions under way, shared by all who ask the same. */
  private readonly asking = new Map<string, Promise<unknown>>();
  /** By id, when what was known of it was last dropped, in the order of events. */
  private readonly dropped = new Map<string, number>();
  private events = 0;
  private listing: Promise<void> | undefined;
  private pagesRead = 0;
  /** Not known before the first page; endless where the list cannot be read. */
  private pagesInAll: number | undefined;
  /** When the last page came. */
  private pageAt = 0;
  /** When the whole list was there. */
  private listedAt: number | undefined;
  /** Ids on the pages of the list that is being read. */
  private listed: string[] = [];
  /** Questions about single hostnames: under way, and in all. */
  private underWay = 0;
  private asked = 0;
  private waiting = 0;
  /** Questions that have had their answer: each is worth one request. */
  private readonly answered = new Set<string>();
  /** Answers that pages gave beyond their own number. */
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
        if (found !== undefined) this.learn(found, event);
        return found;
      },
    });
  }

  /** Every hostname of that name. Only the whole list tells that there is no other. */
  byName(name: string): Promise<readonly CustomHostname[]> {
    const isNamed = ({ hostname }: CustomHostname): boolean => hostname === name;
    return this.shared(name, {
      known: () => this.freshList()?.filter(isNamed),
      ask: async () => {
        const event = this.events;
        const found = (await this.client().list(this.zoneId, { hostname: name })).filter(isNamed);
        for (const hostname of found) this.learn(hostname, event);
        return found;
      },
    });
  }

  /** Drops what is known of a hostname. Its answers that are under way, and lists, say nothing about it any more. */
  forget(id: string): void {
    this.events += 1;
    this.dropped.set(id, this.events);
    this.known.delete(id);
    // The list is whole no longer: what it holds stays good, what it lacks must be asked for.
    this.listedAt = undefined;
  }

  private shared<T>(key: string, question: Question<T>): Promise<T> {
    const running = this.asking.get(key) as Promise<T> | undefined;
    if (running !== undefined) return running;
    const answer = this.answer(key, question).finally(() => this.asking.delete(key));
    this.asking.set(key, answer);
    return answer;
  }

  /** An answer that is known, or comes with a page; else the question itself. */
  private async answer<T>(key: string, { known, ask }: Question<T>): Promise<T> {
    this.waiting += 1;
    try {
      for (;;) {
        const found = known();
        if (found !== undefined) {
          if (!this.answered.has(key)) this.saved += 1;
          return found;
        }
        if (this.listing === undefined && this.paysToRead()) this.listing = this.readPage();
        if (this.listing !== undefined) await this.listing;
        else if (this.underWay < AT_ONCE) break;
        else await new Promise<void>((resolve) => this.queue.push(resolve));
      }
    } finally {
      this.answered.add(key);
      this.waiting -= 1;
    }
    this.underWay += 1;
    this.asked += 1;
    try {
      return await ask();
    } finally {
      this.underWay -= 1;
      this.wake();
    }
  }

  /** Everybody who waits looks again: a page may be worth it now. */
  private wake(): void {
    for (const resume of this.queue.splice(0)) resume();
  }

  private paysToRead(): boolean {
    this.restartStaleList();
    if (this.listedAt !== undefined && this.isFresh(this.listedAt)) return false;
    if (this.pagesInAll === undefined) return Math.max(this.waiting, this.asked) >= BEFORE_PAGES;
    return this.pagesInAll - this.pagesRead <= this.waiting + this.saved;
  }

  /** Pages that are too old to serve are no part of a list any more. */
  private restartStaleList(): void {
    if (this.pagesRead > 0 && !this.isFresh(this.pageAt)) this.startList();
  }

  private startList(): void {
    this.pagesRead = 0;
    this.listed = [];
  }

  /** Reads the next page. A list that cannot be read is left alone: each question gets an answer, or an error, of its own. */
  private async readPage(): Promise<void> {
    const event = this.events;
    this.saved -= 1;
    try {
      const { hostnames, pages } = await this.client().page(this.zoneId, this.pagesRead + 1);
      this.pageAt = this.clock.now();
      this.pagesInAll = pages;
      this.pagesRead += 1;
      for (const hostname of hostnames) {
        this.learn(hostname, event);
        this.listed.push(hostname.id);
      }
      if (this.pagesRead >= pages) this.endList();
    } catch {
      this.pagesInAll = Infinity;
    } finally {
      this.listing = undefined;
      this.wake();
    }
  }

  /** A list is as old as its end: reading its pages may take longer than an answer serves. */
  private endList(): void {
    this.listedAt = this.pageAt;
    for (const id of this.listed) {
      const entry = this.known.get(id);
      if (entry !== undefined) this.known.set(id, { ...entry, at: this.pageAt });
    }
    this.startList();
  }

  /** Keeps an answer, unless the hostname changed after the question had left. */
  private learn(hostname: CustomHostname, event: number): void {
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
