import type { Path } from "../../model/path.js";
import { isUnknown } from "../../model/unknown.js";
import { failure, join, NO_FINDINGS, type Findings } from "../failure.js";

/** Longest expression the service takes, in characters. */
export const MAX_EXPRESSION_LENGTH = 4096;

/** Whether an expression is there, short enough, and closes what it opens. */
export function checkExpression(value: unknown, path: Path): Findings {
  if (typeof value !== "string" || isUnknown(value)) return NO_FINDINGS;
  if (value.trim() === "") return failure(path, "must not be blank; `true` matches every request");
  const length = Array.from(value.trim()).length;
  const tooLong =
    length > MAX_EXPRESSION_LENGTH
      ? failure(path, `has ${String(length)} characters; the service takes at most ${String(MAX_EXPRESSION_LENGTH)}`)
      : NO_FINDINGS;
  const fault = findImbalance(value);
  return join([tooLong, fault === undefined ? NO_FINDINGS : failure(path, fault)]);
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** The first quote, parenthesis, bracket or brace without its partner, in words; undefined when all have one. */
export function findImbalance(expression: string): string | undefined {
  const open: { readonly sign: string; readonly at: number }[] = [];
  for (let index = 0; index < expression.length; index += 1) {
    const sign = expression[index] ?? "";
    if (sign === '"') {
      const end = endOfString(expression, index);
      if (end === undefined) return `the quote at character ${String(index + 1)} is never closed`;
      index = end;
    } else if (CLOSING[sign] !== undefined) {
      open.push({ sign, at: index });
    } else if (Object.values(CLOSING).includes(sign)) {
      const last = open.pop();
      if (last === undefined) return `"${sign}" at character ${String(index + 1)} closes nothing`;
      const wanted = CLOSING[last.sign] ?? "";
      if (wanted !== sign) {
        return `"${sign}" at character ${String(index + 1)} stands where "${wanted}" must close the "${last.sign}" at character ${String(last.at + 1)}`;
      }
    }
  }
  const last = open.pop();
  return last === undefined ? undefined : `"${last.sign}" at character ${String(last.at + 1)} is never closed`;
}

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
