import { parseRegex } from "../../regex/parse.js";
import type { RegexNode } from "../../regex/tree.js";
import { printWith, textTestsOf, type TextTest } from "./text-tests.js";
import type { Trap } from "./trap.js";

/** What every value of a field begins with. */
const BEGINS: readonly (readonly [field: RegExp, start: "/" | "http"])[] = [
  [/^(?:raw\.)?http\.request\.uri(?:\.path)?$/, "/"],
  [/^(?:raw\.)?http\.request\.full_uri$/, "http"],
];

/** A path without its first slash, or a full URI without its scheme. */
export const pathStart: Trap = ({ parts }) =>
  parts.flatMap(textTestsOf).flatMap((test) => {
    const { field, literal, value } = test;
    const begins = field.path.length > 0 ? undefined : BEGINS.find(([name]) => name.test(field.name))?.[1];
    if (begins === undefined || value === "" || test.how === "part" || mayBegin(test, begins)) return [];
    // Another trap finds regular expressions after `wildcard`.
    if (test.how === "wildcard" && value.startsWith("^")) return [];
    const fixed = withStart(test, begins);
    const instead = fixed === undefined ? undefined : printWith(test, fixed);
    const what = begins === "/" ? "begins with `/`" : "begins with `http://` or `https://`";
    const message = `\`${field.name}\` ${what}, so this never matches it${instead === undefined ? "" : `. Write \`${instead}\``}`;
    const { start, end } = literal.span;
    return { code: "path-start", severity: "warning", offset: start, end, message, instead };
  });

/** Whether a value that begins as those of the field do can match. */
function mayBegin({ how, value }: TextTest, start: "/" | "http"): boolean {
  if (how === "regex") {
    const tree = parseRegex(value);
    return !("kind" in tree) || !isAnchored(tree) || mayBeginWith(tree, start);
  }
  const fixed = how === "wildcard" ? (/^(?:\\[^]|[^*\\])*/.exec(value)?.[0] ?? "") : value;
  const length = Math.min(start.length, fixed.length);
  return fixed.slice(0, length).toLowerCase() === start.slice(0, length);
}

/** Whether all that a pattern matches is at the beginning of a value. */
function isAnchored(node: RegexNode): boolean {
  switch (node.kind) {
    case "assertion":
      return node.what === "text-start";
    case "capture":
      return isAnchored(node.of);
    case "alternate":
      return node.items.every(isAnchored);
    case "concat": {
      const first = node.items.find(({ kind }) => kind !== "flags");
      return first !== undefined && isAnchored(first);
    }
    default:
      return false;
  }
}

function mayBeginWith(node: RegexNode, start: string): boolean {
  const { points, isEmpty } = firstOf(node, start.codePointAt(0) ?? 0);
  return points || isEmpty;
}

/** Whether a pattern takes a character first, and whether it may take none. */
function firstOf(node: RegexNode, point: number): { readonly points: boolean; readonly isEmpty: boolean } {
  switch (node.kind) {
    case "flags":
    case "assertion":
      return { points: false, isEmpty: true };
    case "class":
      return { points: node.ranges.some(([first, last]) => first <= point && point <= last), isEmpty: false };
    case "capture":
      return firstOf(node.of, point);
    case "repeat": {
      const { points, isEmpty } = firstOf(node.of, point);
      return { points, isEmpty: isEmpty || node.min === 0 };
    }
    case "alternate": {
      const all = node.items.map((item) => firstOf(item, point));
      return { points: all.some(({ points }) => points), isEmpty: all.some(({ isEmpty }) => isEmpty) };
    }
    case "concat": {
      for (const item of node.items) {
        const { points, isEmpty } = firstOf(item, point);
        if (points || !isEmpty) return { points, isEmpty: false };
      }
      return { points: false, isEmpty: true };
    }
  }
}

/** What begins as the values of the field do; undefined where nothing certain does. Outside of a pattern, `^` stands for itself. */
function withStart({ how, value: written }: TextTest, start: "/" | "http"): string | undefined {
  if (written.includes("://")) return undefined;
  const value = how === "regex" ? written : written.replace(/^\^/, "");
  if (how === "regex") {
    const [before] = /^(?:\(\?[a-z]+\))?\^(?![^|(]*\|)/.exec(value) ?? [];
    const rest = value.slice(before?.length);
    return before && `${before}${start === "/" ? start : `https?://${rest.startsWith("/") ? "[^/]+" : ""}`}${rest}`;
  }
  if (start === "/") return value.startsWith("/") ? value : `/${value}`;
  return how === "wildcard" ? `http*://${value.startsWith("/") ? "*" : ""}${value}` : undefined;
}
