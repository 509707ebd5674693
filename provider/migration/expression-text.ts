/*
 * Just enough of the rules language to recognise an expression that was written in another form: spaces, brackets and
 * the two spellings of operators.
 */

/** Strings with escapes, raw strings, names and numbers, operators, and any other sign. */
const TOKEN = /"(?:\\[\s\S]|[^"\\])*"|r(#*)"[\s\S]*?"\1|[\w.$:/-]+|&&|\|\||\^\^|[=!<>]=|\S/g;

const SPELLINGS: Readonly<Record<string, string>> = {
  "&&": "and",
  "||": "or",
  "^^": "xor",
  "!": "not",
  "==": "eq",
  "!=": "ne",
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
  "~": "matches",
};
const JOINS = new Set(["and", "or", "xor"]);

function tokensOf(expression: string): string[] {
  return (expression.match(TOKEN) ?? []).map(
    (token) => (Object.hasOwn(SPELLINGS, token) ? SPELLINGS[token] : token) ?? token,
  );
}

/** The alternatives of an expression, each in one form: equal texts mean equal conditions. */
export function alternatives(expression: string): string[] {
  return split(withoutBrackets(tokensOf(expression))).map((tokens) => withoutBrackets(tokens).join(" "));
}

/** Takes brackets away that enclose all of it. */
function withoutBrackets(tokens: readonly string[]): readonly string[] {
  const closes = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach((token, index) => {
    if (token === "(") open.push(index);
    if (token === ")") closes.set(open.pop() ?? -1, index);
  });
  let outer = 0;
  while (closes.has(outer) && closes.get(outer) === tokens.length - 1 - outer) outer += 1;
  return tokens.slice(outer, tokens.length - outer);
}

/** Splits at `or` outside of brackets: nothing binds weaker. */
function split(tokens: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    if (token === "or" && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** A string in an expression, and whether it stands in a condition that must not hold. */
export interface Literal {
  readonly text: string;
  readonly negated: boolean;
}

/** Every string of an expression, in order. */
export function literalsOf(expression: string): Literal[] {
  const found: Literal[] = [];
  const outer: { readonly group: boolean; readonly here: boolean }[] = [];
  let [group, here] = [false, false];
  for (const token of tokensOf(expression)) {
    if (token === "not" || token === "ne") here = !here;
    else if (JOINS.has(token)) here = group;
    else if (token === "(") {
      outer.push({ group, here });
      group = here;
    } else if (token === ")") {
      // The arguments of a function end here as well, and what is said of them goes on.
      ({ group, here } = outer.pop() ?? { group: false, here: false });
    } else if (/^(r#*)?"/.test(token)) found.push({ text: textOf(token), negated: here });
  }
  return found;
}

function textOf(token: string): string {
  const raw = /^r(#*)"([\s\S]*)"\1$/.exec(token);
  return raw === null ? token.slice(1, -1).replace(/\\([\s\S])/g, "$1") : (raw[2] ?? "");
}
