// What the pure folders use of node:crypto, for browsers.
import { Buffer, type PageBytes } from "./bytes.js";

class Digest {
  readonly #parts: Uint8Array[] = [];

  constructor(private readonly finish: (bytes: Uint8Array) => Uint8Array) {}

  update(data: string | Uint8Array, encoding?: "utf8" | "latin1"): this {
    this.#parts.push(typeof data === "string" ? Buffer.from(data, encoding) : data);
    return this;
  }

  digest(): PageBytes;
  digest(encoding: "hex" | "base64" | "base64url"): string;
  digest(encoding?: "hex" | "base64" | "base64url"): PageBytes | string {
    const bytes = new Uint8Array(this.#parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of this.#parts) {
      bytes.set(part, at);
      at += part.length;
    }
    const digest = Buffer.from(this.finish(bytes));
    return encoding === undefined ? digest : digest.toString(encoding);
  }
}

export function createHash(algorithm: "sha256"): Digest {
  requireSha256(algorithm);
  return new Digest(sha256);
}

export function createHmac(algorithm: "sha256", key: Uint8Array): Digest {
  requireSha256(algorithm);
  return new Digest((bytes) => hmacSha256(key, bytes));
}

export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function requireSha256(algorithm: string): void {
  if (algorithm !== "sha256") throw new TypeError(`only sha256 is available in the page, not ${algorithm}`);
}

/** The first 32 bits of the fractional parts of roots of the first primes: the constants of SHA-256. */
const [START, ROUNDS] = constants();

function constants(): readonly [start: Uint32Array, rounds: Uint32Array] {
  const primes: number[] = [];
  for (let number = 2; primes.length < 64; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  const bits = (root: number): number => (root - Math.floor(root)) * 2 ** 32;
  return [
    Uint32Array.from(primes.slice(0, 8), (prime) => bits(Math.sqrt(prime))),
    Uint32Array.from(primes, (prime) => bits(Math.cbrt(prime))),
  ];
}

/** The SHA-256 of bytes, at once: the browser's own is asynchronous. For hashes that are no secret, such as those of a page. */
function sha256(bytes: Uint8Array): Uint8Array {
  const state = START.slice();
  const padded = pad(bytes);
  for (let at = 0; at < padded.byteLength; at += 64) addBlock(state, new DataView(padded.buffer, at, 64));
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => {
    out.setUint32(index * 4, word);
  });
  return new Uint8Array(out.buffer);
}

function pad(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  return padded;
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function addBlock(state: Uint32Array, block: DataView): void {
  const words = new Uint32Array(64);
  const word = (index: number): number => words[index] ?? 0;
  for (let index = 0; index < 64; index += 1) {
    if (index < 16) {
      words[index] = block.getUint32(index * 4);
      continue;
    }
    const [early, late] = [word(index - 15), word(index - 2)];
    const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[index] = word(index - 16) + first + word(index - 7) + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    const mixed = (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g));
    const first = (h + mixed + (ROUNDS[index] ?? 0) + word(index)) | 0;
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    state[index] = (state[index] ?? 0) + value;
  });
}

/** The HMAC of a message with SHA-256. */
function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(Uint8Array.of(...block.map((byte) => byte ^ 0x36), ...message));
  return sha256(Uint8Array.of(...block.map((byte) => byte ^ 0x5c), ...inner));
}
