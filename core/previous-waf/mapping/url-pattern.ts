import { toBytes } from "../../language/bytes.js";
import { printLiteral } from "../../language/print/literals.js";

/** The URL pattern of a page rule without its scheme: a pattern without a scheme applies to both. */
export function withoutScheme(url: string): string {
  return url.replace(/^[a-z*]*:\/\//i, "").toLowerCase();
}

/** Whether every URL that matches `narrow` also matches `wide`. */
export function covers(wide: string, narrow: string): boolean {
  return matches(withoutScheme(wide), withoutScheme(narrow));
}

/** Whether a URL can match two patterns at once, whatever their schemes. */
export function overlaps(one: string, other: string): boolean {
  const [a, b] = [withoutScheme(one), withoutScheme(other)];
  // For each suffix of the second pattern, whether it overlaps the current suffix of the first, starting from the end.
  let overlapping = Array.from({ length: b.length + 1 }, (_, at) => /^\**$/.test(b.slice(at)));
  for (let from = a.length - 1; from >= 0; from -= 1) {
    const before = overlapping;
    const row: boolean[] = [];
    for (let at = b.length; at >= 0; at -= 1) {
      const next = at === b.length ? false : (row[at + 1] ?? false);
      row[at] =
        a[from] === "*"
          ? (before[at] ?? false) || next
          : b[at] === "*"
            ? next || (before[at] ?? false)
            : a[from] === b[at] && at < b.length && (before[at + 1] ?? false);
    }
    overlapping = row;
  }
  return overlapping[0] ?? false;
}

/**
 * The condition for a URL pattern of a page rule or a URI-based override: `*` is any text, a pattern without a scheme
 * applies to both, and one without a path applies to the root of its host.
 */
export function urlCondition(pattern: string): string {
  const url = pattern.includes("://") ? pattern : `http*://${pattern}`;
  const rest = url.slice(url.indexOf("://") + 3);
  const whole = rest.includes("/") || rest.endsWith("*") ? url : `${url}/`;
  const text = whole
    .replace(/\\/g, "\\\\")
    .replace(/\*+/g, "*")
    .replace(/\p{Surrogate}/gu, "\ufffd");
  const notation = text.includes("\\") && !/[\x00-\x1f\x7f]/.test(text) ? "raw" : "quoted";
  const literal = printLiteral({ kind: "string", value: toBytes(text), notation, span: { start: 0, end: 0 } });
  return `http.request.full_uri wildcard ${literal}`;
}

/** Whether a pattern matches a text; `*` stands for any characters. */
function matches(pattern: string, text: string): boolean {
  let [at, star, resume] = [0, -1, 0];
  let index = 0;
  while (index < text.length) {
    if (pattern[at] === "*") [star, resume, at] = [at, index, at + 1];
    else if (pattern[at] === text[index]) [at, index] = [at + 1, index + 1];
    else if (star >= 0) [at, resume, index] = [star + 1, resume + 1, resume + 1];
    else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}
