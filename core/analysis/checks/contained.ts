import type { Condition, SetItem, SetLiteral } from "../../language/ast.js";
import { printSet } from "../../language/print/literals.js";
import { stringsOf } from "../../language/members-of-set.js";
import { setTestsOf } from "../../language/uses.js";
import { fromAddress } from "../values/addresses.js";
import { proved, type ExpressionFinding } from "./finding.js";

/** Set members in a condition that another member contains. */
export function containedMembers(condition: Condition): readonly ExpressionFinding[] {
  return setTestsOf({ kind: "filter", condition }).flatMap(({ set }) => ofSet(set));
}

interface Member {
  readonly item: SetItem;
  readonly first: bigint | string;
  readonly last: bigint | string;
}

/** Sorted by first value, longer ranges first: a member is contained if an earlier one ends at or after its end. */
function ofSet(set: SetLiteral): readonly ExpressionFinding[] {
  if (isOfDistinctStrings(set)) return [];
  const members = set.items.map(memberOf).sort((a, b) => {
    if (a.first !== b.first) return a.first < b.first ? -1 : 1;
    return a.last === b.last ? 0 : a.last > b.last ? -1 : 1;
  });
  const found: ExpressionFinding[] = [];
  let widest: Member | undefined;
  for (const member of members) {
    if (widest !== undefined && typeof widest.last === typeof member.last && member.last <= widest.last) {
      const [inner, outer] = [print(member.item), print(widest.item)];
      const message =
        inner === outer ? `the set has \`${inner}\` twice` : `the set member \`${inner}\` is contained in \`${outer}\``;
      found.push({ ...proved("contained-member", message), part: inner });
    } else widest = member;
  }
  return found;
}

function isOfDistinctStrings(set: SetLiteral): boolean {
  return stringsOf(set).size === set.items.length;
}

function memberOf(item: SetItem): Member {
  switch (item.kind) {
    case "string":
      return { item, first: item.value, last: item.value };
    case "integer":
      return { item, first: BigInt(item.value), last: BigInt(item.value) };
    case "integer-range":
      return { item, first: BigInt(item.first.value), last: BigInt(item.last.value) };
    case "ip":
      return { item, first: fromAddress(item.value), last: fromAddress(item.value) };
    case "ip-range":
      return { item, first: fromAddress(item.range.first), last: fromAddress(item.range.last) };
  }
}

function print(item: SetItem): string {
  return printSet({ kind: "set", items: [item], span: item.span }).replace(/^\{|\}$/g, "");
}
