/** An IP address. Addresses of different versions are never equal and never ordered. */
export type IpAddress =
  | { readonly version: 4; readonly value: number }
  | { readonly version: 6; readonly value: bigint };

/** All addresses of one version from first to last, inclusive. */
export interface IpRange {
  readonly first: IpAddress;
  readonly last: IpAddress;
}

/** Parses an address; undefined if it is invalid. Leading zeros, zone IDs and brackets are not allowed. */
export function parseIp(text: string): IpAddress | undefined {
  if (text.includes(":")) {
    const value = parseV6(text);
    return value === undefined ? undefined : { version: 6, value };
  }
  const value = parseV4(text);
  return value === undefined ? undefined : { version: 4, value };
}

/** Reads character by character, since logs have millions of addresses. */
function parseV4(text: string): number | undefined {
  let [value, octet, digits, dots] = [0, 0, 0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const digit = text.charCodeAt(index) - ZERO;
    if (digit === DOT) {
      if (digits === 0 || dots === 3) return undefined;
      value = value * 256 + octet;
      [octet, digits] = [0, 0];
      dots += 1;
    } else {
      if (!(digit >= 0 && digit <= 9) || (digits > 0 && octet === 0)) return undefined;
      octet = octet * 10 + digit;
      digits += 1;
      if (octet > 255) return undefined;
    }
  }
  return dots === 3 && digits > 0 ? value * 256 + octet : undefined;
}

const ZERO = 48;
/** The code of a dot after that of a zero. */
const DOT = 46 - ZERO;

function parseV6(text: string): bigint | undefined {
  if (text.length > 45) return undefined;
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const head = groupsOf(halves[0] ?? "", halves.length === 1);
  const tail = halves.length === 2 ? groupsOf(halves[1] ?? "", true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  let value = 0n;
  for (const group of [...head, ...Array.from({ length: missing }, () => 0), ...tail]) {
    value = (value << 16n) | BigInt(group);
  }
  return value;
}

/** The 16-bit groups of one half; the last may be an IPv4 address, which is two groups. */
function groupsOf(half: string, mayEndInV4: boolean): number[] | undefined {
  if (half === "") return [];
  const groups: number[] = [];
  const parts = half.split(":");
  for (const [index, part] of parts.entries()) {
    const v4 = mayEndInV4 && index === parts.length - 1 && part.includes(".") ? parseV4(part) : undefined;
    if (v4 !== undefined) groups.push(Math.floor(v4 / 65536), v4 % 65536);
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(parseInt(part, 16));
    else return undefined;
  }
  return groups;
}

/** The address in its usual notation; IPv6 in the short form of RFC 5952. */
export function formatIp(address: IpAddress): string {
  if (address.version === 4) {
    const { value } = address;
    return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join(".");
  }
  const groups = Array.from({ length: 8 }, (_, index) =>
    Number((address.value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
  );
  const zeros = longestZeros(groups);
  if (zeros === undefined) return groups.join(":");
  return `${groups.slice(0, zeros.start).join(":")}::${groups.slice(zeros.end).join(":")}`;
}

/** The longest run of two or more zero groups, the first one if several are equally long. */
function longestZeros(groups: readonly string[]): { readonly start: number; readonly end: number } | undefined {
  let best: { start: number; end: number } | undefined;
  for (let start = 0; start < groups.length; start += 1) {
    let end = start;
    while (groups[end] === "0") end += 1;
    if (end - start >= 2 && (best === undefined || end - start > best.end - best.start)) best = { start, end };
    if (end > start) start = end;
  }
  return best;
}

/** Negative, zero or positive, as for sorting; undefined for addresses of different versions. */
export function compareIps(a: IpAddress, b: IpAddress): number | undefined {
  if (a.version !== b.version) return undefined;
  return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
}

/** A parsed set item with its prefix length, or why it is invalid. */
export type ParsedRange =
  | { readonly range: IpRange; readonly prefix?: number }
  | { readonly fault: "address" | "length" | "host" | "bounds"; readonly network?: string };

/** An address, a prefix such as `10.0.0.0/8`, or `first..last`. */
export function parseIpRange(text: string): ParsedRange {
  const dots = text.indexOf("..");
  if (dots >= 0) return parseBounds(text.slice(0, dots), text.slice(dots + 2));
  const slash = text.indexOf("/");
  const address = parseIp(slash < 0 ? text : text.slice(0, slash));
  if (address === undefined) return { fault: "address" };
  if (slash < 0) return { range: { first: address, last: address } };
  const length = text.slice(slash + 1);
  const bits = Number(length);
  if (!/^\d{1,3}$/.test(length) || bits > bitsOf(address)) return { fault: "length" };
  const range = networkOf(address, bits);
  if (range.first.value !== address.value) return { fault: "host", network: `${formatIp(range.first)}/${length}` };
  return { range, prefix: bits };
}

function parseBounds(from: string, to: string): ParsedRange {
  const first = parseIp(from);
  const last = parseIp(to);
  if (first === undefined || last === undefined) return { fault: "address" };
  const order = compareIps(first, last);
  return order === undefined || order > 0 ? { fault: "bounds" } : { range: { first, last } };
}

export function bitsOf(address: IpAddress): number {
  return address.version === 4 ? 32 : 128;
}

/** The network with the given prefix length that contains an address. */
export function networkOf(address: IpAddress, bits: number): IpRange {
  if (address.version === 4) {
    const size = 2 ** (32 - bits);
    const first = Math.floor(address.value / size) * size;
    return { first: { version: 4, value: first }, last: { version: 4, value: first + size - 1 } };
  }
  const size = 1n << BigInt(128 - bits);
  const first = (address.value / size) * size;
  return { first: { version: 6, value: first }, last: { version: 6, value: first + size - 1n } };
}

/** The prefix length of exactly this range; undefined if it is not a network. */
export function prefixOf(range: IpRange): number | undefined {
  const { first, last } = range;
  const size = BigInt(last.value) - BigInt(first.value) + 1n;
  if ((size & (size - 1n)) !== 0n || BigInt(first.value) % size !== 0n) return undefined;
  return bitsOf(first) - (size.toString(2).length - 1);
}
