import { ReplayResult, type UnreadLine } from "./result.js";
import type { Unit } from "./units.js";
import type { Answer } from "./worker.js";

/** What units of one file have of their own, until all of them are there. */
interface Part {
  readonly lines: number;
  readonly unread: readonly UnreadLine[];
}

/** Adds up units in any order. Lines of a divided file get their numbers when all of its units are there. */
export class JoinedUnits {
  readonly result = new ReplayResult();
  private readonly parts = new Map<string, { readonly missing: Set<number>; readonly byStart: Map<number, Part> }>();

  constructor(units: readonly Unit[]) {
    for (const { file, range } of units) {
      if (range === undefined) continue;
      const known = this.parts.get(file) ?? { missing: new Set(), byStart: new Map() };
      this.parts.set(file, known);
      known.missing.add(range.start);
    }
  }

  add({ file, range }: Unit, { result: plain, lines }: Answer): void {
    const parts = this.parts.get(file);
    if (range === undefined || parts === undefined) {
      this.result.add(plain);
      return;
    }
    const own = new ReplayResult();
    own.add(plain);
    this.result.add({ ...plain, unreadLines: [] });
    parts.byStart.set(range.start, { lines, unread: own.unreadLines });
    parts.missing.delete(range.start);
    if (parts.missing.size > 0) return;
    let before = 0;
    for (const [, part] of Array.from(parts.byStart).sort(([a], [b]) => a - b)) {
      const first = before;
      this.result.keepLines(part.unread.map((one) => ({ file: one.file, line: first + one.line })));
      before += part.lines;
    }
    this.parts.delete(file);
  }
}
