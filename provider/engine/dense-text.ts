/** Bytes as characters that JSON does not escape, also as an engine in Go writes it. */

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?_;|()[]{}@%$#" + "'`,~ ";
const BASE = DIGITS.length;
/** Two characters have 8,100 values, so 13 bits fit where the lower 12 are at most this; otherwise those 12. */
const HIGHEST = BASE ** 2 - 2 ** 12 - 1;
/** Bits of a single character at the end. */
const LAST_BITS = 6;

const bitsOf = (pair: number): number => ((pair & 0xfff) <= HIGHEST ? 13 : 12);

export function toText(bytes: Uint8Array): string {
  const pairs: string[] = [];
  let held = 0;
  let count = 0;
  for (const byte of bytes) {
    held |= byte << count;
    count += 8;
    if (count < 13) continue;
    const bits = bitsOf(held);
    pairs.push(pairText(held & (2 ** bits - 1)));
    held >>>= bits;
    count -= bits;
  }
  if (count > 0) pairs.push(count <= LAST_BITS ? DIGITS.charAt(held) : pairText(held));
  return pairs.join("");
}

const pairText = (pair: number): string => DIGITS.charAt(pair % BASE) + DIGITS.charAt(Math.floor(pair / BASE));

export function fromText(text: string): Buffer {
  const bytes: number[] = [];
  let held = 0;
  let count = 0;
  for (let at = 0; at < text.length; at += 2) {
    const [low, high] = [DIGITS.indexOf(text.charAt(at)), DIGITS.indexOf(text.charAt(at + 1))];
    const isSingle = at + 1 === text.length;
    const pair = isSingle ? low : low + high * BASE;
    held |= pair << count;
    count += isSingle ? LAST_BITS : bitsOf(pair);
    for (; count >= 8; count -= 8) {
      bytes.push(held & 255);
      held >>>= 8;
    }
  }
  return Buffer.from(bytes);
}

/** The bytes of a text in 85 characters, which earlier versions wrote: four in five characters. */
export function from85(text: string): Buffer {
  const missing = (5 - (text.length % 5)) % 5;
  // The largest digit: the bytes that are kept are the same whatever stands there.
  const padded = text + DIGITS.charAt(84).repeat(missing);
  const bytes = Buffer.alloc((padded.length / 5) * 4);
  for (let at = 0; at < padded.length; at += 5) {
    let value = 0;
    for (const digit of padded.slice(at, at + 5)) value = value * 85 + DIGITS.indexOf(digit);
    bytes.writeUInt32BE(value, (at / 5) * 4);
  }
  return bytes.subarray(0, bytes.length - missing);
}
