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

/** The URL pattern of a page rule without its scheme: one that names none is for both. */
export function withoutScheme(url: string): string {
  return url.replace(/^[a-z*]*:\/\//i, "").toLowerCase();
}

/** Whether every URL of one pattern is one of another's as well. */
export function covers(wide: string, narrow: string): boolean {
  return matches(withoutScheme(wide), withoutScheme(narrow));
}

export function overlaps(one: string, other: string): boolean {
  return covers(one, other) || covers(other, one);
}
