/** A text with some of its escapes decoded. */
export interface Reading {
  readonly text: string;
  /** For each UTF-16 unit of the text, its start in the original; may be longer than the text. */
  readonly starts: readonly number[];
  /** For each UTF-16 unit of the text, its end in the original. */
  readonly ends: readonly number[];
}

/** Nested escapes, as in JSON inside JSON, are decoded to this depth. */
const DEPTH = 3;

/** A text as given, then with its escapes decoded once, then with nested escapes decoded as well. */
export function readings(text: string): Reading[] {
  const all = [plain(text)];
  for (let depth = 0; depth < DEPTH; depth += 1) {
    const last = all.at(-1) ?? plain(text);
    if (!ESCAPE_SIGN.test(last.text)) break;
    const next = unescaped(last);
    if (next.text === last.text) break;
    all.push(next);
  }
  return all;
}

function plain(text: string): Reading {
  return { text, ...(text.length <= USUAL ? USUAL_PLACES : placesOf(text.length)) };
}

function placesOf(length: number): Omit<Reading, "text"> {
  const starts = Array.from({ length }, (_, index) => index);
  return { starts, ends: starts.map((start) => start + 1) };
}

/** Nearly all texts are shorter and share these places. */
const USUAL = 4096;
const USUAL_PLACES = placesOf(USUAL);

/**
 * The escapes of URLs, JSON, JavaScript, Go, Python, C, XML and HTML. A run of escaped bytes is one match, because several
 * bytes can form one character.
 */
const ESCAPE = new RegExp(
  [
    "(?<percent>(?:%[H]{2})+)",
    "%u(?<code1>[H]{4})",
    "\\\\u\\{(?<code2>[H]{1,6})\\}",
    "\\\\u(?<code3>[H]{4})",
    "\\\\U(?<code4>[H]{8})",
    "(?<hex>(?:\\\\x[H]{2})+)",
    "(?<octal>(?:\\\\[0-3][0-7]{2})+)",
    "\\\\(?<sign>[^uUx])",
    "&#[xX](?<code5>[H]{1,6});",
    "&#(?<decimal>\\d{1,7});",
    "&(?<name>quot|amp|lt|gt|apos|nbsp);",
  ]
    .join("|")
    .replaceAll("H", "0-9A-Fa-f"),
  "gs",
);

/** What every escape begins with. */
const ESCAPE_SIGN = /[%\\&]/;

const SIGNS: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", a: "\x07" };
const NAMES: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", apos: "'", nbsp: " " };

/** Builds a reading, recording the position of each character in the original. */
class Builder {
  private text = "";
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  constructor(private readonly from: Reading) {}

  /** Adds characters that replace a span of the source reading. */
  add(characters: string, begin: number, end: number): void {
    this.text += characters;
    for (let unit = 0; unit < characters.length; unit += 1) {
      this.starts.push(this.from.starts[begin] ?? 0);
      this.ends.push(this.from.ends[end - 1] ?? 0);
    }
  }
  copy(begin: number, end: number): void {
    for (let index = begin; index < end; index += 1) this.add(this.from.text.charAt(index), index, index + 1);
  }
  /** Adds bytes whose escapes have equal lengths; a byte that is not valid UTF-8 becomes one character. */
  bytes(values: readonly number[], begin: number, step: number): void {
    for (let index = 0; index < values.length;) {
      const size = utf8Size(values, index);
      const characters =
        size === 1
          ? String.fromCharCode(values[index] ?? 0)
          : Buffer.from(values.slice(index, index + size)).toString("utf8");
      this.add(characters, begin + index * step, begin + (index + size) * step);
      index += size;
    }
  }
  done(): Reading {
    return { text: this.text, starts: this.starts, ends: this.ends };
  }
}

function unescaped(from: Reading): Reading {
  const builder = new Builder(from);
  let at = 0;
  for (const match of from.text.matchAll(ESCAPE)) {
    const end = match.index + match[0].length;
    builder.copy(at, match.index);
    addEscape(builder, match.groups ?? {}, match.index, end);
    at = end;
  }
  builder.copy(at, from.text.length);
  return builder.done();
}

function addEscape(
  builder: Builder,
  groups: Readonly<Record<string, string | undefined>>,
  begin: number,
  end: number,
): void {
  const { percent, hex, octal, sign, decimal, name } = groups;
  const code = groups.code1 ?? groups.code2 ?? groups.code3 ?? groups.code4 ?? groups.code5;
  if (percent !== undefined) builder.bytes(numbers(percent, "%", 16), begin, 3);
  else if (hex !== undefined) builder.bytes(numbers(hex, "\\x", 16), begin, 4);
  else if (octal !== undefined) builder.bytes(numbers(octal, "\\", 8), begin, 4);
  else if (code !== undefined) builder.add(character(parseInt(code, 16)), begin, end);
  else if (decimal !== undefined) builder.add(character(Number(decimal)), begin, end);
  else if (name !== undefined) builder.add(NAMES[name] ?? "", begin, end);
  else if (sign !== undefined) builder.add(SIGNS[sign] ?? sign, begin, end);
}

function numbers(text: string, mark: string, base: number): number[] {
  return text
    .split(mark)
    .slice(1)
    .map((digits) => parseInt(digits, base));
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}

/** Number of bytes of the UTF-8 character at a position; 1 if the bytes are not valid UTF-8. */
function utf8Size(bytes: readonly number[], at: number): number {
  const lead = bytes[at] ?? 0;
  const size = lead >= 0xf0 && lead < 0xf8 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  const rest = bytes.slice(at + 1, at + size);
  return lead < 0xf8 && rest.length === size - 1 && rest.every((byte) => (byte & 0xc0) === 0x80) ? size : 1;
}

/**
 * Normalises case, white space and Unicode composition, which echoes may change. A run of white space becomes one space, and
 * so does a plus, which encodes a space in query strings.
 */
export function folded(from: Reading): Reading {
  if (!MOVES_PLACES.test(from.text)) return { ...from, text: from.text.toLowerCase() };
  const builder = new Builder(from);
  let at = 0;
  let spaced = false;
  for (const one of from.text) {
    const isSpace = /[\s+]/u.test(one);
    if (!isSpace) builder.add(foldedCharacter(one), at, at + one.length);
    else if (!spaced) builder.add(" ", at, at + one.length);
    spaced = isSpace;
    at += one.length;
  }
  return builder.done();
}

/** Folding changes only the case of a text in ASCII without a plus and with single spaces. */
const MOVES_PLACES = /[^ -*,-~]| {2}/;

function foldedCharacter(one: string): string {
  return one < "\x80" ? one.toLowerCase() : one.normalize("NFKD").toUpperCase().toLowerCase();
}

/**
 * The Base64 encodings of a text inside longer data, one for each offset in a group of three bytes, without the characters
 * at the ends that depend on the neighbouring bytes.
 */
export function inBase64(text: string): string[] {
  const bytes = Buffer.from(text, "utf8");
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    return encoded.slice(first, last);
  });
}

/** Converts the URL-safe Base64 alphabet to the standard one. */
export function withUsualSigns(reading: Reading): Reading {
  return { ...reading, text: reading.text.replaceAll("-", "+").replaceAll("_", "/") };
}
