/** Index of the closing quote: of a raw string `r#"…"#`, of a pattern after `matches`, or of a plain string. */
function endOfString(text: string, start: number): number | undefined {
  const before = text.slice(0, start);
  const raw = /(?:^|[^A-Za-z0-9_.])r(#*)$/.exec(before);
  if (raw !== null) {
    const end = text.indexOf(`"${raw[1] ?? ""}`, start + 1);
    return end < 0 ? undefined : end + (raw[1]?.length ?? 0);
  }
  const pattern = /(?:matches|~)\s*$/.test(before);
  let inClass = false;
  for (let index = start + 1; index < text.length; index += 1) {
    const sign = text[index];
    if (sign === "\\") index += 1;
    else if (pattern && sign === "[" && !inClass) inClass = true;
    else if (pattern && sign === "]") inClass = false;
    else if (sign === '"' && !inClass) return index;
  }
  return undefined;
}

/** An expression without its texts: what is left are operators, names, numbers and signs. */
export function operatorsAndNames(expression: string): string {
  let rest = "";
  for (let index = 0; index < expression.length; index += 1) {
    const sign = expression[index] ?? "";
    rest += sign;
    if (sign !== '"') continue;
    const end = endOfString(expression, index);
    if (end === undefined) return rest;
    rest += '"';
    index = end;
  }
  return rest;
}
