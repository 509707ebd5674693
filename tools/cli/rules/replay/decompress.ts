import { once } from "node:events";
import { createReadStream } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { cannotRead } from "../../../rules-files/text/read-file.js";
import { STDIN } from "./sources.js";

const CHUNK = 1 << 20;
const GZIP = Buffer.from([0x1f, 0x8b]);

/** The content of a file or of standard input, decompressed if it begins as gzip data do. */
export async function openContent(file: string): Promise<AsyncIterable<Buffer>> {
  const input = file === STDIN ? process.stdin : createReadStream(file, { highWaterMark: CHUNK });
  if (file !== STDIN)
    await once(input, "open").catch((error: unknown) => {
      throw cannotRead(file, error);
    });
  const head = await beginning(input);
  // Errors destroy the last stream, so whoever reads it sees them.
  return head.subarray(0, GZIP.length).equals(GZIP)
    ? pipeline(input, createGunzip({ chunkSize: CHUNK }), () => undefined)
    : input;
}

/** The first bytes, which stay in the stream. */
async function beginning(input: Readable): Promise<Buffer> {
  for (;;) {
    const chunk = input.read() as Buffer | null;
    if (chunk !== null) {
      input.unshift(chunk);
      return chunk;
    }
    if (input.readableEnded) return Buffer.alloc(0);
    await Promise.race([once(input, "readable"), once(input, "end")]);
  }
}
