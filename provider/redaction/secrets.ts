import { isObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import { HIDDEN } from "../model/secret.js";
import { isUnknown } from "../model/unknown.js";
import { inBase64, withUsualSigns } from "./base64.js";
import { literalsOf } from "./literals.js";
import { isOrdinary } from "./ordinary-words.js";
import { mergeSpans, Parts, replaceSpans, type Span } from "./parts.js";
import { folded, readings } from "./readings.js";
import { isPublicWord } from "./vocabulary.js";

/** Shorter parts of a secret stand everywhere; hiding them would leave nothing to read, and tell where they are. */
const SHORTEST = 4;
/** A part of this length is no coincidence in a value that somebody else wrote. */
const COPIED = 8;
/** Nor is one of this length in any sentence, whatever words it is made of. */
const QUOTED = 12;
/** Signs of Base64, and digits of hexadecimal, that tell four characters. */
const BASE64 = 5;
const HEXADECIMAL = 8;

/**
 * What one process must not show, and three ways not to show it, for three kinds of text:
 *
 * - What the service says may repeat any piece of what it was sent, in any encoding: every part of four characters is
 *   hidden. Only ordinary words stay, such as `use` and `action`, which a secret may have in common with any message: they
 *   are hidden where they are a whole secret, or twelve characters of one.
 * - A value that somebody else wrote, such as a rule made in the dashboard, has words of its own in common with any
 *   secret: it goes when it holds what is the secret's own, which in an expression are the texts and addresses in it.
 * - Our own sentences stay as they are, but for secrets that they quote whole. To hide words that anybody knows to stand
 *   there would tell that they stand in the secret too.
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
   * Notes texts that stand in clear in the state, such as refs: that a secret holds them too hides them from nobody. To be
   * told before the secret is.
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

  /** Takes in a value that is secret, with all that is inside. The path tells what the value is. */
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

  /** A text of ours, without the secrets that it quotes. */
  hide(text: string): string {
    return this.without(text, (reading) => this.quoted.find(folded(reading)));
  }

  /** A text of the service, without any part of a secret, however it is written. */
  hideEcho(text: string): string {
    return this.without(text, (reading) => {
      const folding = folded(reading);
      return [
        ...mergeSpans(this.echoed.find(folding)).filter((piece) => !isOrdinary(text, piece)),
        ...this.substantial.find(folding),
        ...this.inHexadecimal.find(folding),
        ...this.inBase64.find(withUsualSigns(reading)),
      ];
    });
  }

  /** Whether a value that somebody else wrote is a copy of a secret, or holds what is a secret's own. */
  contains(value: unknown): boolean {
    if (this.known.size === 0) return false;
    if (typeof value === "number") return this.contains(String(value));
    if (Array.isArray(value)) return value.some((item) => this.contains(item));
    if (isObject(value)) return Object.entries(value).some(([key, item]) => this.contains(key) || this.contains(item));
    if (typeof value !== "string" || this.isPublic(value)) return false;
    return (
      this.wholes.has(foldedText(value)) ||
      readings(value).some((reading) => this.copied.find(folded(reading)).length > 0)
    );
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
