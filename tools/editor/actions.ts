import {
  type Span,
  isOperand,
  parseExpression,
  printCondition,
  printOperand,
  type Combination,
  type Condition,
} from "../../core/language/index.js";
import type { PlacedFinding } from "./findings.js";
import type { EditedDocument } from "./edited-document.js";
import { safeEdits, titleOf } from "./edits.js";
import { embeddedAt, offsetInExpression, type Edit } from "./embedded/embedded.js";
import { printLiteral, printSet } from "../../core/language/print/literals.js";
import { RANK } from "../../core/language/syntax/keywords.js";
import { partsAt } from "./parts-at.js";

/** A change of a document that an editor offers. */
export interface Action {
  readonly title: string;
  readonly kind: "quickfix" | "refactor" | "fix-all";
  readonly edits: readonly Edit[];
  /** What it mends. */
  readonly mends?: PlacedFinding;
}

/** What can be changed in a part of a document: each finding that says what to write instead, and what is shorter. */
export function actionsFor(
  document: EditedDocument,
  diagnostics: readonly PlacedFinding[],
  { start, end }: Span,
): readonly Action[] {
  const touched = diagnostics.filter(({ span }) => span.start <= end && start <= span.end);
  const fixes = touched.flatMap((mends): Action[] =>
    mends.edit === undefined ? [] : [{ title: titleOf(mends.edit), kind: "quickfix", edits: [mends.edit], mends }],
  );
  return [...fixes, ...mergesAt(document, start), ...fixAll(diagnostics)];
}

function mergesAt({ expressions }: EditedDocument, offset: number): readonly Action[] {
  const embedded = embeddedAt(expressions, offset);
  const at = embedded === undefined ? undefined : offsetInExpression(embedded, offset);
  if (embedded === undefined || at === undefined || embedded.inserted.length > 0) return [];
  const merge = mergeAt(embedded.text, at);
  if (merge === undefined) return [];
  const title = `Merge the comparisons of \`${merge.left}\` into one set`;
  return [{ title, kind: "refactor", edits: [embedded.change(merge.span, merge.text)] }];
}

/** All fixes that can be made without asking. */
function fixAll(diagnostics: readonly PlacedFinding[]): readonly Action[] {
  const edits = safeEdits(diagnostics);
  return edits.length === 0 ? [] : [{ title: "Apply all fixes that keep the meaning", kind: "fix-all", edits }];
}

/** Comparisons of one value, joined by `or`, that one set can replace. */
interface Merge {
  readonly span: Span;
  readonly text: string;
  readonly left: string;
}

/** The comparisons around a position that can be merged into one set. */
function mergeAt(text: string, at: number): Merge | undefined {
  const parsed = parseExpression(text);
  if ("fault" in parsed) return undefined;
  const combinations = partsAt(parsed.expression, at).flatMap((part) =>
    part.kind === "condition" && part.condition.kind === "combination" ? [part.condition] : [],
  );
  return combinations.map(mergeIn).findLast((merge) => merge !== undefined);
}

function mergeIn({ op, items, span }: Combination): Merge | undefined {
  if (op !== "or") return undefined;
  const lefts = items.map(leftOf);
  const left = lefts.find((name, index) => name !== undefined && lefts.indexOf(name) < index);
  if (left === undefined) return undefined;
  const alike = items.filter((_, index) => lefts[index] === left);
  const merged = `${left} in {${alike.flatMap(membersOf).join(" ")}}`;
  const [first] = alike;
  const texts = items.flatMap((item) => {
    if (item === first) return [merged];
    return alike.includes(item) ? [] : [printCondition(item, RANK.or + 1)];
  });
  return { span, text: texts.join(" or "), left };
}

/** What a condition compares for equality with literals; undefined for any other condition. */
function leftOf(condition: Condition): string | undefined {
  return membersOf(condition).length > 0 && condition.kind === "comparison" && !condition.left.mapped
    ? printOperand(condition.left)
    : undefined;
}

/** The literals that a condition compares with, as a set has them. */
function membersOf(condition: Condition): readonly string[] {
  if (condition.kind !== "comparison") return [];
  const { test } = condition;
  if (test.kind === "order" && test.op === "eq" && !isOperand(test.right)) return [printLiteral(test.right)];
  return test.kind === "in" && test.right.kind === "set" ? [printSet(test.right).slice(1, -1)] : [];
}
