import { HttpRequest, type Reason, makeRequest } from "../../../../core/language/index.js";
import { seenByRules, type Question } from "../../../../core/simulator/index.js";
import type { Defaults } from "./defaults.js";
import { isOften, readingParts, sourceOf, type LogPart, type PartValue, pathOf, queryOf } from "./log-parts.js";
import type { Recorded } from "./recorded.js";
import { type LogRecord, timeOf } from "./request-log.js";
import { parseIp } from "../../../../core/language/ip.js";
import type { RequestParts } from "../../../../core/language/request/parts.js";
import { percentEncode } from "../../../../core/language/request/target.js";

/** Requests for which all questions have the same answers. */
interface RequestClass<T> {
  /** What is the same for all of them. */
  value: T | undefined;
}

/** What is kept at most. If there is more, all of it is forgotten. */
const MOST_CLASSES = 50_000;
const MOST_VALUES = 50_000;
/** Longer texts do not often come again. */
const LONGEST = 2048;

/**
 * Divides the requests of a log into classes by the answers to questions. An answer depends on few parts of a line, whose values come
 * again and again, so most answers are known already.
 */
export class RequestClasses<T> {
  private readonly groups: readonly Group[];
  private root: Node<T> = newNode();
  private size = 0;

  constructor(questions: readonly Question[], defaults: Defaults) {
    this.groups = groupsOf(questions, defaults);
  }

  /**
   * The class of a request; undefined if it is too unusual to belong to one.
   * @throws TypeError if there is no such request
   */
  find(one: Recorded): RequestClass<T> | undefined {
    const { record } = one;
    // With any other host or path, parts of a URL would not be what the log says they are.
    if (!record.hasQuery || record.uri.charCodeAt(0) !== SLASH || !HOST.test(record.host)) return undefined;
    if (this.size > MOST_CLASSES) this.forget();
    let node = this.root;
    for (const group of this.groups) {
      const answers = group.answersTo(one, record);
      let next = node.next[answers];
      if (next === undefined) {
        node.next[answers] = next = newNode();
        this.size += 1;
      }
      node = next;
    }
    return node.own;
  }

  private forget(): void {
    this.root = newNode();
    this.size = 0;
    for (const group of this.groups) group.forget();
  }
}

const SLASH = 47;
const HOST = /^[^/?#@]+$/;

interface Node<T> {
  /** By the number of the answers to the next group. */
  readonly next: Node<T>[];
  readonly own: RequestClass<T>;
}

function newNode<T>(): Node<T> {
  return { next: [], own: { value: undefined } };
}

/** What the answers of a group depend on. */
interface GroupSource {
  /** Reads it; undefined if that is nothing that often comes again. */
  readonly read: ((record: LogRecord) => PartValue) | undefined;
  readonly ofHeaders: boolean;
  /** Makes a request with nothing else, which takes less time than a whole one. */
  readonly make: ((one: Recorded, record: LogRecord) => HttpRequest) | undefined;
}

/** Questions about the same parts. */
class Group {
  /** The numbers of answers by the value of the parts. */
  private readonly byValue = new Map<PartValue, number>();
  /** The numbers of answers by what they are. */
  private readonly byAnswers = new Map<string, number>();
  private hits = 0;
  private keepsValues: boolean;

  constructor(
    private readonly questions: readonly Question[],
    private readonly source: GroupSource,
  ) {
    this.keepsValues = source.read !== undefined;
  }

  answersTo(one: Recorded, record: LogRecord): number {
    const { byValue, source } = this;
    if (source.ofHeaders && record.headers !== undefined) return this.ask(one.request);
    if (source.read === undefined || !this.keepsValues) return this.ask(source.make?.(one, record) ?? one.request);
    const value = source.read(record);
    const known = byValue.get(value);
    if (known !== undefined) {
      this.hits += 1;
      return known;
    }
    const answers = this.ask(source.make?.(one, record) ?? one.request);
    if (typeof value === "string" && value.length > LONGEST) return answers;
    if (byValue.size >= MOST_VALUES) this.forgetValues();
    byValue.set(value, answers);
    return answers;
  }

  forget(): void {
    this.byValue.clear();
    this.byAnswers.clear();
  }

  private forgetValues(): void {
    // Keeping values that do not come again takes longer than asking about each.
    this.keepsValues = this.source.make === undefined || this.hits > MOST_VALUES;
    this.hits = 0;
    this.byValue.clear();
  }

  private ask(request: HttpRequest): number {
    let key = "";
    for (const seen of seenByRules(request)) {
      for (let index = 0; index < this.questions.length; index += 1) {
        const outcome = this.questions[index]?.answer(seen);
        if (outcome === undefined || outcome.value === false) continue;
        key += `${String(index)}${outcome.value === true ? "" : textOf(outcome.because)},`;
      }
      key += ";";
    }
    const known = this.byAnswers.get(key);
    if (known !== undefined) return known;
    this.byAnswers.set(key, this.byAnswers.size);
    return this.byAnswers.size - 1;
  }
}

const texts = new WeakMap<readonly Reason[], string>();

function textOf(because: readonly Reason[]): string {
  const known = texts.get(because) ?? JSON.stringify(because);
  texts.set(because, known);
  return known;
}

/** Parts that decide whether there is such a request. */
const CHECKED: readonly LogPart[] = ["scheme", "host", "ip", "version"];

/** Questions by the parts that they are about; undefined if these are not known. */
interface QuestionsOfParts {
  readonly questions: Question[];
  readonly parts: readonly LogPart[] | undefined;
  readonly ofHeaders: boolean;
}

function groupsOf(questions: readonly Question[], defaults: Defaults): readonly Group[] {
  const byParts = new Map<string, QuestionsOfParts>();
  const questionsAbout = (parts: readonly LogPart[] | undefined, ofHeaders: boolean): Question[] => {
    const key = JSON.stringify([parts, ofHeaders]);
    const own = byParts.get(key) ?? { questions: [], parts, ofHeaders };
    byParts.set(key, own);
    return own.questions;
  };
  for (const part of CHECKED) questionsAbout([part], part === "host");
  for (const question of questions) {
    const sources = Array.from(question.fields, sourceOf);
    const parts = Array.from(new Set(sources.flatMap((source) => source?.parts ?? []))).sort();
    const isKnown = sources.every((source) => source !== undefined);
    const ofHeaders = sources.some((source) => source?.ofHeaders === true);
    questionsAbout(isKnown ? parts : undefined, ofHeaders).push(question);
  }
  return Array.from(byParts.values(), (own) => new Group(own.questions, groupSource(own, defaults)));
}

function groupSource({ questions, parts, ofHeaders }: QuestionsOfParts, defaults: Defaults): GroupSource {
  const [only, second] = parts ?? [];
  const isGiven = questions.some(({ fields }) => Array.from(fields).some((field) => defaults.fields.has(field)));
  const make = only === undefined || second !== undefined || isGiven ? undefined : partialMaker(only, defaults);
  return { read: parts?.every(isOften) === true ? readingParts(parts) : undefined, ofHeaders, make };
}

const NOTHING = makeRequest({ url: "https://example.com/" });

type MakeParts = (record: LogRecord, one: Recorded, defaults: Defaults) => Partial<RequestParts>;

/** For the parts whose values do not often come again. */
const MAKE: Partial<Readonly<Record<LogPart, MakeParts>>> = {
  path: ({ uri }) => withTarget({ path: percentEncode(pathOf(uri)) }),
  query: ({ uri }) => {
    const query = queryOf(uri);
    return withTarget({ query: query === undefined ? undefined : percentEncode(query) });
  },
  uri: ({ uri }) => {
    const query = queryOf(uri);
    return withTarget({
      path: percentEncode(pathOf(uri)),
      query: query === undefined ? undefined : percentEncode(query),
    });
  },
  ip: ({ ip }, _, defaults) => ({ ip: addressOf(ip ?? defaults.ip) }),
  draw: (_, one) => ({ draw: one.place }),
  time: ({ time }) => ({ timestamp: timeOf(time) }),
};

function withTarget(changed: Partial<RequestParts["target"]>): Partial<RequestParts> {
  const target = { ...NOTHING.parts.target, ...changed };
  return { target, original: { target, headers: NOTHING.parts.headers } };
}

/** @throws TypeError on an invalid address */
function addressOf(text: string | undefined): RequestParts["ip"] {
  const address = text === undefined ? undefined : parseIp(text);
  if (text !== undefined && address === undefined) throw new TypeError(`ip: "${text}" is not an IP address`);
  return address;
}

/**
 * Returns what makes a request that is like a recorded one in one part only, in a fraction of the time. Undefined if there is no such
 * way.
 */
function partialMaker(
  part: LogPart,
  defaults: Defaults,
): ((one: Recorded, record: LogRecord) => HttpRequest) | undefined {
  const make = MAKE[part];
  if (make === undefined) return undefined;
  return (one, record) => new HttpRequest({ ...NOTHING.parts, ...make(record, one, defaults) }, NOTHING.list);
}
