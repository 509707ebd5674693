/** A string in a source file. */
export interface SourceLiteral {
  readonly value: string;
  /** Offset of its first character. */
  readonly start: number;
  /** The property whose value it is: `ref` in `{ ref: "admin" }`. */
  readonly key: string | undefined;
  /** Offset of the innermost `{` around it. */
  readonly object: number | undefined;
}

/** What is known about a source file without parsing it. */
export interface SourceOutline {
  readonly literals: readonly SourceLiteral[];
  /** Offsets of closing brackets, by those of their opening ones. */
  readonly closing: ReadonlyMap<number, number>;
}

const TOKEN = /\s+|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?|[\w$]+|[^]/y;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/y;
/** A piece of a template: up to its end, or up to a value in it. */
const PIECE = /((?:\\[^]|\$(?!\{)|[^`\\$])*)(`|\$\{|$)/y;
/** What a regular expression can come after; after anything else, `/` divides. */
const BEFORE_REGEX = /^(?:[(,=:[!&|?{};+\-*%<>~^]|return|typeof|case|in|of|await|yield|void)?$/;

/** Finds the strings and brackets of a JavaScript or TypeScript file. Comments do not count. */
export function outlineOf(text: string): SourceOutline {
  const literals: SourceLiteral[] = [];
  const closing = new Map<number, number>();
  const open: { readonly at: number; readonly sign: string }[] = [];
  /** The latest tokens, the last one first. */
  let latest: readonly string[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at += found[0].length;
    return found;
  };
  const add = (start: number, source: string): void => {
    const [first = "", second, third] = latest;
    // A tag, as in expression`…`, comes between the name of a property and its value.
    const name = first === ":" ? second : second === ":" && /^\w+$/.test(first) ? third : undefined;
    const object = open.findLast(({ sign }) => sign === "{" || sign === "${");
    const key = name?.replace(/^["']|["']$/g, "");
    literals.push({ value: unescaped(source), start, key, object: object?.sign === "{" ? object.at : undefined });
  };
  /** Reads a template from its start, or after a value in it, whose text is then not known as a whole. */
  const template = (start: number | undefined): void => {
    const [, source = "", end] = take(PIECE) ?? [];
    if (end === "${") open.push({ at: at - 1, sign: "${" });
    else if (start !== undefined) add(start, source);
    latest = [end === "${" ? "(" : "`", ...latest];
  };
  while (at < text.length) {
    const start = at;
    const sign = text[at] ?? "";
    if (
      sign === "/" &&
      !/^[/*]/.test(text.slice(at + 1)) &&
      BEFORE_REGEX.test(latest[0] ?? "") &&
      take(REGEX) !== null
    ) {
      latest = ["/", ...latest];
      continue;
    }
    const [token = ""] = take(TOKEN) ?? [];
    if (/^(?:\s|\/[/*])/.test(token)) continue;
    if (/^["']/.test(token)) add(start, token.slice(1, -1));
    if ("([{".includes(token)) open.push({ at: start, sign: token });
    const opened = ")]}".includes(token) ? open.pop() : undefined;
    if (opened !== undefined) closing.set(opened.at, start);
    if (token === "`") template(start);
    else if (opened?.sign === "${") template(undefined);
    else latest = [token, ...latest].slice(0, 3);
  }
  return { literals, closing };
}

const ESCAPED: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", "\n": "" };

/** The text of a literal. */
function unescaped(source: string): string {
  return source.replace(
    /\\(?:u\{([0-9a-fA-F]{1,5})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([^]))/g,
    (_whole, long?: string, four?: string, two?: string, sign?: string) => {
      const code = long ?? four ?? two;
      return code === undefined ? (ESCAPED[sign ?? ""] ?? sign ?? "") : String.fromCodePoint(parseInt(code, 16));
    },
  );
}
