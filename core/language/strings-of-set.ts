import type { SetLiteral } from "./ast.js";
import type { Bytes } from "./value.js";

const known = new WeakMap<SetLiteral, ReadonlySet<Bytes>>();

/** The strings of a set. The evaluator and the analysis share them. */
export function stringsOf(set: SetLiteral): ReadonlySet<Bytes> {
  const found = known.get(set) ?? collect(set);
  known.set(set, found);
  return found;
}

function collect({ items }: SetLiteral): ReadonlySet<Bytes> {
  const strings = new Set<Bytes>();
  for (const item of items) if (item.kind === "string") strings.add(item.value);
  return strings;
}
