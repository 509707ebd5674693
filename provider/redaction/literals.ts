/** Strings in quotes, raw strings of the rules language among them. */
const STRINGS = /r(#+)"(?<raw>.*?)"\1|"(?<plain>(?:[^"\\]|\\.)*)"/gs;
/** Whatever else stands apart: names, numbers, addresses, networks, and lists. */
const TOKENS = /[\w.:/$-]+/g;

/**
 * The parts of an expression that are the program's own: texts in quotes, numbers, addresses, names of lists. The rest
 * is the rules language, which everybody knows.
 */
export function literalsOf(expression: string): string[] {
  const strings = [...expression.matchAll(STRINGS)].map(({ groups }) => groups?.raw ?? groups?.plain ?? "");
  const tokens = expression.replace(STRINGS, " ").match(TOKENS) ?? [];
  return [...strings, ...tokens.filter((token) => /^[\d$]|:/.test(token))];
}
