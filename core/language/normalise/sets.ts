import type { IntegerLiteral, SetItem, SetLiteral, Span } from "../ast.js";
import { mergeRanges } from "../compile/sets.js";
import { prefixOf, type IpAddress, type IpRange } from "../ip.js";
import { addressesOf, integersOf, stringsOf } from "../members-of-set.js";
import type { Integer } from "../value.js";

/** A set with its members in canonical order, without duplicates, and with adjacent ranges merged. */
export function normaliseSet(set: SetLiteral): SetLiteral {
  const { span } = set;
  return {
    kind: "set",
    span,
    items: [
      ...Array.from(stringsOf(set))
        .sort()
        .map((value) => ({ kind: "string", value, notation: "quoted", span }) as const),
      ...mergeRanges<Integer>(integersOf(set)).map(([first, last]) => integerItem(first, last, span)),
      ...mergeAddresses(addressesOf(set)).map((range) => addressItem(range, span)),
    ],
  };
}

function integerItem(first: Integer, last: Integer, span: Span): SetItem {
  const literal = (value: Integer): IntegerLiteral => ({ kind: "integer", value, notation: "decimal", span });
  return first === last ? literal(first) : { kind: "integer-range", first: literal(first), last: literal(last), span };
}

function mergeAddresses(ranges: readonly IpRange[]): readonly IpRange[] {
  const v4 = ranges.flatMap(({ first, last }) =>
    first.version === 4 && last.version === 4 ? [[first.value, last.value] as const] : [],
  );
  const v6 = ranges.flatMap(({ first, last }) =>
    first.version === 6 && last.version === 6 ? [[first.value, last.value] as const] : [],
  );
  return [
    ...mergeRanges<number>(v4).map(([a, b]) => range({ version: 4, value: a }, { version: 4, value: b })),
    ...mergeRanges<bigint>(v6).map(([a, b]) => range({ version: 6, value: a }, { version: 6, value: b })),
  ];
}

function range(first: IpAddress, last: IpAddress): IpRange {
  return { first, last };
}

function addressItem(members: IpRange, span: Span): SetItem {
  if (members.first.value === members.last.value) return { kind: "ip", value: members.first, span };
  return { kind: "ip-range", range: members, prefix: prefixOf(members), span };
}
