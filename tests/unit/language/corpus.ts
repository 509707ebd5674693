import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  compileExpression,
  compileValueExpression,
  ExpressionError,
  makeContext,
  Unknown,
  type PlainValue,
} from "../../../core/language/index";

/**
 * One line of a corpus: an expression, what it is tried against, and the verdict of another implementation. The values of
 * fields are as `makeContext` takes them; a field that is left out is unknown, `null` is nil.
 */
export interface Entry {
  readonly expression: string;
  readonly kind?: "filter" | "value";
  readonly fields?: Readonly<Record<string, PlainValue>>;
  readonly lists?: Readonly<Record<string, readonly (string | number)[]>>;
  /** For a value expression: the result, `null` for nil. */
  readonly verdict: boolean | "unknown" | "error" | { readonly value: PlainValue };
}

const FOLDER = join(__dirname, "corpus");

/** The corpora by file name. */
export function readCorpora(): readonly { readonly name: string; readonly entries: readonly Entry[] }[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".ndjson"))
    .map((name) => {
      const lines = readFileSync(join(FOLDER, name), "utf8").split("\n");
      return { name, entries: lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Entry) };
    });
}

/** Our verdict on an entry. */
export function verdictOf(entry: Entry): Entry["verdict"] {
  const context = makeContext(entry);
  try {
    if (entry.kind !== "value") return compileExpression(entry.expression).evaluate(context).value;
    const value = compileValueExpression(entry.expression).value(context);
    if (value instanceof Unknown) return "unknown";
    return { value: (value ?? null) as PlainValue };
  } catch (error) {
    if (error instanceof ExpressionError) return "error";
    throw error;
  }
}
