import type { Combination, Condition, Span } from "../../ast.js";
import type { Trap, Trapped } from "./trap.js";

/** `a and b or c`, whose parentheses readers add in different places. */
export const precedence: Trap = ({ text, parts }) =>
  parts.flatMap(({ of, within }) => {
    if (of.kind !== "combination" || within !== undefined) return [];
    const inner = innerOf(of);
    const [first] = inner;
    if (first === undefined) return [];
    const { start, end } = of.span;
    const instead = withParentheses(text, of.span, inner);
    const order = `\`${first.op}\` is evaluated before \`${of.op}\``;
    return {
      ...({ code: "precedence", severity: "warning", offset: start, end } as const),
      ...{ message: `${order}: this means \`${shortened(instead)}\`. Write the parentheses`, instead, mayApply: true },
    };
  });

/** The combinations in a combination that have no parentheses around them. */
function innerOf({ items }: Combination): readonly Combination[] {
  return items.flatMap((item) => (item.kind === "combination" ? [item, ...innerOf(item)] : []));
}

function withParentheses(text: string, { start, end }: Span, inner: readonly Combination[]): string {
  const opened = new Map<number, string>();
  const add = (at: number, sign: string): void => void opened.set(at, `${opened.get(at) ?? ""}${sign}`);
  for (const { span } of inner) {
    add(span.start, "(");
    add(span.end, ")");
  }
  return Array.from({ length: end - start + 1 }, (_, index) => {
    const at = start + index;
    return `${opened.get(at) ?? ""}${at < end ? (text[at] ?? "") : ""}`;
  }).join("");
}

const LONGEST = 200;

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`;
}

/** `a && b and c`: two notations of one operator look like two operators. */
export const notation: Trap = (trapped) => {
  const written = trapped.parts.flatMap(({ of }) => (of.kind === "combination" ? operatorsOf(of, trapped) : []));
  const signs = written.filter(({ sign }) => SIGNS[sign] !== undefined);
  const [first] = signs;
  if (first === undefined || signs.length === written.length) return [];
  const { text } = trapped;
  const instead = signs
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (all, { sign, start, end }) => all.slice(0, start) + spaced(SIGNS[sign] ?? "", all, start, end) + all.slice(end),
      text,
    );
  const message = `\`${first.sign}\` means \`${SIGNS[first.sign] ?? ""}\`, and this expression mixes signs and words. Write words only`;
  return [{ code: "mixed-notation", severity: "info", offset: 0, end: text.length, message, instead, mayApply: true }];
};

const SIGNS: Readonly<Record<string, string>> = { "&&": "and", "||": "or", "^^": "xor" };

interface Written extends Span {
  readonly sign: string;
}

/** The operators between the members of a combination, as they are written. */
function operatorsOf({ items }: Combination, { text }: Trapped): readonly Written[] {
  return items.slice(1).flatMap((item, index) => {
    const before = items[index] as Condition;
    const found = /&&|\|\||\^\^|[a-z]+/.exec(text.slice(before.span.end, item.span.start));
    if (found === null) return [];
    const start = before.span.end + found.index;
    return [{ sign: found[0], start, end: start + found[0].length }];
  });
}

function spaced(word: string, text: string, start: number, end: number): string {
  return `${/\s$/.test(text.slice(0, start)) ? "" : " "}${word}${/^\s/.test(text.slice(end)) ? "" : " "}`;
}
