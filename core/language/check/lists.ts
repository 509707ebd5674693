import type { ListName, Operand } from "../ast.js";
import { INTEGER, IP, STRING, typeName, UNKNOWN, type Type } from "../type.js";
import type { FindingCollector } from "./finding-collector.js";
import { isSure } from "./sure.js";
import type { ListKind } from "./options.js";

const ITEM_TYPES: Readonly<Record<ListKind, Type>> = { ip: IP, hostname: STRING, asn: INTEGER };
/** Lists that Cloudflare maintains; all contain IP addresses. */
export const MANAGED_LISTS: ReadonlySet<string> = new Set([
  "cf.malware",
  "cf.open_proxies",
  "cf.anonymizer",
  "cf.vpn",
  "cf.botnetcc",
]);

/** Checks that a list exists and matches the type of the left side. */
export function checkList(left: Operand, list: ListName, collector: FindingCollector): void {
  const { type } = left;
  if (type !== UNKNOWN && type !== IP && type !== STRING && type !== INTEGER) {
    const fact = `\`in\` needs a String, an Integer or an IP address, but \`${collector.show(left.span)}\` has type`;
    collector.report(isSure(left), "type", list.span, `${fact} ${typeName(type)}`);
    return;
  }
  const kind = kindOf(list.name, collector);
  if (kind === "missing") {
    collector.warn("unknown-list", list.span, `the account has no list \`$${list.name}\``);
  } else if (kind !== undefined && type !== UNKNOWN && ITEM_TYPES[kind] !== type) {
    const fact = `\`$${list.name}\` contains values of type ${typeName(ITEM_TYPES[kind])}`;
    collector.warn("unknown-list", list.span, `${fact}, but the left side has type ${typeName(type)}`);
  }
}

function kindOf(name: string, collector: FindingCollector): ListKind | "missing" | undefined {
  if (name.startsWith("cf.")) return MANAGED_LISTS.has(name) ? "ip" : undefined;
  const { lists } = collector.options;
  if (lists === undefined) return undefined;
  return Object.hasOwn(lists, name) ? lists[name] : "missing";
}
