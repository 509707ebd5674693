import type { IpAddress } from "../../language/ip.js";
import { toIntervals, type Intervals } from "./intervals.js";

// Addresses on one number line: IPv4 first, then IPv6.

const V6 = 1n << 32n;

export const ALL_ADDRESSES: Intervals = [[0n, V6 + (1n << 128n) - 1n]];
const V4_ADDRESSES: Intervals = [[0n, V6 - 1n]];
const V6_ADDRESSES: Intervals = [[V6, V6 + (1n << 128n) - 1n]];

export function fromAddress(address: IpAddress): bigint {
  return address.version === 4 ? BigInt(address.value) : V6 + address.value;
}

export function toAddress(value: bigint): IpAddress {
  return value < V6 ? { version: 4, value: Number(value) } : { version: 6, value: value - V6 };
}

/** All addresses of one version. */
export function addressesLike({ version }: IpAddress): Intervals {
  return version === 4 ? V4_ADDRESSES : V6_ADDRESSES;
}

/** Addresses whose network with the given prefix length is in a set. */
export function addressesInNetwork(set: Intervals, bits4: number, bits6: number): Intervals {
  const grow = (first: bigint, last: bigint, offset: bigint, size: bigint): readonly (readonly [bigint, bigint])[] => {
    const from = ((first - offset + size - 1n) / size) * size;
    const to = ((last - offset) / size) * size;
    return from > to ? [] : [[offset + from, offset + to + size - 1n]];
  };
  return toIntervals(
    set.flatMap(([first, last]) => [
      ...(first < V6 ? grow(first, last < V6 ? last : V6 - 1n, 0n, 1n << BigInt(32 - bits4)) : []),
      ...(last >= V6 ? grow(first > V6 ? first : V6, last, V6, 1n << BigInt(128 - bits6)) : []),
    ]),
  );
}
