import { isList, type Json, type JsonObject } from "../../../core/model/json.js";

/*
 * The wire format of google.protobuf.Struct, to and from JSON. Pulumi's generated messages build an object for each value of a
 * state and convert it afterwards, which is a quarter of what a provider does in a run without changes.
 *
 *   Struct    1: repeated entry { 1: key, 2: Value }
 *   Value     one of 1: null, 2: number, 3: string, 4: boolean, 5: Struct, 6: list { 1: repeated Value }
 */

const KEY = 1;
const VALUE = 2;
const ITEM = 1;
const KIND = { null: 1, number: 2, string: 3, boolean: 4, struct: 5, list: 6 } as const;
/** How the content of a field is written: as a variable number, as 8 bytes, or with its length before it. */
const WIRE = { number: 0, eight: 1, bytes: 2 } as const;

/** Called with each string of a structure; returns what to use instead of it. */
export type MapString = (text: string) => string;

/** The JSON of a structure. */
export function decodeStruct(bytes: Uint8Array, mapString: MapString = (text) => text): JsonObject {
  return new StructReader(bytes, mapString).struct(bytes.length);
}

class StructReader {
  private readonly bytes: Buffer;
  private at = 0;

  constructor(
    bytes: Uint8Array,
    private readonly mapString: MapString,
  ) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  struct(end: number): JsonObject {
    const result: Record<string, Json> = {};
    while (this.at < end) {
      this.tag();
      const entryEnd = this.end();
      let key = "";
      let value: Json = null;
      while (this.at < entryEnd) {
        if (this.tag() === KEY) key = this.text();
        else value = this.value(this.end());
      }
      // Assigned, this name would change the prototype.
      if (key === "__proto__")
        Object.defineProperty(result, key, { value, enumerable: true, writable: true, configurable: true });
      else result[key] = value;
    }
    return result;
  }

  private value(end: number): Json {
    let value: Json = null;
    while (this.at < end) value = this.kind(this.tag());
    return value;
  }

  private kind(field: number): Json {
    switch (field) {
      case KIND.number:
        this.at += 8;
        return this.bytes.readDoubleLE(this.at - 8);
      case KIND.string:
        return this.mapString(this.text());
      case KIND.boolean:
        return this.varint() !== 0;
      case KIND.struct:
        return this.struct(this.end());
      case KIND.list:
        return this.list(this.end());
      default:
        this.varint();
        return null;
    }
  }

  private list(end: number): Json[] {
    const items: Json[] = [];
    while (this.at < end) {
      this.tag();
      items.push(this.value(this.end()));
    }
    return items;
  }

  private text(): string {
    const end = this.end();
    const text = this.bytes.toString("utf8", this.at, end);
    this.at = end;
    return text;
  }

  /** The number of a field. */
  private tag(): number {
    return this.varint() >>> 3;
  }

  /** The end of a field that begins with its length. */
  private end(): number {
    const length = this.varint();
    return this.at + length;
  }

  private varint(): number {
    // Tags and most lengths are one byte, for which no object with two numbers needs to be made.
    const byte = this.bytes[this.at] ?? 0;
    if (byte < 0x80) {
      this.at += 1;
      return byte;
    }
    const { value, next } = varintAt(this.bytes, this.at);
    this.at = next;
    return value;
  }
}

/** A variable number of up to 53 bits, and the position after it. */
function varintAt(bytes: Uint8Array, start: number): { readonly value: number; readonly next: number } {
  let [value, factor, at] = [0, 1, start];
  for (;;) {
    const byte = bytes[at] ?? 0;
    at += 1;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value, next: at };
    factor *= 0x80;
  }
}

/** A message, taken apart. */
interface MessageParts {
  /** By number: the structures of the message, the last one of each. */
  readonly structs: ReadonlyMap<number, Uint8Array>;
  /** The message without them. */
  readonly rest: Buffer;
}

/** Separates structures from the other fields of a message. */
export function separateStructs(bytes: Uint8Array, fields: ReadonlySet<number>): MessageParts {
  const structs = new Map<number, Uint8Array>();
  const rest: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = varintAt(bytes, at);
    const content = contentAt(bytes, tag.next, tag.value & 7);
    const field = tag.value >>> 3;
    if (fields.has(field)) structs.set(field, bytes.subarray(content.start, content.end));
    else rest.push(bytes.subarray(at, content.end));
    at = content.end;
  }
  return { structs, rest: Buffer.concat(rest) };
}

function contentAt(bytes: Uint8Array, at: number, wire: number): { readonly start: number; readonly end: number } {
  if (wire === WIRE.number) return { start: at, end: varintAt(bytes, at).next };
  if (wire === WIRE.bytes) {
    const { value, next } = varintAt(bytes, at);
    return { start: next, end: next + value };
  }
  return { start: at, end: at + (wire === WIRE.eight ? 8 : 4) };
}

/** The entries of a structure, each as its bytes. */
export function encodeEntries(value: object): Uint8Array[] {
  return Object.entries(value as JsonObject).map(([key, item]) => {
    const writer = new ReverseWriter();
    writer.entry(key, item);
    return writer.result();
  });
}

const FIRST_SIZE = 256;

/** Writes from the end to the start, so that the length of each part is known when it is written before it. */
class ReverseWriter {
  private bytes = Buffer.allocUnsafe(FIRST_SIZE);
  /** What is written begins here. */
  private start = FIRST_SIZE;

  result(): Uint8Array {
    // Of this very type: Pulumi's messages accept no other.
    return new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + this.start, this.bytes.length - this.start);
  }

  entry(key: string, value: Json | undefined): void {
    this.part(VALUE, () => {
      this.value(value);
    });
    this.text(KEY, key);
  }

  private value(value: Json | undefined): void {
    if (value === null) {
      this.varint(0);
      this.tag(KIND.null, WIRE.number);
    } else if (typeof value === "number") {
      this.room(8);
      this.bytes.writeDoubleLE(value, this.start);
      this.tag(KIND.number, WIRE.eight);
    } else if (typeof value === "string") {
      this.text(KIND.string, value);
    } else if (typeof value === "boolean") {
      this.varint(value ? 1 : 0);
      this.tag(KIND.boolean, WIRE.number);
    } else if (isList(value)) {
      this.part(KIND.list, () => {
        for (let index = value.length - 1; index >= 0; index -= 1)
          this.part(ITEM, () => {
            this.value(value[index]);
          });
      });
    } else if (typeof value === "object") {
      this.part(KIND.struct, () => {
        this.struct(value);
      });
    } else {
      throw new TypeError(`a structure cannot contain ${typeof value}`);
    }
  }

  private struct(value: JsonObject): void {
    const keys = Object.keys(value);
    for (let index = keys.length - 1; index >= 0; index -= 1) {
      const key = keys[index] ?? "";
      this.part(ITEM, () => {
        this.entry(key, value[key]);
      });
    }
  }

  private text(field: number, text: string): void {
    const length = Buffer.byteLength(text);
    this.room(length);
    this.bytes.write(text, this.start);
    this.varint(length);
    this.tag(field, WIRE.bytes);
  }

  /** A field with its length before it. */
  private part(field: number, write: () => void): void {
    const end = this.bytes.length - this.start;
    write();
    this.varint(this.bytes.length - this.start - end);
    this.tag(field, WIRE.bytes);
  }

  private tag(field: number, wire: number): void {
    this.varint((field << 3) | wire);
  }

  private varint(value: number): void {
    let length = 1;
    for (let left = value; left >= 0x80; left = Math.floor(left / 0x80)) length += 1;
    this.room(length);
    let left = value;
    for (let index = 0; index < length; index += 1) {
      this.bytes[this.start + index] = (left % 0x80) | (index === length - 1 ? 0 : 0x80);
      left = Math.floor(left / 0x80);
    }
  }

  /** Moves the start by some bytes, which are written next. */
  private room(length: number): void {
    const used = this.bytes.length - this.start;
    if (length > this.start) {
      const larger = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, used + length));
      this.bytes.copy(larger, larger.length - used, this.start);
      this.bytes = larger;
      this.start = larger.length - used;
    }
    this.start -= length;
  }
}
