import { lowerAscii, toBytes } from "../bytes.js";
import { compileAddressSet } from "../compile/sets.js";
import type { List } from "../compile/context.js";
import { parseIpRange, type IpRange } from "../ip.js";
import { isAddress, toInteger, type Bytes, type Integer, type Value } from "../value.js";

/**
 * Creates a list from its items: addresses and prefixes, hostnames (`*.example.com` for all subdomains), or AS numbers.
 * @throws TypeError on an invalid item
 */
export function makeList(items: readonly (string | number)[]): List {
  const ranges: IpRange[] = [];
  const hosts = new Set<Bytes>();
  const suffixes: Bytes[] = [];
  const numbers = new Set<Integer | undefined>();
  for (const item of items) {
    if (typeof item === "number") numbers.add(toInteger(item));
    else if (/^[0-9a-fA-F:.]*[:.][0-9a-fA-F:.]*(?:\/\d+)?$/.test(item)) ranges.push(rangeOf(item));
    else if (item.startsWith("*.")) suffixes.push(lowerAscii(toBytes(item.slice(1))));
    else hosts.add(lowerAscii(toBytes(item)));
  }
  const inRanges = compileAddressSet(ranges);
  return {
    has: (value: Value) => {
      if (isAddress(value)) return inRanges(value);
      if (typeof value === "string") return hosts.has(lowerAscii(value)) || endsInOne(lowerAscii(value), suffixes);
      return typeof value === "number" && numbers.has(value);
    },
  };
}

function rangeOf(item: string): IpRange {
  const parsed = parseIpRange(item);
  if ("fault" in parsed) throw new TypeError(`a list contains "${item}", which is not an address or a prefix`);
  return parsed.range;
}

function endsInOne(host: Bytes, suffixes: readonly Bytes[]): boolean {
  return suffixes.some((suffix) => host.endsWith(suffix) && host.length > suffix.length);
}
