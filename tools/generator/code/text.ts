/**
 * Characters that are invisible in an editor: control characters, unusual spaces, direction marks, unpaired surrogates.
 * Unescaped, they could make one rule look like another.
 */
const HIDDEN_CHARACTERS =
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]|\p{Cs}|[\u{e0000}-\u{e0fff}]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f" };

function escaped(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** A string literal on one line: in double quotes, or in single quotes if that needs fewer escapes. */
export function quoted(text: string): string {
  const count = (quote: string): number => text.split(quote).length - 1;
  const quote = count('"') > count("'") ? "'" : '"';
  const inside = text
    .replace(/\\/g, "\\\\")
    .replace(HIDDEN_CHARACTERS, escaped)
    .replace(quote === '"' ? /"/g : /'/g, `\\${quote}`);
  return `${quote}${inside}${quote}`;
}

/** A part of a template literal. Line breaks are kept, since they are the reason for using a template. */
export function templatePart(text: string): string {
  return text
    .replace(/\\/g, "\\\\")
    .replace(HIDDEN_CHARACTERS, (character) => (character === "\n" ? "\n" : escaped(character)))
    .replace(/`/g, "\\`")
    .replace(/\$\{/g, "\\${");
}

/** A part of a template literal whose tag reads it as it is written. */
export function rawPart(text: string): string {
  return text.replace(/`/g, "\\`").replace(/\$\{/g, "\\${");
}

/** Whether a text has characters that are invisible in an editor, other than line breaks. */
export function hasHiddenCharacters(text: string): boolean {
  return (text.match(HIDDEN_CHARACTERS) ?? []).some((character) => character !== "\n");
}

/** Makes a text safe for a one-line comment. */
export function inComment(text: string): string {
  return text.replace(/\s+/g, " ").replace(HIDDEN_CHARACTERS, escaped).trim();
}

const IDENTIFIER = /^[$_\p{ID_Start}][$_\p{ID_Continue}]*$/u;

/** A key of an object literal. */
export function propertyName(key: string): string {
  // Unquoted or quoted, this key would set the prototype.
  if (key === "__proto__") return '["__proto__"]';
  return IDENTIFIER.test(key) && !/[\u{10000}-\u{10ffff}]/u.test(key) ? key : quoted(key);
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;

/** The display width of a text: East Asian wide characters take two columns, combining marks none. */
export function widthOf(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  return Array.from(text).reduce((width, character) => {
    if (/[\u0300-\u036f]/.test(character)) return width;
    return width + (WIDE.test(character) ? 2 : 1);
  }, 0);
}
