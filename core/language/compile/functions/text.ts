import { lowerAscii, upperAscii } from "../../bytes.js";
import { formatIp, type IpAddress } from "../../ip.js";
import { isAddress, isArray, isMap, type Bytes, type Evaluated } from "../../value.js";
import type { Implementation } from "./implementation.js";

export const lower: Implementation = ([text]) => (typeof text === "string" ? lowerAscii(text) : undefined);
export const upper: Implementation = ([text]) => (typeof text === "string" ? upperAscii(text) : undefined);

export const len: Implementation = ([value]) =>
  typeof value === "string" || isArray(value) ? value.length : undefined;

export const startsWith: Implementation = ([text, start]) =>
  typeof text === "string" && typeof start === "string" ? text.startsWith(start) : undefined;
export const endsWith: Implementation = ([text, end]) =>
  typeof text === "string" && typeof end === "string" ? text.endsWith(end) : undefined;

/** Bytes from start up to, not including, end; negative positions count from the end. */
export const substring: Implementation = ([text, start, end]) =>
  typeof text === "string" ? text.slice(Number(start), end === undefined ? undefined : Number(end)) : undefined;

export const removeBytes: Implementation = ([text, bytes]) => {
  if (typeof text !== "string" || typeof bytes !== "string") return undefined;
  const gone = new Set(bytes);
  return Array.from(text)
    .filter((byte) => !gone.has(byte))
    .join("");
};

export const toStringValue: Implementation = ([value]): Evaluated => {
  if (typeof value === "boolean" || typeof value === "number" || typeof value === "bigint") return String(value);
  return isAddress(value) ? addressText(value) : undefined;
};

/** Unlike in rules, a mapped IPv4 address is written with dots: `::ffff:192.0.2.1`. */
function addressText(address: IpAddress): Bytes {
  if (address.version === 4 || address.value >> 32n !== 0xffffn) return formatIp(address);
  return `::ffff:${formatIp({ version: 4, value: Number(address.value & 0xffffffffn) })}`;
}

/** All arguments have the same type. A missing one counts as empty; if all are missing, so is the result. */
export const concat: Implementation = (values) => {
  const present = values.filter((value) => value !== undefined);
  const [first] = present;
  if (isArray(first)) return present.flatMap((value) => (isArray(value) ? value : []));
  return first === undefined || isMap(first) ? undefined : present.map(textOf).join("");
};

function textOf(value: Evaluated): Bytes {
  return typeof value === "string" ? value : "";
}

export const join: Implementation = ([items, separator]) =>
  isArray(items) && typeof separator === "string" ? items.map(textOf).join(separator) : undefined;

/** At most `limit` items; the last one contains the rest. */
export const split: Implementation = ([text, separator, limit]) => {
  if (typeof text !== "string" || typeof separator !== "string" || separator === "") return undefined;
  const items: Bytes[] = [];
  let from = 0;
  for (
    let at = text.indexOf(separator);
    at >= 0 && items.length + 1 < Number(limit);
    at = text.indexOf(separator, from)
  ) {
    items.push(text.slice(from, at));
    from = at + separator.length;
  }
  return [...items, text.slice(from)];
};
