import type { IpAddress } from "../../language/ip.js";
import type { Intervals } from "./intervals.js";

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
