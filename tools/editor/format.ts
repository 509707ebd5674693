import { parseExpression, printCondition, printExpression, type Expression } from "../../core/language/index.js";
import { RANK } from "../../core/language/syntax/keywords.js";
import type { EditedDocument } from "./edited-document.js";
import { spanInDocument, type Edit, type Embedded } from "./embedded/embedded.js";

/** A longer expression gets a line for each of the conditions that it combines, where it can have several lines. */
const WIDTH = 100;

/** The edits that write every expression of a document with the same operators and spaces. What cannot be parsed stays. */
export function formatEdits({ expressions, text }: EditedDocument): readonly Edit[] {
  return expressions.flatMap((embedded) => {
    const edit = formatted(embedded, text);
    return edit === undefined || edit.text === text.slice(edit.span.start, edit.span.end) ? [] : [edit];
  });
}

function formatted(embedded: Embedded, source: string): Edit | undefined {
  const { text, options, inserted } = embedded;
  const parsed = parseExpression(text, options.slot === "value" ? "value" : "filter");
  if ("fault" in parsed || inserted.length > 0) return undefined;
  const start = text.length - text.trimStart().length;
  const part = { start, end: text.trimEnd().length };
  const span = spanInDocument(embedded, part);
  const hasLines = source.slice(span.start, span.end).includes("\n");
  return embedded.change(part, printed(parsed.expression, embedded.lineBreak, hasLines));
}

function printed(expression: Expression, lineBreak: string | undefined, hasLines: boolean): string {
  const line = printExpression(expression);
  if (lineBreak === undefined || (line.length <= WIDTH && !hasLines)) return line;
  if (expression.kind === "value" || expression.condition.kind !== "combination") return line;
  const { op, items } = expression.condition;
  return items.map((item) => printCondition(item, RANK[op] + 1)).join(`${lineBreak}${op} `);
}
