import { isOperand, type Operand, type SetItem, type Span, type Test } from "../../ast.js";
import type { TextFinding } from "../../finding.js";
import { compareIps, parseIpRange, type IpRange } from "../../ip.js";
import { isAboutPackets } from "../phases.js";
import type { Trap, Trapped } from "./trap.js";

/**
 * Ranges that no client on the Internet has: https://www.iana.org/assignments/iana-ipv4-special-registry/ and its page on IPv6. Those
 * of documentation are missing: they stand for addresses that are still to be written.
 */
const NOT_PUBLIC: readonly (readonly [range: string, what: string])[] = [
  ["0.0.0.0/8", "stand for no host"],
  ["10.0.0.0/8", "are private"],
  ["100.64.0.0/10", "are shared by the customers of a provider"],
  ["127.0.0.0/8", "stand for the machine itself"],
  ["169.254.0.0/16", "are valid on one link only"],
  ["172.16.0.0/12", "are private"],
  ["192.168.0.0/16", "are private"],
  ["198.18.0.0/15", "are for benchmarks"],
  ["224.0.0.0/4", "are for multicast"],
  ["240.0.0.0/4", "are reserved"],
  ["::/127", "stand for no host, or the machine itself"],
  ["::ffff:0:0/96", "stand for IPv4 addresses inside programs; IPv4 clients have plain addresses"],
  ["100::/64", "are discarded"],
  ["fc00::/7", "are private"],
  ["fe80::/10", "are valid on one link only"],
  ["fec0::/10", "were private once"],
  ["ff00::/8", "are for multicast"],
];

/** Addresses that no client has. Inside a network, packets have others. */
export const privateAddress: Trap = (trapped) =>
  clientTestsOf(trapped).flatMap(({ test }): readonly TextFinding[] => {
    const items = itemsOf(test).map((item) => ({ ...item.span, what: whyNotPublic(item) }));
    const shown = ({ start, end }: Span): string => trapped.text.slice(start, end);
    const [first, ...more] = items.filter(({ what }) => what !== undefined);
    if (first === undefined) return [];
    const others = more.length === 0 ? "" : `; nor \`${more.map(shown).join(" ")}\``;
    const message = `no client on the Internet has \`${shown(first)}\`: ${first.what ?? ""}${others}`;
    const kept = items.filter(({ what }) => what === undefined);
    const fix = kept.length === 0 ? {} : { instead: kept.map(shown).join(" ") };
    const [offset = 0, end = 0] = [items[0]?.start, items.at(-1)?.end];
    return [{ code: "private-address", severity: "warning", offset, end, message, ...fix }];
  });

/** All addresses of IPv4 for those of everybody. `not` in front of it asks for IPv6. */
export const onlyIpv4: Trap = (trapped) => {
  const tests = clientTestsOf(trapped);
  if (tests.some(({ test }) => itemsOf(test).some((item) => rangeOf(item)?.first.version === 6))) return [];
  return tests.flatMap(({ test, isNegated }): readonly TextFinding[] => {
    const items = itemsOf(test);
    const last = items.at(-1);
    if (isNegated || test.kind !== "in" || last === undefined || !isAllOfIpv4(items)) return [];
    const message =
      "this contains every IPv4 address and no IPv6 one. For all clients, add `::/0`, or leave the condition out";
    const [start, end] = [items[0]?.span.start ?? 0, last.span.end];
    const instead = `${trapped.text.slice(start, end)} ::/0`;
    return [{ code: "only-ipv4", severity: "warning", offset: start, end, message, instead }];
  });
};

interface ClientTest {
  readonly test: Test;
  readonly isNegated: boolean;
}

/** The comparisons of the address of a client of HTTP. */
function clientTestsOf({ parts, options: { phase } }: Trapped): readonly ClientTest[] {
  if (isAboutPackets(phase)) return [];
  return parts.flatMap(({ of, isNegated }) =>
    of.kind === "comparison" && isOfClient(of.left) ? [{ test: of.test, isNegated }] : [],
  );
}

/** The address of the client, or the beginning of it. */
function isOfClient(operand: Operand): boolean {
  if (operand.kind === "field") return operand.name === "ip.src" || operand.name === "ip.addr";
  const [of] = operand.args;
  return /^cidr6?$/.test(operand.name) && of !== undefined && isOperand(of) && isOfClient(of);
}

function itemsOf(test: Test): readonly SetItem[] {
  if (test.kind === "in") return test.right.kind === "set" ? test.right.items : [];
  const isEquality = test.kind === "order" && (test.op === "eq" || test.op === "ne");
  return isEquality && !isOperand(test.right) ? [test.right] : [];
}

function rangeOf(item: SetItem): IpRange | undefined {
  if (item.kind === "ip") return { first: item.value, last: item.value };
  return item.kind === "ip-range" ? item.range : undefined;
}

function whyNotPublic(item: SetItem): string | undefined {
  const range = rangeOf(item);
  return range === undefined ? undefined : notPublic().find((one) => isWithin(range, one.range))?.what;
}

let known: readonly { readonly range: IpRange; readonly what: string }[] | undefined;

function notPublic(): NonNullable<typeof known> {
  return (known ??= NOT_PUBLIC.flatMap(([text, what]) => {
    const parsed = parseIpRange(text);
    return "fault" in parsed ? [] : [{ range: parsed.range, what: `addresses in ${text} ${what}` }];
  }));
}

function isWithin(inner: IpRange, outer: IpRange): boolean {
  const [first, last] = [compareIps(outer.first, inner.first), compareIps(inner.last, outer.last)];
  return first !== undefined && last !== undefined && first <= 0 && last <= 0;
}

const MOST_IPV4 = 2 ** 32;

function isAllOfIpv4(items: readonly SetItem[]): boolean {
  const all = items
    .flatMap((item) => rangeOf(item) ?? [])
    .flatMap(({ first, last }) =>
      first.version === 4 && last.version === 4 ? [[first.value, last.value] as const] : [],
    )
    .toSorted(([a], [b]) => a - b);
  return (
    all.reduce((covered, [first, last]) => (first <= covered ? Math.max(covered, last + 1) : covered), 0) === MOST_IPV4
  );
}
