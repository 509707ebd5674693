import type { Index, Operand } from "../../ast.js";
import { nodesOf } from "../../tree.js";
import type { Trap } from "./trap.js";

/**
 * A header or the like that must not have a value. Comparisons of what is missing are false, also with `ne`, so requests without it
 * are left out: https://developers.cloudflare.com/ruleset-engine/rules-language/values/#maps
 */
export const missingValue: Trap = ({ text, parts }) =>
  parts.flatMap(({ of, isNegated }) => {
    if (isNegated || of.kind !== "comparison" || of.test.kind !== "order" || of.test.op !== "ne") return [];
    const key = keyIn(of.left);
    if (key === undefined) return [];
    const name = text.slice(key.span.start, key.span.end).replace(/^\[|\]$/g, "");
    // Whoever names it twice also says what happens where it is missing.
    if (text.split(name).length > 2) return [];
    const [left, right] = [of.left, of.test.right].map(({ span }) => text.slice(span.start, span.end));
    const { start, end } = of.span;
    const instead = `not ${left ?? ""} eq ${right ?? ""}`;
    const message = `\`ne\` is false for a request without ${name}. To match it, too, write \`${instead}\``;
    return [{ code: "missing-value", severity: "warning", offset: start, end, message, instead }];
  });

/** The key of the only value of a map in an operand. */
function keyIn(operand: Operand): (Index & { readonly kind: "key" }) | undefined {
  const nodes = [...nodesOf(operand)];
  if (nodes.some((node) => node.kind === "call" && (node.mapped || node.name === "concat"))) return undefined;
  const [indexes = [], ...more] = nodes.flatMap((node) =>
    node.kind === "field" && node.path.length > 0 ? [node.path] : [],
  );
  const [key, ...rest] = indexes;
  return key?.kind === "key" && more.length === 0 && rest.every(({ kind }) => kind === "position") ? key : undefined;
}
