import { ReplayResult, type UnreadLine } from "./result.js";

/** What became of a file or of a part of one. */
export interface Answer {
  /** Plain JSON. */
  readonly result: object;
  /** How many there are; undefined if that is not known. */
  readonly lines: number | undefined;
}

/** The parts of a file that follow each other, as far as they are there. */
interface Parts {
  next: number;
  /** The lines before the next part. */
  lines: number | undefined;
  readonly waiting: Map<number, { readonly lines: number | undefined; readonly unread: readonly UnreadLine[] }>;
}

/** Adds up files and their parts in any order. Lines of a part get their numbers when all parts before it are there. */
export class JoinedUnits {
  private readonly result = new ReplayResult();
  private readonly withRequests = new Set<string>();
  private readonly withUnread = new Set<string>();
  private readonly files = new Map<string, Parts>();

  /** @param part the number of the part, from 0; undefined for a whole file */
  add(file: string, part: number | undefined, { result: plain, lines }: Answer): void {
    const own = new ReplayResult();
    own.add(plain);
    if (own.requests > 0) this.withRequests.add(file);
    if (own.unread > 0) this.withUnread.add(file);
    if (part === undefined) {
      this.result.add(plain);
      return;
    }
    this.result.add({ ...plain, unreadLines: [] });
    const parts = this.files.get(file) ?? { next: 0, lines: 0, waiting: new Map() };
    this.files.set(file, parts);
    parts.waiting.set(part, { lines, unread: own.unreadLines });
    this.number(parts);
  }

  /** What all of them say. A file with lines, and no request in any of them, is no log, or not in UTF-8. */
  joined(): ReplayResult {
    for (const file of this.withUnread)
      if (!this.withRequests.has(file)) this.result.unreadFiles.push({ file, why: "none of its lines has a request" });
    this.withUnread.clear();
    return this.result;
  }

  private number(parts: Parts): void {
    for (let one = parts.waiting.get(parts.next); one !== undefined; one = parts.waiting.get(parts.next)) {
      const { lines: before } = parts;
      parts.waiting.delete(parts.next);
      parts.next += 1;
      parts.lines = before === undefined || one.lines === undefined ? undefined : before + one.lines;
      // After a part whose lines nobody has counted, they are counted, and not named.
      if (before !== undefined)
        this.result.keepLines(one.unread.map(({ file, line }) => ({ file, line: before + line })));
    }
  }
}
