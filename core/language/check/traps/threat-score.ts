import type { Combination } from "../../ast.js";
import type { Trap } from "./trap.js";

/** The old score of threats in a combination that can do without it. */
export const threatScore: Trap = ({ parts }) =>
  parts.flatMap(({ of, within }) => {
    if (of.kind !== "comparison" || of.left.kind !== "field" || of.left.name !== "cf.threat_score") return [];
    const span = within === undefined ? undefined : withOperator(within, of);
    const message = "`cf.threat_score` is always 0 now";
    const { start, end } = span ?? of.left.nameSpan;
    const fix = span === undefined ? {} : ({ instead: "", mayApply: true } as const);
    return { code: "constant", severity: "warning", offset: start, end, message, ...fix };
  });

/** A member of a combination, with the operator before it, or after the first one. */
function withOperator({ items }: Combination, member: Combination["items"][number]): { start: number; end: number } {
  const index = items.indexOf(member);
  const next = items[index + 1];
  const before = items[index - 1];
  return index === 0 && next !== undefined
    ? { start: member.span.start, end: next.span.start }
    : { start: before?.span.end ?? member.span.start, end: member.span.end };
}
