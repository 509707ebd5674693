import { isObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import { HIDDEN } from "../model/secret.js";
import { isUnknown } from "../model/unknown.js";
import { inBase64, withUsualSigns, folded, readings } from "./readings.js";
import { mergeSpans, Parts, replaceSpans, type Span } from "./parts.js";
import { isInsideKnownWord, isOrdinary, isPublicWord } from "./vocabulary.js";

/** Shorter parts of a secret occur everywhere; hiding them would make text unreadable and reveal their positions. */
const SHORTEST = 4;
/** In a value that somebody else wrote, a part of this length is not a coincidence. */
const COPIED = 8;
/** In a sentence, a part of this length is not a coincidence, whatever its words. */
const QUOTED = 12;
/** Length in Base64 or hexadecimal that reveals about four characters. */
const BASE64 = 5;
const HEXADECIMAL = 8;

/**
 * The secrets of a process, and how to hide them in three kinds of text:
 *
 * - A message of the service may repeat any part of a request in any encoding, so every part of four characters is hidden.
 *   Only ordinary words such as `use` and `action`, which occur in any message, remain; they are hidden if they are
 *   a whole secret, or twelve characters of one. Words of which a secret has only a part remain as well: hiding `test` in `latest`
 *   would say what the secret contains.
 * - A value that somebody else wrote, such as a rule created in the dashboard, shares ordinary words with any secret. It is
 *   hidden if it contains what is specific to the secret: in an expression, its strings and addresses.
 * - Our own sentences only lose secrets that they quote, in whole or at least twelve characters of them. Hiding words that
 *   are known to be in the sentence would reveal that the secret contains them too.
 */
export class Secrets {
  private readonly known = new Set<string>();
  private readonly published = new Set<string>();
  private readonly wholes = new Set<string>();
  private readonly echoed = new Parts(SHORTEST);
  private readonly substantial = new Parts(QUOTED, SHORTEST);
  private readonly inBase64 = new Parts(BASE64);
  private readonly inHexadecimal = new Parts(HEXADECIMAL);
  private readonly copied = new Parts(COPIED, SHORTEST);
  private readonly quoted = new Parts(QUOTED, SHORTEST);

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
    const name = `${expression ? "expression" : "text"} ${text}`;
    if (text.length < SHORTEST || isUnknown(text) || this.known.has(name)) return;
    this.known.add(name);
    for (const reading of readings(text)) {
      this.echoed.add(folded(reading).text);
      this.substantial.add(folded(reading).text);
    }
    for (const variant of new Set([text, JSON.stringify(text).slice(1, -1)])) {
      for (const encoded of inBase64(variant)) this.inBase64.add(encoded);
      this.inHexadecimal.add(Buffer.from(variant, "utf8").toString("hex"));
    }
    if (this.isPublic(text)) return;
    this.wholes.add(foldedText(text));
    const literals = expression ? literalsOf(text).filter((literal) => !isPublicWord(literal)) : [];
    for (const own of literals.length > 0 ? literals : [text]) {
      for (const reading of readings(own)) {
        this.copied.add(folded(reading).text);
        this.quoted.add(folded(reading).text);
      }
    }
  }

  /** Hides the secrets that one of our own texts quotes. */
  hide(text: string): string {
    return this.without(text, (reading) =>
      mergeSpans(this.quoted.find(folded(reading))).filter((piece) => !isInsideKnownWord(text, piece)),
    );
  }

  /** Hides all parts of secrets in a text of the service, in any encoding. */
  hideEcho(text: string): string {
    return this.without(text, (reading) => {
      const folding = folded(reading);
      return [
        ...[
          ...mergeSpans(this.echoed.find(folding)).filter((piece) => !isOrdinary(text, piece)),
          ...mergeSpans(this.substantial.find(folding)),
        ].filter((piece) => !isInsideKnownWord(text, piece)),
        ...this.inHexadecimal.find(folding),
        ...this.inBase64.find(withUsualSigns(reading)),
      ];
    });
  }

  /** Whether a value that somebody else wrote is a copy of a secret, or contains what is specific to one. */
  contains(value: unknown): boolean {
    if (this.known.size === 0) return false;
    if (typeof value === "number") return this.contains(String(value));
    if (Array.isArray(value)) return value.some((item) => this.contains(item));
    if (isObject(value)) return Object.entries(value).some(([key, item]) => this.contains(key) || this.contains(item));
    if (typeof value !== "string" || this.isPublic(value)) return false;
    const texts = readings(value).map((reading) => folded(reading).text);
    return this.wholes.has(texts[0] ?? value) || texts.some((text) => this.copied.isFoundIn(text));
  }

  private without(text: string, find: (reading: ReturnType<typeof readings>[number]) => Span[]): string {
    if (this.known.size === 0) return text;
    return replaceSpans(text, readings(text).flatMap(find), HIDDEN);
  }
}

function isExpression(path: Path): boolean {
  return /expression$/i.test(String(path.at(-1) ?? ""));
}

function foldedText(text: string): string {
  const [reading] = readings(text);
  return reading === undefined ? text : folded(reading).text;
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
  return [...strings, ...tokens.filter((token) => /^[\d$]|:/.test(token))];
}
