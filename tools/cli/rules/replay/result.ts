import { isList, isObject } from "../../../../core/model/json.js";
import type { Direction } from "../traffic/outcome.js";

/** A request that shows a change. */
export interface Example {
  /** Decides which examples are kept: those with the smallest places, so each request is as likely as any other. */
  readonly place: number;
  /** `GET https://shop.example.com/login` */
  readonly request: string;
  /** ` from 203.0.113.9`, or nothing. */
  readonly client: string;
}

/** A change in the outcome of requests. */
export interface Change {
  readonly from: string;
  readonly to: string;
  readonly direction: Direction;
  count: number;
  examples: readonly Example[];
}

/** A line without a readable request. */
export interface UnreadLine {
  readonly file: string;
  readonly line: number;
}

/** A file that could not be read, or not to its end. */
export interface UnreadFile {
  readonly file: string;
  readonly why: string;
}

/** The number of requests by name. */
type Tally = Map<string, number>;

const MOST_EXAMPLES = 3;
const MOST_LINES = 10;

/**
 * What a replay has counted. Results of parts of a log add up to the result of the whole: whatever the parts are, and in whatever
 * order they are added, all that is kept is the same.
 */
export class ReplayResult {
  requests = 0;
  /** Lines without a readable request. */
  unread = 0;
  /** Requests of which it is not known that they are stopped at least as firmly as before. */
  undecided = 0;
  /** Whether rate limits of either version were left out. */
  withoutLimits = false;
  readonly before: Tally = new Map();
  readonly after: Tally = new Map();
  /** Why outcomes are unknown. */
  readonly reasons: Tally = new Map();
  readonly changes = new Map<string, Change>();
  /** The first of the unread lines. */
  unreadLines: readonly UnreadLine[] = [];
  readonly unreadFiles: UnreadFile[] = [];
  /** What a reader should know. */
  readonly notes = new Set<string>();

  addUnread(at: UnreadLine): void {
    this.unread += 1;
    this.keepLines([at]);
  }

  addChange({ from, to, direction, count, examples }: Change): void {
    const key = [from, to, direction].join("\n");
    const known = this.changes.get(key);
    if (known === undefined) this.changes.set(key, { from, to, direction, count, examples: keptExamples(examples) });
    else {
      known.count += count;
      known.examples = withExamples(known.examples, examples);
    }
  }

  keepLines(lines: readonly UnreadLine[]): void {
    const last = this.unreadLines.at(-1);
    if (this.unreadLines.length >= MOST_LINES && last !== undefined && lines.every((one) => byPlace(one, last) >= 0))
      return;
    this.unreadLines = [...this.unreadLines, ...lines].sort(byPlace).slice(0, MOST_LINES);
  }

  /** Adds another result. @throws TypeError if it is none */
  add(plain: unknown): void {
    if (!isObject(plain)) throw notAResult();
    this.requests += numberIn(plain.requests);
    this.unread += numberIn(plain.unread);
    this.undecided += numberIn(plain.undecided);
    this.withoutLimits ||= plain.withoutLimits !== false;
    addTally(this.before, plain.before);
    addTally(this.after, plain.after);
    addTally(this.reasons, plain.reasons);
    for (const change of objectsIn(plain.changes)) {
      const [from, to] = [textIn(change.from), textIn(change.to)];
      const examples = objectsIn(change.examples).map(({ place, request, client }) => {
        return { place: numberIn(place), request: textIn(request), client: textIn(client) };
      });
      this.addChange({ from, to, direction: directionIn(change.direction), count: numberIn(change.count), examples });
    }
    this.keepLines(
      objectsIn(plain.unreadLines).map(({ file, line }) => ({ file: textIn(file), line: numberIn(line) })),
    );
    for (const { file, why } of objectsIn(plain.unreadFiles))
      this.unreadFiles.push({ file: textIn(file), why: textIn(why) });
    for (const note of listIn(plain.notes)) this.notes.add(textIn(note));
  }

  /** As plain JSON, the same for equal results. */
  toJSON(): object {
    return {
      requests: this.requests,
      unread: this.unread,
      undecided: this.undecided,
      withoutLimits: this.withoutLimits,
      before: entriesOf(this.before),
      after: entriesOf(this.after),
      reasons: entriesOf(this.reasons),
      changes: Array.from(this.changes.keys())
        .sort()
        .map((key) => this.changes.get(key)),
      unreadLines: this.unreadLines,
      unreadFiles: this.unreadFiles.toSorted((a, b) => compare(a.file, b.file) || compare(a.why, b.why)),
      notes: Array.from(this.notes).sort(),
    };
  }
}

export function addTo(tally: Tally, name: string, count = 1): void {
  tally.set(name, (tally.get(name) ?? 0) + count);
}

/** By the order of their characters' codes, which is the same on every machine. */
export function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function byPlace(a: UnreadLine, b: UnreadLine): number {
  return compare(a.file, b.file) || a.line - b.line;
}

function byExample(a: Example, b: Example): number {
  return a.place - b.place || compare(a.request, b.request) || compare(a.client, b.client);
}

function withExamples(known: readonly Example[], more: readonly Example[]): readonly Example[] {
  return more.every(({ place }) => !hasRoomFor(place, known)) ? known : keptExamples([...known, ...more]);
}

/** Whether an example with a place can be among the examples that are kept. */
export function hasRoomFor(place: number, examples: readonly Example[]): boolean {
  const last = examples.at(-1);
  return last === undefined || examples.length < MOST_EXAMPLES || place <= last.place;
}

/** The examples with the smallest places, one for each URL. */
export function keptExamples(examples: readonly Example[]): readonly Example[] {
  const seen = new Set<string>();
  return examples
    .toSorted(byExample)
    .filter(({ request }) => !seen.has(request) && seen.add(request))
    .slice(0, MOST_EXAMPLES);
}

function entriesOf(tally: Tally): readonly (readonly [string, number])[] {
  return Array.from(tally).sort(([a], [b]) => compare(a, b));
}

function addTally(tally: Tally, plain: unknown): void {
  for (const entry of listIn(plain)) {
    const [name, count] = listIn(entry);
    addTo(tally, textIn(name), numberIn(count));
  }
}

function listIn(value: unknown): readonly unknown[] {
  if (!isList(value)) throw notAResult();
  return value;
}

function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  const list = listIn(value);
  if (!list.every(isObject)) throw notAResult();
  return list;
}

function numberIn(value: unknown): number {
  if (typeof value !== "number" || value < 0) throw notAResult();
  return value;
}

function textIn(value: unknown): string {
  if (typeof value !== "string") throw notAResult();
  return value;
}

function directionIn(value: unknown): Direction {
  if (value === "stricter" || value === "looser" || value === "other") return value;
  throw notAResult();
}

function notAResult(): TypeError {
  return new TypeError("is not a result that `rules replay --partial` wrote");
}
