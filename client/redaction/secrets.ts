import { isObject } from "../../core/model/json.js";
import type { Path } from "../../core/model/path.js";
import { HIDDEN } from "../../core/model/secret.js";
import { isUnknown } from "../../core/model/unknown.js";
import { isPublicWord } from "./public-words.js";

/** Shorter texts occur everywhere; hiding them would make text unreadable and reveal their positions. */
const SHORTEST = 4;
/** In a value that somebody else wrote, a part of this length is not a coincidence. */
const COPIED = 8;
/** Shorter words are hidden only as whole words: hiding `test` in `latest` would say what the secret is. */
const LONG_WORD = 12;

/**
 * The secrets of a process. What the service says about a request that carries one is not printed at all (see `isIn`). Our own
 * sentences lose the secrets that they quote, and values that somebody else wrote are hidden if they contain a part of one.
 */
export class Secrets {
  private readonly published = new Set<string>();
  /** Whole secrets of the program, folded. */
  private readonly wholes = new Set<string>();
  /** What is specific to a secret: of an expression, its strings, numbers and addresses. */
  private readonly specific = new Set<string>();
  /** All parts of what is specific, folded. */
  private readonly parts = new Set<string>();
  /** The words of secrets. */
  private readonly words = new Set<string>();
  private pattern: RegExp | undefined;

  /**
   * Registers texts that are in the state in plain text, such as refs: hiding them would be pointless, even if a secret
   * contains them. Call it before adding the secret.
   */
  publish(texts: readonly string[]): void {
    for (const text of texts) this.published.add(text);
  }

  isPublished(text: unknown): boolean {
    return typeof text === "string" && this.published.has(text);
  }

  private isPublic(text: string): boolean {
    return isPublicWord(text) || this.published.has(text);
  }

  /** Adds a token or a key, which is in no body of a request. Somebody may paste it into a rule. */
  addCredential(text: string): void {
    this.addSpecific(text);
    for (const part of partsOf(text)) this.parts.add(part);
  }

  /** Adds a secret value, with everything inside it. The path determines whether a string is an expression. */
  add(value: unknown, path: Path = []): void {
    if (typeof value === "string") this.addText(value, isExpression(path));
    else if (typeof value === "number") this.addText(String(value), false);
    else if (Array.isArray(value)) for (const item of value) this.add(item, path);
    else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        if (!this.isPublic(key)) this.addText(key, false);
        this.add(item, [...path, key]);
      }
    }
  }

  private addText(text: string, expression: boolean): void {
    if (text.length < SHORTEST || isUnknown(text) || this.isPublic(text)) return;
    this.wholes.add(folded(text));
    for (const [word] of text.matchAll(WORDS)) if (!this.isPublic(word)) this.words.add(word.toLowerCase());
    const literals = expression ? literalsOf(text).filter((literal) => !this.isPublic(literal)) : [];
    for (const own of [text, ...literals]) this.addSpecific(own);
    for (const own of literals.length > 0 ? literals : [text]) for (const part of partsOf(own)) this.parts.add(part);
  }

  private addSpecific(text: string): void {
    if (text.length < SHORTEST || this.specific.has(text)) return;
    this.specific.add(text);
    this.pattern = undefined;
  }

  /** Hides the secrets that a text contains as they are, or as JSON writes them. */
  hide(text: string): string {
    if (this.specific.size === 0) return text;
    this.pattern ??= patternOf(this.specific);
    return text.replace(this.pattern, HIDDEN);
  }

  /** The same for a sentence about a secret: also what it quotes, and each word of a secret. */
  hideQuotes(text: string): string {
    const quotes = text.replace(/(["'`])(?:(?!\1).)+\1/gs, `$1${HIDDEN}$1`);
    return this.hide(quotes).replace(WORDS, (word) => (this.words.has(word.toLowerCase()) ? HIDDEN : word));
  }

  /** Whether a value to be sent carries a secret of the program. */
  isIn(value: unknown): boolean {
    if (this.wholes.size === 0) return false;
    return textsIn(value).some((text) => {
      const sent = folded(text);
      return this.wholes.has(sent) || [...this.wholes].some((whole) => sent.includes(whole));
    });
  }

  /** Whether a value that somebody else wrote is a copy of a secret, or contains what is specific to one. */
  contains(value: unknown): boolean {
    if (this.specific.size === 0) return false;
    return textsIn(value).some((text) => {
      if (this.isPublic(text)) return false;
      const theirs = folded(text);
      return this.wholes.has(theirs) || partsOf(theirs).some((part) => this.parts.has(part));
    });
  }
}

const WORDS = /[\w-]{4,}/g;

/** All strings and numbers in a value, and all keys. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)]) : [];
}

function isExpression(path: Path): boolean {
  return /expression$/i.test(String(path.at(-1) ?? ""));
}

function partsOf(text: string): string[] {
  const whole = folded(text);
  return Array.from({ length: Math.max(0, whole.length - COPIED + 1) }, (_, at) => whole.slice(at, at + COPIED));
}

/** The service may change case and white space. */
function folded(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}

/** Longer texts first: they may contain shorter ones. */
function patternOf(texts: ReadonlySet<string>): RegExp {
  const variants = [...texts].flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
  const sorted = [...new Set(variants)].toSorted((one, other) => other.length - one.length);
  return new RegExp(sorted.map(patternOfText).join("|"), "gi");
}

function patternOfText(text: string): string {
  const exact = text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return /^[a-z]+$/i.test(text) && text.length < LONG_WORD ? `(?<!\\w)${exact}(?!\\w)` : exact;
}

/** Quoted strings, including raw strings. */
const STRINGS = /r(#+)"(?<raw>.*?)"\1|"(?<plain>(?:[^"\\]|\\.)*)"/gs;
/** Other tokens: names, numbers, addresses, networks and lists. */
const TOKENS = /[\w.:/$-]+/g;

/**
 * The values that an expression contains: strings, numbers, addresses and names of lists. The rest is the rules language,
 * which is public.
 */
function literalsOf(expression: string): string[] {
  const strings = [...expression.matchAll(STRINGS)].map(({ groups }) => groups?.raw ?? groups?.plain ?? "");
  const tokens = expression.replace(STRINGS, " ").match(TOKENS) ?? [];
  const values = strings.map((text) => text.replace(/\\(.)/gs, "$1"));
  return [...strings, ...values, ...tokens.filter((token) => /^[\d$]|:/.test(token))];
}
