import { foldCase } from "./ranges.js";
import type { RegexFault, RegexNode } from "./tree.js";

export class RegexError extends Error {
  constructor(readonly fault: RegexFault) {
    super(fault.message);
  }
}

interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly swapGreed: boolean;
  readonly unicode: boolean;
  readonly verbose: boolean;
  readonly crlf: boolean;
}

const NAMES: Readonly<Record<string, keyof Flags>> = {
  i: "ignoreCase",
  m: "multiline",
  s: "dotAll",
  U: "swapGreed",
  u: "unicode",
  x: "verbose",
  R: "crlf",
};
const IGNORED = /(?:\p{White_Space}|#[^\n]*(?:\n|$))*/uy;

/** Reads a pattern from left to right, with the flags that apply at each position. */
export class Reader {
  at = 0;
  flags: Flags = {
    ignoreCase: false,
    multiline: false,
    dotAll: false,
    swapGreed: false,
    unicode: false,
    verbose: false,
    crlf: false,
  };
  private readonly names = new Set<string>();

  constructor(readonly pattern: string) {}

  get done(): boolean {
    return this.at >= this.pattern.length;
  }

  peek(ahead = 0): string {
    return this.pattern[this.at + ahead] ?? "";
  }

  take(text: string): boolean {
    if (!this.pattern.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** Consumes and returns the next character, a whole code point. */
  next(): string {
    const character = String.fromCodePoint(this.pattern.codePointAt(this.at) ?? 0);
    this.at += character.length;
    return character;
  }

  /** The match of a sticky pattern at this position, consumed by default. */
  match(pattern: RegExp, consume = true): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.pattern) ?? undefined;
    if (found !== undefined && consume) this.at += found[0].length;
    return found;
  }

  /** Skips white space and comments if the flag `x` is set. */
  skipIgnored(): void {
    if (this.flags.verbose) this.match(IGNORED);
  }

  fail(what: string, sure = true): never {
    throw new RegexError({
      message: `invalid regular expression: ${what} (at character ${String(this.at + 1)})`,
      sure,
    });
  }

  nameGroup(name: string): true {
    if (this.names.has(name)) this.fail(`two groups are named \`${name}\``);
    this.names.add(name);
    return true;
  }

  withFlags(letters: string): Flags {
    const [on = "", off, ...rest] = letters.split("-");
    if (rest.length > 0 || off === "") this.fail(`\`(?${letters}\` has no valid flags`);
    let { flags } = this;
    const seen = new Set<string>();
    for (const [part, value] of [[on, true] as const, [off ?? "", false] as const]) {
      for (const letter of part) {
        if (seen.has(letter)) this.fail(`a group of flags names \`${letter}\` twice`);
        seen.add(letter);
        const name = NAMES[letter];
        if (name === undefined) this.fail(`\`${letter}\` is not a flag; the flags are i, m, s, R, U, u and x`, false);
        else flags = { ...flags, [name]: value };
      }
    }
    return flags;
  }

  /** A literal character: its UTF-8 bytes, or one of its cases. */
  literal(character: string): RegexNode {
    const point = character.codePointAt(0) ?? 0;
    if (this.flags.unicode || point < 0x80) return this.one(point);
    const bytes = Array.from(Buffer.from(character, "utf8"));
    return { kind: "concat", items: bytes.map((byte) => ({ kind: "class", ranges: [[byte, byte]], unicode: false })) };
  }

  /** One byte, or one code point with Unicode. */
  one(point: number): RegexNode {
    const { ignoreCase, unicode } = this.flags;
    const ranges = [[point, point] as const];
    return { kind: "class", ranges: ignoreCase ? foldCase(ranges, unicode) : ranges, unicode };
  }
}
