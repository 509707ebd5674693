import { networkOf } from "../../ip.js";
import { isAddress } from "../../value.js";
import type { Implementation } from "./implementation.js";

export const cidr: Implementation = ([address, v4, v6]) =>
  isAddress(address) ? networkOf(address, Number(address.version === 4 ? v4 : v6)).first : undefined;

export const cidr6: Implementation = ([address, v6]) =>
  isAddress(address) && address.version === 6 ? networkOf(address, Number(v6)).first : address;

/** An integer from a range of bits in a header; bit 0 is the first bit of the first byte. */
export const bitSlice: Implementation = ([header, from, to]) => {
  if (typeof header !== "string") return undefined;
  let bits = 0;
  for (let at = Number(from); at < Number(to); at += 1) {
    const byte = header.charCodeAt(Math.floor(at / 8));
    if (Number.isNaN(byte)) return undefined;
    bits = bits * 2 + ((byte >> (7 - (at % 8))) & 1);
  }
  return bits;
};
