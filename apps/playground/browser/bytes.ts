/** The encodings that the rules language uses. */
type Encoding = "utf8" | "latin1" | "base64" | "base64url" | "hex";

const STRICT_BASE64 = /[^A-Za-z0-9+/]/g;

/** Bytes that write themselves like Node's `Buffer`. */
export class PageBytes extends Uint8Array {
  override toString(encoding: Encoding = "utf8"): string {
    switch (encoding) {
      case "utf8":
        return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this);
      case "latin1":
        return toLatin1(this);
      case "base64":
        return btoa(toLatin1(this));
      case "base64url":
        return btoa(toLatin1(this)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
      case "hex":
        return Array.from(this, (byte) => byte.toString(16).padStart(2, "0")).join("");
    }
  }

  readUInt32BE(): number {
    return new DataView(this.buffer, this.byteOffset).getUint32(0);
  }
}

/** As much of Node's `Buffer` as the rules language uses, for browsers. */
export const Buffer = {
  from(value: string | ArrayLike<number>, encoding: Exclude<Encoding, "hex"> = "utf8"): PageBytes {
    if (typeof value !== "string") return new PageBytes(value);
    switch (encoding) {
      case "utf8":
        return new PageBytes(new TextEncoder().encode(value));
      case "latin1":
        return fromLatin1(value);
      case "base64":
      case "base64url":
        return fromBase64(value);
    }
  },
};

function fromLatin1(text: string): PageBytes {
  const bytes = new PageBytes(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

function toLatin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** Like Node: both alphabets, up to the first sign of padding, without what belongs to neither. */
function fromBase64(text: string): PageBytes {
  const [before = ""] = text.split("=");
  const signs = before.replaceAll("-", "+").replaceAll("_", "/").replace(STRICT_BASE64, "");
  return fromLatin1(atob(signs.length % 4 === 1 ? signs.slice(0, -1) : signs));
}
