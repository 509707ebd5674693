/** Quoted strings, including raw strings. */
const STRINGS = /r(#+)"(?<raw>.*?)"\1|"(?<plain>(?:[^"\\]|\\.)*)"/gs;
/** Other tokens: names, numbers, addresses, networks and lists. */
const TOKENS = /[\w.:/$-]+/g;

/**
 * The values that an expression contains: strings, numbers, addresses and names of lists. The rest is the rules language,
 * which is public.
 */
export function literalsOf(expression: string): string[] {
  const strings = [...expression.matchAll(STRINGS)].map(({ groups }) => groups?.raw ?? groups?.plain ?? "");
  const tokens = expression.replace(STRINGS, " ").match(TOKENS) ?? [];
  return [...strings, ...tokens.filter((token) => /^[\d$]|:/.test(token))];
}
