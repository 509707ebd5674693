import type { Combination, Test } from "../../ast.js";
import type { Trap } from "./trap.js";

/** The old score of threats in a combination that can do without it: a false part of an `or`, a true one of an `and`. */
export const threatScore: Trap = ({ parts }) =>
  parts.flatMap(({ of, within }) => {
    if (of.kind !== "comparison" || of.left.kind !== "field" || of.left.name !== "cf.threat_score") return [];
    const adds = within !== undefined && isTrueOfZero(of.test) === (within.op === "and");
    const span = adds ? withOperator(within, of) : undefined;
    const message = "`cf.threat_score` is always 0 now";
    const { start, end } = span ?? of.left.nameSpan;
    const fix = span === undefined ? {} : ({ instead: "", mayApply: true } as const);
    return { code: "constant", severity: "warning", offset: start, end, message, ...fix };
  });

/** For each operator, whether 0 is below, at or above the number. */
const SIGNS = { lt: [-1], le: [-1, 0], eq: [0], ne: [-1, 1], ge: [0, 1], gt: [1] } as const;

/** Undefined where it is not compared with a number. */
function isTrueOfZero(test: Test): boolean | undefined {
  if (test.kind !== "order" || test.right.kind !== "integer") return undefined;
  const signs: readonly number[] = SIGNS[test.op];
  return signs.includes(Math.sign(-Number(test.right.value)));
}

/** A member of a combination, with the operator before it, or after the first one. */
function withOperator({ items }: Combination, member: Combination["items"][number]): { start: number; end: number } {
  const index = items.indexOf(member);
  const next = items[index + 1];
  const before = items[index - 1];
  return index === 0 && next !== undefined
    ? { start: member.span.start, end: next.span.start }
    : { start: before?.span.end ?? member.span.start, end: member.span.end };
}
