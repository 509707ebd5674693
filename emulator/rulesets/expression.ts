/** Longest expression in characters. */
const MAX_LENGTH = 4096;

/** Why the service would refuse an expression, or undefined. Enough of the language to tell brackets and quotes. */
export function expressionFault(expression: string): string | undefined {
  const size = Array.from(expression.trim()).length;
  if (size > MAX_LENGTH) return `expression size ${String(size)} exceeded maximum ${String(MAX_LENGTH)}`;
  const column = faultColumn(expression);
  return column === undefined
    ? undefined
    : `could not parse filter expression: Filter parsing error (1:${String(column + 1)}): ${expression} unrecognised input`;
}

/** Position of the first quote or bracket without a partner. */
function faultColumn(text: string): number | undefined {
  const stack: number[] = [];
  const pairs: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
  let at = 0;
  while (at < text.length) {
    const raw = /^r(#*)"/.exec(text.slice(at));
    const sign = text[at] ?? "";
    if (raw !== null && !/[A-Za-z0-9_.]/.test(text[at - 1] ?? "")) {
      const close = text.indexOf(`"${raw[1] ?? ""}`, at + raw[0].length);
      if (close < 0) return at;
      at = close + 1 + (raw[1]?.length ?? 0);
    } else if (sign === '"') {
      const pattern = /(?:matches|~)\s*$/.test(text.slice(0, at));
      const close = closingQuote(text, at, pattern);
      if (close === undefined) return at;
      at = close + 1;
    } else {
      if ("([{".includes(sign)) stack.push(at);
      const opener = pairs[sign];
      if (opener !== undefined && text[stack.pop() ?? -1] !== opener) return at;
      at += 1;
    }
  }
  return stack.pop();
}

function closingQuote(text: string, start: number, pattern: boolean): number | undefined {
  let bracket = false;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (pattern && text[at] === "[") bracket = true;
    else if (pattern && text[at] === "]") bracket = false;
    else if (text[at] === '"' && !bracket) return at;
  }
  return undefined;
}
