import { isAscii, toBytes } from "../bytes.js";
import type { FindingCode, Fix, TextFinding } from "../finding.js";
import type { Bytes } from "../value.js";
import { describeCharacter } from "./traps.js";

/** Thrown at the first syntax error. */
export class SyntaxFault extends Error {
  constructor(readonly finding: TextFinding) {
    super(finding.message);
  }
}

const QUOTE = 34;
const WHITE_SPACE = /^\p{White_Space}$/u;
const IDENTIFIER = /[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*/y;
const IDENTIFIER_CHARACTER = /[A-Za-z0-9_]/;

/**
 * Reads an expression from left to right. The meaning of a character depends on its context (a regular expression after
 * `matches`, bytes after a String field, an address after an IP field), so the grammar reads tokens one by one.
 */
export class Scanner {
  /** Offset of the next character. */
  at = 0;
  readonly end: number;
  /** Findings that do not stop parsing. */
  readonly notes: TextFinding[] = [];

  private identifierAt = -1;
  private identifier = "";
  /** The offsets of the next ones, as far as they have been looked for. */
  private quoteAt = -1;
  private backslashAt = -1;
  private readonly isAscii: boolean;

  constructor(readonly text: string) {
    this.isAscii = isAscii(text);
    // Unicode white space around an expression is trimmed, including tabs; inside, only space, CR and LF are separators.
    let end = text.length;
    while (this.at < end && WHITE_SPACE.test(text[this.at] ?? "")) this.at += 1;
    while (end > this.at && WHITE_SPACE.test(text[end - 1] ?? "")) end -= 1;
    this.end = end;
  }

  get done(): boolean {
    return this.at >= this.end;
  }

  peek(ahead = 0): string {
    return this.at + ahead < this.end ? (this.text[this.at + ahead] ?? "") : "";
  }

  skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (this.at >= this.end || (code !== 32 && code !== 10 && code !== 13)) return;
      this.at += 1;
    }
  }

  looksAt(literal: string): boolean {
    return this.text.startsWith(literal, this.at) && this.at + literal.length <= this.end;
  }

  /** Consumes the text if it comes next. */
  take(literal: string): boolean {
    if (!this.looksAt(literal)) return false;
    this.at += literal.length;
    return true;
  }

  /** Consumes the text before the next quote or backslash. */
  takeUntilQuote(): string {
    const from = this.at;
    if (this.quoteAt < from) this.quoteAt = this.offsetOf('"', from);
    if (this.backslashAt < from) this.backslashAt = this.offsetOf("\\", from);
    this.at = Math.min(this.quoteAt, this.backslashAt, this.end);
    return this.text.slice(from, this.at);
  }

  /** Where a string in plain quotes without an escape ends, if one begins here. */
  endOfPlainString(): number | undefined {
    const { at } = this;
    if (this.text.charCodeAt(at) !== QUOTE) return undefined;
    if (this.backslashAt < at) this.backslashAt = this.offsetOf("\\", at);
    const quote = this.offsetOf('"', at + 1);
    return quote < this.backslashAt && quote < this.end ? quote + 1 : undefined;
  }

  private offsetOf(character: string, from: number): number {
    const found = this.text.indexOf(character, from);
    return found < 0 ? this.text.length : found;
  }

  /** A part of the text as bytes. */
  bytes(part: string): Bytes {
    return this.isAscii ? part : toBytes(part);
  }

  /** The match of a sticky pattern at this position, without consuming it; empty if there is none. */
  match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    return this.at + found.length <= this.end ? found : found.slice(0, this.end - this.at);
  }

  /** The name at this position, including dots; empty if there is none. */
  peekIdentifier(): string {
    if (this.identifierAt !== this.at) {
      this.identifier = this.match(IDENTIFIER);
      this.identifierAt = this.at;
    }
    return this.identifier;
  }

  identifierCharacterAt(offset: number): boolean {
    return offset >= 0 && offset < this.end && IDENTIFIER_CHARACTER.test(this.text[offset] ?? "");
  }

  /** @param start of the part, which ends here */
  note(code: FindingCode, start: number, message: string, instead: string): void {
    this.notes.push({ code, severity: "warning", offset: start, end: this.at, message, instead });
  }

  /** @param fix what to write from `offset` to `end`, if that is known */
  fail(message: string, offset = this.at, end = offset + 1, code: FindingCode = "syntax", ...fix: Fix): never {
    const [instead, mayApply] = fix;
    const inside = Math.min(Math.max(end, offset), this.text.length);
    throw new SyntaxFault({ code, severity: "error", offset, end: inside, message, instead, mayApply });
  }

  /** Fails at the next character: reports what was expected, what was found, and a hint if there is one. */
  expected(what: string): never {
    if (this.done) return this.fail(`expected ${what}, but the expression ends here`, this.at, this.at);
    const word = this.peekIdentifier();
    const next = word === "" ? describeCharacter(this.text, this.at) : { shown: `\`${word}\``, length: word.length };
    const hint = next.hint === undefined ? "" : `. ${next.hint}`;
    const end = this.at + next.length;
    return this.fail(
      `expected ${what}, found ${next.shown}${hint}`,
      this.at,
      end,
      "syntax",
      next.instead,
      next.instead !== "",
    );
  }
}
