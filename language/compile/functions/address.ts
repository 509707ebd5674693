import { networkOf } from "../../ip.js";
import { isAddress } from "../../value.js";
import type { Implementation } from "./implementation.js";

export const cidr: Implementation = ([address, v4, v6]) =>
  isAddress(address) ? networkOf(address, Number(address.version === 4 ? v4 : v6)).first : undefined;

export const cidr6: Implementation = ([address, v6]) =>
  isAddress(address) && address.version === 6 ? networkOf(address, Number(v6)).first : address;

/** An integer from the bits of a header, the first bit of its first byte being 0. */
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
