import type { SetLiteral } from "./ast.js";
import type { IpRange } from "./ip.js";
import type { Bytes, Integer } from "./value.js";

const known = new WeakMap<SetLiteral, ReadonlySet<Bytes>>();

/** The strings of a set. The evaluator and the analysis share them. */
export function stringsOf(set: SetLiteral): ReadonlySet<Bytes> {
  const found = known.get(set) ?? collect(set);
  known.set(set, found);
  return found;
}

function collect({ items }: SetLiteral): ReadonlySet<Bytes> {
  return new Set(items.flatMap((item) => (item.kind === "string" ? [item.value] : [])));
}

/** The numbers of a set, as ranges. */
export function integersOf({ items }: SetLiteral): readonly (readonly [first: Integer, last: Integer])[] {
  return items.flatMap((item): (readonly [Integer, Integer])[] => {
    if (item.kind === "integer") return [[item.value, item.value]];
    return item.kind === "integer-range" ? [[item.first.value, item.last.value]] : [];
  });
}

/** The addresses of a set, as ranges. */
export function addressesOf({ items }: SetLiteral): readonly IpRange[] {
  return items.flatMap((item) => {
    if (item.kind === "ip") return [{ first: item.value, last: item.value }];
    return item.kind === "ip-range" ? [item.range] : [];
  });
}
