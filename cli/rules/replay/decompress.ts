import { once } from "node:events";
import { createReadStream } from "node:fs";
import { pipeline, Readable, type Transform } from "node:stream";
import * as zlib from "node:zlib";
import { cannotRead } from "../../../provider/files/read-file.js";
import { STDIN } from "./sources.js";
import { GZIP, PARQUET, ZSTD } from "./units.js";
import { ZstdFrames } from "./zstd-frames.js";

const CHUNK = 1 << 20;

export const TRUNCATED = "the compressed data end too early: the file is truncated";

/** The content of a file or of standard input, decompressed if it begins as gzip or Zstandard data do; a text from a position on. */
export async function openContent(file: string, start?: number): Promise<AsyncIterable<Buffer>> {
  const input = file === STDIN ? process.stdin : createReadStream(file, { highWaterMark: CHUNK, start });
  if (file !== STDIN)
    await once(input, "open").catch((error: unknown) => {
      throw cannotRead(file, error);
    });
  if (start !== undefined) return input;
  const head = await beginning(input);
  const begins = (magic: string): boolean => head.toString("latin1", 0, magic.length) === magic;
  // Errors destroy the last stream, so whoever reads it sees them.
  if (begins(GZIP)) return pipeline(input, zlib.createGunzip({ chunkSize: CHUNK }), () => undefined);
  if (begins(ZSTD)) return unzstd(input);
  if (begins(PARQUET)) throw new Error("a Parquet file cannot be read from standard input: pass the file");
  return input;
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

/** Decompresses frame by frame, and fails if the last one ends too early. */
async function* unzstd(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = input[Symbol.asyncIterator]();
  const frames = new ZstdFrames();
  let rest: Buffer | undefined;
  const nextChunk = async (): Promise<Buffer | undefined> => {
    const next = await chunks.next();
    return next.done === true ? undefined : next.value;
  };
  async function* nextFrame(): AsyncGenerator<Buffer> {
    do {
      rest ??= await nextChunk();
      if (rest === undefined) throw new Error(TRUNCATED);
      const taken = frames.follow(rest);
      yield rest.subarray(0, taken);
      rest = taken < rest.length ? rest.subarray(taken) : undefined;
    } while (!frames.isComplete);
  }
  while ((rest ??= await nextChunk()) !== undefined)
    yield* pipeline(Readable.from(nextFrame()), zstdDecompressor(), () => undefined) as AsyncIterable<Buffer>;
}

function zstdDecompressor(): Transform {
  // In Node since 22.15.
  if (typeof zlib.createZstdDecompress === "function") return zlib.createZstdDecompress({ chunkSize: CHUNK });
  throw new Error(
    `it is compressed with Zstandard, which Node decompresses from 22.15 on, and this is ${process.versions.node}. ` +
      "To continue: update Node, or decompress it with `zstd -d`",
  );
}
