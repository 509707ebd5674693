/** A quoted or raw string, even if unterminated; a run of white space; any other character. */
const PART = /r(#*)"[\s\S]*?(?:"\1|$)|"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|$)|\s+|[\s\S]/gu;

/**
 * The length of an expression as the service counts it: white space around the expression and inside the braces of sets is
 * ignored, and any other run of it outside strings counts as one character. Characters are code points.
 *  That the service measures this form was observed: https://github.com/doctena-org/octorules-cloudflare, rule CF224.
 */
export function expressionLength(text: string): number {
  let length = 0;
  let afterBrace = false;
  let space = 0;
  for (const [part] of text.trim().matchAll(PART)) {
    if (part.trim() === "") {
      space = afterBrace ? 0 : 1;
      continue;
    }
    length += (part === "}" ? 0 : space) + countCharacters(part);
    space = 0;
    afterBrace = part === "{";
  }
  return length;
}

export function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}
