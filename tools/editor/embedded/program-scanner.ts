import type { Span } from "../../../core/language/index.js";

/** A string or a template of a program that is an expression of the rules language. */
export interface FoundString {
  readonly quote: '"' | "'" | "`";
  /** Whether it is a template of the tag `expression`. */
  readonly isTagged: boolean;
  /** Its content, without quotes. */
  readonly span: Span;
  /** The `${…}` of a template. */
  readonly inserted: readonly Span[];
  /** The names of the members on the way to it; empty for one that is no member. */
  readonly names: readonly string[];
  /** The phase that an object around it names. */
  readonly phase: () => string | undefined;
}

/** A bracket that is open. */
interface Frame {
  readonly close: string;
  readonly parent: Frame | undefined;
  /** The member whose value it is in. */
  readonly name: string | undefined;
  /** The member whose value is being read. */
  member: string | undefined;
  phase?: string;
}

/** A token, as far as it decides what the next one means. */
type Before = "start of a member" | "colon" | "operand" | "tag" | "other";

const SPACE = /(?:\s+|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))+/y;
const WORD = /[\p{ID_Start}$_\p{Nd}#][\p{ID_Continue}$]*/uy;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const CLOSES: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]" };
/** Words after which a `/` begins a regular expression. */
const NO_OPERANDS = new Set([
  "return",
  "typeof",
  "case",
  "in",
  "of",
  "delete",
  "void",
  "throw",
  "new",
  "await",
  "yield",
]);

/**
 * Finds the templates of the tag `expression`, and the strings that are members of objects, in the text of a program. It reads
 * tokens alone, so it can read a program that is being written.
 */
export function findStrings(text: string): readonly FoundString[] {
  return new ProgramScanner(text).scan();
}

class ProgramScanner {
  private readonly found: FoundString[] = [];
  private at = 0;
  private before: Before = "other";
  private frame: Frame = { close: "", parent: undefined, name: undefined, member: undefined };

  constructor(private readonly text: string) {}

  scan(): readonly FoundString[] {
    while (this.at < this.text.length) this.readCode("");
    return this.found.sort((a, b) => a.span.start - b.span.start);
  }

  /** Reads until a closing bracket that belongs to no open one. */
  private readCode(until: string): void {
    const outer = this.frame;
    while (this.at < this.text.length) {
      this.skip(SPACE);
      const character = this.text[this.at] ?? "";
      if (character === until && this.frame === outer) return;
      if (character === '"' || character === "'") this.readString(character);
      else if (character === "`") this.readTemplate();
      else if (character === "/" && this.before !== "operand" && this.skip(REGEX)) this.before = "operand";
      else if (!this.readWord()) this.readSign(character);
    }
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const length = pattern.exec(this.text)?.[0].length ?? 0;
    this.at += length;
    return length > 0;
  }

  private readWord(): boolean {
    const start = this.at;
    if (!this.skip(WORD)) return false;
    this.readName(this.text.slice(start, this.at));
    return true;
  }

  /** A name, or a string that could be one: at the start of a member it may be that of the member. */
  private readName(name: string): void {
    if (this.before === "start of a member" && this.colonFollows()) this.frame.member = name;
    this.before = name === "expression" ? "tag" : NO_OPERANDS.has(name) ? "other" : "operand";
  }

  private colonFollows(): boolean {
    SPACE.lastIndex = this.at;
    const space = SPACE.exec(this.text)?.[0].length ?? 0;
    return this.text[this.at + space] === ":";
  }

  private readSign(sign: string): void {
    this.at += 1;
    const close = CLOSES[sign];
    if (close !== undefined) {
      this.frame = { close, parent: this.frame, name: this.frame.member, member: undefined };
      this.before = sign === "{" ? "start of a member" : "other";
      return;
    }
    if (sign === this.frame.close && this.frame.parent !== undefined) this.frame = this.frame.parent;
    if (/[,;]/.test(sign) && this.frame.close === "}") this.frame.member = undefined;
    this.before = this.afterSign(sign);
  }

  private afterSign(sign: string): Before {
    if (/[,;]/.test(sign)) return this.frame.close === "}" ? "start of a member" : "other";
    if (sign === ":") return "colon";
    return sign === ")" || sign === "]" || sign === "}" ? "operand" : "other";
  }

  private readString(quote: '"' | "'"): void {
    const { before } = this;
    const start = this.at + 1;
    const end = this.endOfString(quote, start);
    const isClosed = this.text[end] === quote;
    this.at = end + (isClosed ? 1 : 0);
    const content = this.text.slice(start, end);
    if (before === "start of a member") {
      this.readName(content);
      return;
    }
    if (before === "colon" && this.frame.member === "phase") this.frame.phase = content;
    if (before === "colon" && this.isWholeValue()) this.add({ quote, isTagged: false, start, end, inserted: [] });
    this.before = "operand";
  }

  /** A string ends at its quote, or at the end of the line if that is missing. */
  private endOfString(quote: string, from: number): number {
    for (let at = from; at < this.text.length; at += 1) {
      const character = this.text[at];
      if (character === quote || character === "\n") return at;
      if (character === "\\") at += this.text.startsWith("\r\n", at + 1) ? 2 : 1;
    }
    return this.text.length;
  }

  /** Whether the value of a member ends here: what continues, such as a sum of strings, is only known to a run. */
  private isWholeValue(): boolean {
    SPACE.lastIndex = this.at;
    const space = SPACE.exec(this.text)?.[0].length ?? 0;
    const next = this.text[this.at + space];
    return next === undefined || next === "," || next === "}" || this.text.startsWith("as ", this.at + space);
  }

  private readTemplate(): void {
    const { before } = this;
    const start = this.at + 1;
    const inserted: Span[] = [];
    this.at = start;
    while (this.at < this.text.length && this.text[this.at] !== "`") {
      if (this.text[this.at] === "\\") this.at += 2;
      else if (this.text.startsWith("${", this.at)) inserted.push(this.readInserted());
      else this.at += 1;
    }
    const end = Math.min(this.at, this.text.length);
    this.at = end + 1;
    const isTagged = before === "tag";
    if (isTagged || (before === "colon" && this.isWholeValue()))
      this.add({ quote: "`", isTagged, start, end, inserted });
    this.before = "operand";
  }

  /** Reads what a template inserts, in which there can be other templates. */
  private readInserted(): Span {
    const start = this.at;
    const outer = this.frame;
    this.at += 2;
    this.frame = { close: "", parent: undefined, name: undefined, member: undefined };
    this.before = "other";
    this.readCode("}");
    this.frame = outer;
    this.at = Math.min(this.at + 1, this.text.length);
    return { start, end: this.at };
  }

  private add({
    start,
    end,
    ...others
  }: Pick<FoundString, "quote" | "isTagged" | "inserted"> & { readonly start: number; readonly end: number }): void {
    const { frame } = this;
    const names = [frame.member, ...framesFrom(frame).map(({ name }) => name)].filter((name) => name !== undefined);
    this.found.push({
      ...others,
      span: { start, end },
      names: names.toReversed(),
      phase: () => framesFrom(frame).find(({ phase }) => phase !== undefined)?.phase,
    });
  }
}

/** The open brackets, from the innermost. */
function framesFrom(frame: Frame): readonly Frame[] {
  const frames: Frame[] = [];
  for (let one: Frame | undefined = frame; one !== undefined; one = one.parent) frames.push(one);
  return frames;
}
