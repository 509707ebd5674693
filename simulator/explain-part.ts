import { printCondition, type TracedPart } from "../language/index.js";

/** The parts of an expression that decided, in words: "`ssl` is false". */
export function explainPart(part: TracedPart): string {
  return decisive(part)
    .map(({ condition, verdict }) => `\`${printCondition(condition)}\` is ${show(verdict)}`)
    .join(", ");
}

/** The smallest parts that the verdict follows from. */
function decisive(part: TracedPart): readonly TracedPart[] {
  const { condition, verdict, parts } = part;
  if (parts.length === 0) return [part];
  if (condition.kind !== "combination") return parts.flatMap(decisive);
  const same = parts.filter((one) => show(one.verdict) === show(verdict));
  const first = same[0];
  const one = condition.op === "and" ? verdict === false : condition.op === "or" && verdict === true;
  if (one && first !== undefined) return decisive(first);
  return (condition.op === "xor" ? parts : same).flatMap(decisive);
}

function show(verdict: TracedPart["verdict"]): string {
  return typeof verdict === "boolean" ? String(verdict) : "unknown";
}
