import type { Combination, Condition } from "../../language/ast.js";

/** A removable part of a condition, and the condition without it. */
export interface Removal {
  readonly part: Condition;
  readonly op: "and" | "or";
  readonly without: Condition;
}

/** Every way to leave out one part of an `and` or an `or`, starting with the last part. */
export function listRemovals(condition: Condition): readonly Removal[] {
  switch (condition.kind) {
    case "group":
    case "not":
      return listRemovals(condition.of).map((removal) => ({
        ...removal,
        without: { ...condition, of: removal.without },
      }));
    case "combination":
      return ofCombination(condition);
    default:
      return [];
  }
}

function ofCombination(combination: Combination): readonly Removal[] {
  const { op, items } = combination;
  const found: Removal[] = [];
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const part = items[index] as Condition;
    const others = items.filter((_, at) => at !== index);
    const rest = others.length === 1 && others[0] !== undefined ? others[0] : { ...combination, items: others };
    if (op !== "xor") found.push({ part, op, without: rest });
    for (const inner of listRemovals(part)) {
      const changed = items.map((item, at) => (at === index ? inner.without : item));
      found.push({ ...inner, without: { ...combination, items: changed } });
    }
  }
  return found;
}
