import type { Page } from "../../../client/index.js";
import type { Clock } from "../../../client/http/index.js";
import { shouldReadPage } from "./page-budget.js";
import { FRESH_MS, Responses } from "./responses.js";

/** How the things of one scope are read. */
interface ListSource<T> {
  readonly idOf: (thing: T) => string;
  readonly nameOf: (thing: T) => string;
  /** Reads a single thing; undefined if it does not exist. */
  readonly find: (id: string) => Promise<T | undefined>;
  /** Reads every thing with a name. @default things have no names that are searched for */
  readonly search?: (name: string) => Promise<readonly T[]>;
  /** Reads a page, counted from 1. */
  readonly page: (number: number) => Promise<Page<T>>;
  /** Whether there may be a page that was not read yet. @default there may */
  readonly hasPage?: () => boolean;
  /** How many things must be waited for or have been requested before a page may be read speculatively. */
  readonly worthwhile: number;
  /** How many single things are requested concurrently. While others wait, their number shows how many are wanted. */
  readonly concurrent: number;
}

/**
 * The things of one scope, such as the custom hostnames of a zone, cached for thirty seconds. Each is requested on its
 * own, or found on a page of the list where pages cost less; see `shouldReadPage`.
 */
export class ListReads<T> {
  private readonly things: Responses<T>;
  /** Queries that wait or are in flight, shared by all callers with the same key. */
  private readonly queries: Responses<unknown>;
  /** By name, the IDs of the things in the last complete list. */
  private idsByName = new Map<string, string[]>();
  /** IDs of things found on pages that no caller has asked for yet: the first who does saves a request. */
  private readonly unused = new Set<string>();
  /** The page in flight. */
  private reading: Promise<void> | undefined;
  /** The things on the pages read of the current list, with the moment at which their page was requested. */
  private listed: { readonly thing: T; readonly sentAt: number }[] = [];
  private pagesRead = 0;
  private pages = Infinity;
  /** The number of things according to the first of these pages. */
  private total: number | undefined;
  /** When the last page arrived. */
  private pageAt = 0;
  /** When the list was complete. */
  private completeAt = -Infinity;
  /** Whether a page could not be read: from then on, every thing is requested on its own. */
  private failed = false;
  /** Requests for single things: in flight, and since the list was last complete. */
  private inFlight = 0;
  private requested = 0;
  private waiting = 0;
  /** Queries answered from pages, less the number of pages read. */
  private saved = 0;
  /** By key, resumes the queries that wait for their turn. */
  private readonly queue = new Map<string, () => void>();

  constructor(
    private readonly source: ListSource<T>,
    private readonly clock: Pick<Clock, "now">,
  ) {
    this.things = new Responses(clock);
    this.queries = new Responses(clock);
  }

  byId(id: string): Promise<T | undefined> {
    return this.shared(id, {
      known: () => this.things.known(id),
      // Only a read of the thing itself shows that it no longer exists.
      ask: () => this.source.find(id),
      foundIn: (thing) => (thing === undefined ? [] : [thing]),
    });
  }

  /** Every thing with that name. Only a complete list shows that there is no other. */
  byName(name: string): Promise<readonly T[]> {
    const { nameOf, search = () => Promise.resolve([]) } = this.source;
    return this.shared(name, {
      known: () => this.knownByName(name),
      ask: async () => (await search(name)).filter((thing) => nameOf(thing) === name),
      foundIn: (things) => things,
    });
  }

  /** Drops a thing from the cache. Responses and pages already in flight no longer count for it. */
  forget(id: string): void {
    this.things.forget(id);
    this.queries.forget(id);
    this.unused.delete(id);
    // The list is no longer complete: its entries stay valid, but a thing that is not in it must be requested.
    this.completeAt = -Infinity;
  }

  private shared<A>(key: string, query: Query<T, A>): Promise<A> {
    return this.queries.read(key, () => this.answer(key, query), 0) as Promise<A>;
  }

  /** The cached answer, or one that arrives with a page; otherwise sends the query itself. */
  private async answer<A>(key: string, { known, ask, foundIn }: Query<T, A>): Promise<A> {
    this.waiting += 1;
    try {
      for (;;) {
        const found = known();
        if (found !== undefined) {
          if (this.use(foundIn(found))) this.saved += 1;
          // It may have been resumed for a request that it does not make.
          this.wake();
          return found;
        }
        if (this.reading === undefined && this.shouldReadPage()) this.reading = this.readPage();
        if (this.reading !== undefined) await this.reading;
        else if (this.inFlight < this.source.concurrent) break;
        else await this.turn(key);
      }
    } finally {
      this.waiting -= 1;
    }
    this.inFlight += 1;
    this.requested += 1;
    const sentAt = this.things.now();
    try {
      const answer = await ask();
      for (const thing of foundIn(answer)) this.store(thing, sentAt);
      this.use(foundIn(answer));
      return answer;
    } finally {
      this.inFlight -= 1;
      this.wake();
    }
  }

  /** Whether this is the first use of things that were found on pages. */
  private use(things: readonly T[]): boolean {
    return things.filter((thing) => this.unused.delete(this.source.idOf(thing))).length > 0;
  }

  private shouldReadPage(): boolean {
    const { failed, clock, completeAt, source, pages, waiting, requested } = this;
    if (failed || clock.now() - completeAt < FRESH_MS || source.hasPage?.() === false) return false;
    if (this.pagesRead > 0 && clock.now() - this.pageAt >= FRESH_MS) this.startList();
    const { pagesRead } = this;
    // What earlier lists saved pays for nothing: they may never be asked for again.
    const saved = pagesRead === 0 ? Math.min(this.saved, 0) : this.saved;
    return shouldReadPage({ pages, pagesRead, waiting, saved, requested }, source.worthwhile);
  }

  private startList(): void {
    this.pagesRead = 0;
    this.listed = [];
  }

  /** Reads the next page. If it cannot be read, each query is sent on its own and gets its own response or error. */
  private async readPage(): Promise<void> {
    const sentAt = this.things.now();
    this.saved = (this.pagesRead === 0 ? Math.min(this.saved, 0) : this.saved) - 1;
    try {
      const { items, pages, total } = await this.source.page(this.pagesRead + 1);
      this.pageAt = this.clock.now();
      this.pages = pages;
      if (this.pagesRead === 0) this.total = total;
      this.pagesRead += 1;
      for (const thing of items) {
        const id = this.source.idOf(thing);
        if (this.things.known(id) === undefined) this.unused.add(id);
        this.listed.push({ thing, sentAt });
        this.store(thing, sentAt);
      }
      if (this.pagesRead >= pages) this.endList(total === this.total);
    } catch {
      this.failed = true;
    } finally {
      this.reading = undefined;
      this.wake(Infinity);
    }
  }

  /**
   * Dates every entry to the end of the list, since reading all pages may take longer than a response stays valid. If
   * the number of things changed meanwhile, one may have moved to a page already read: then the list does not show what
   * is missing.
   */
  private endList(isComplete: boolean): void {
    if (isComplete) this.completeAt = this.pageAt;
    this.requested = 0;
    this.idsByName = new Map();
    for (const { thing, sentAt } of this.listed) {
      this.store(thing, sentAt);
      const [id, name] = [this.source.idOf(thing), this.source.nameOf(thing)];
      const ids = this.idsByName.get(name);
      if (ids === undefined) this.idsByName.set(name, [id]);
      else ids.push(id);
    }
    this.startList();
  }

  /** Every thing with that name, if a complete list shows them. */
  private knownByName(name: string): T[] | undefined {
    if (this.clock.now() - this.completeAt >= FRESH_MS) return undefined;
    const found = (this.idsByName.get(name) ?? []).flatMap((id) => this.things.known(id) ?? []);
    return found.filter((thing) => this.source.nameOf(thing) === name);
  }

  private store(thing: T, sentAt: number): void {
    const id = this.source.idOf(thing);
    this.things.store(id, thing, sentAt);
    this.resume(id);
  }

  /** Waits to be resumed, with every other query of this key: there is one from before and one from after a `forget`. */
  private turn(key: string): Promise<void> {
    return new Promise((resolve) => {
      const before = this.queue.get(key);
      this.queue.set(key, () => {
        before?.();
        resolve();
      });
    });
  }

  /** Resumes as many waiting queries as may be sent, or every one: it may now be answered, or pay to read a page. */
  private wake(count = this.source.concurrent - this.inFlight): void {
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
}

interface Query<T, A> {
  /** The cached answer, if there is one. */
  readonly known: () => A | undefined;
  /** Requests the answer. */
  readonly ask: () => Promise<A>;
  /** The things in an answer. */
  readonly foundIn: (answer: A) => readonly T[];
}
