import { explainCondition, explainValue, type Explained } from "../rules-files/explain/words.js";
import { parseExpression, type Span } from "../../core/language/index.js";
import type { EditedDocument } from "./edited-document.js";
import { embeddedAt, offsetInExpression, spanInDocument, type Embedded } from "./embedded/embedded.js";
import { describeList, describeName } from "./names.js";
import { partsAt, type Part } from "./parts-at.js";

/** What a part of a document means. */
interface Hover {
  readonly span: Span;
  /** Markdown. */
  readonly text: string;
}

/** What the name at a position is, or what the condition there means. */
export function hoverAt(document: EditedDocument, offset: number): Hover | undefined {
  const embedded = embeddedAt(document.expressions, offset);
  const at = embedded === undefined ? undefined : offsetInExpression(embedded, offset);
  if (embedded === undefined || at === undefined) return undefined;
  const found = hoverIn(embedded, at);
  return found === undefined ? undefined : { ...found, span: spanInDocument(embedded, found.span) };
}

function hoverIn({ text, options, inserted }: Embedded, at: number): Hover | undefined {
  const parsed = parseExpression(text, options.slot === "value" ? "value" : "filter");
  if ("fault" in parsed) return nameAt(text, at);
  const parts = partsAt(parsed.expression, at);
  const meaning = meaningOf(parts);
  // What a program inserts is not known, so the condition with it has no meaning yet.
  const isKnown = !inserted.some(
    ({ start, end }) => start < (meaning?.span.end ?? 0) && (meaning?.span.start ?? 0) < end,
  );
  return hoverOf(parts.at(-1), at) ?? (isKnown ? meaning : undefined);
}

function hoverOf(part: Part | undefined, at: number): Hover | undefined {
  if (part?.kind === "list") return { span: part.list.span, text: describeList(part.list.name) };
  if (part?.kind !== "operand") return undefined;
  const { name, nameSpan } = part.operand;
  if (at < nameSpan.start || at > nameSpan.end) return undefined;
  const text = describeName(name);
  return text === undefined ? undefined : { span: nameSpan, text };
}

/** The innermost condition in words; for a value, what it is. */
function meaningOf(parts: readonly Part[]): Hover | undefined {
  const conditions = parts.flatMap((part) => (part.kind === "condition" ? [part.condition] : []));
  const innermost = conditions.at(-1);
  if (innermost !== undefined)
    return { span: innermost.span, text: `Matches when ${inWords(explainCondition(innermost))}` };
  const value = parts.flatMap((part) => (part.kind === "operand" ? [part.operand] : [])).at(0);
  return value === undefined ? undefined : { span: value.span, text: `The value is ${inWords(explainValue(value))}` };
}

function inWords({ words, parts }: Explained, depth = 0): string {
  const inner = parts.map((part) => `${"  ".repeat(depth)}- ${inWords(part, depth + 1)}`);
  return [words, ...inner].join("\n");
}

/** The name at a position of a text that cannot be parsed. */
function nameAt(text: string, at: number): Hover | undefined {
  const [before = ""] = /[\w.]*$/.exec(text.slice(0, at)) ?? [];
  const [behind = ""] = /^[\w.]*/.exec(text.slice(at)) ?? [];
  const described = describeName(before + behind);
  if (described === undefined) return undefined;
  return { span: { start: at - before.length, end: at + behind.length }, text: described };
}
