import { expressionsOf, type PlacedExpression } from "../model/expressions.js";
import { isObject, type JsonObject } from "../model/json.js";
import { valueAt, withValueAt } from "../model/path.js";
import { late } from "../model/late.js";

// Not from the language's index, which loads the evaluator; and on demand, as kinds without rules compare none.
const loadNormaliser = late<typeof import("../language/normalise/index.js")>(() =>
  require("../language/normalise/index.js"),
);
const loadOutlines = late<typeof import("../language/normalise/outline.js")>(() =>
  require("../language/normalise/outline.js"),
);

/** Size of the cache, enough for the largest programs; when it is full, it is emptied. */
const MOST_FORMS = 50_000;
const forms = new Map<string, string>();

/** The normal form of an expression, cached; an expression that cannot be parsed is returned unchanged. */
function formOf({ text, options }: PlacedExpression): string {
  const kind = options.slot === "value" ? "value" : "filter";
  const key = `${kind} ${text}`;
  const known = forms.get(key);
  if (known !== undefined) return known;
  if (forms.size >= MOST_FORMS) forms.clear();
  const form = loadNormaliser().normalForm(text, kind) ?? text;
  forms.set(key, form);
  return form;
}

/** A short text that is equal for rules whose expressions have the same normal form; undefined if there is no expression. */
export function outlineOfRule({ expression }: JsonObject): string | undefined {
  if (typeof expression !== "string" || expression === "") return undefined;
  return loadOutlines().outlineOf(expression) ?? expression;
}

/** A rule with every expression in its normal form. */
export function inNormalForm(rule: JsonObject): JsonObject {
  return rewritten(rule, formOf);
}

/** A rule whose expressions are written as in the other rule, wherever both mean the same. */
export function writtenAs(rule: JsonObject, other: JsonObject): JsonObject {
  return rewritten(rule, (placed) => {
    const text = valueAt(other, placed.path);
    return typeof text === "string" && formOf({ ...placed, text }) === formOf(placed) ? text : placed.text;
  });
}

function rewritten(rule: JsonObject, change: (placed: PlacedExpression) => string): JsonObject {
  return expressionsOf(rule).reduce((current, placed) => {
    const text = change(placed);
    const changed = text === placed.text ? current : withValueAt(current, placed.path, text);
    return isObject(changed) ? changed : current;
  }, rule);
}
