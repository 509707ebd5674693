import { h } from "./dom.js";

/** Comments, texts, members, operators and numbers, in this order. */
const PARTS =
  /(?<comment>(?:^|\s)#.*$)|(?<string>"(?:[^"\\]|\\.)*"?)|(?<member>(?<=^[\s{,-]*)[A-Za-z_]\w*:(?=\s|$))|(?<word>\b(?:and|or|not|xor|eq|ne|lt|le|gt|ge|in|contains|matches|wildcard|strict|true|false)\b)|(?<number>\b\d[\w.:/]*)|(?<list>\$[\w.]+)/g;

/** Members with words of people, which mean nothing to the rules language. */
const PROSE = /^[\s{,-]*"?(?:description|name|ref|phase|action)"?:/;

/** A line of rules or of an expression, in colours. */
export function coloured(line: string): (HTMLElement | string)[] {
  const parts: (HTMLElement | string)[] = [];
  let end = 0;
  for (const found of line.matchAll(PARTS)) {
    const [name] =
      Object.entries(found.groups as Partial<Record<string, string>>).find(([, text]) => text !== undefined) ?? [];
    if (PROSE.test(line) && name !== "member" && name !== "comment") continue;
    parts.push(line.slice(end, found.index), h("span", { class: `pg-${name ?? "plain"}` }, found[0]));
    end = found.index + found[0].length;
  }
  parts.push(line.slice(end));
  return parts;
}
