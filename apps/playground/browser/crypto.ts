// What the pure folders use of node:crypto, for browsers.
import { Buffer, type PageBytes } from "./bytes.js";
import { hmacSha256, sha256 } from "./sha256.js";

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
