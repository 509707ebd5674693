import { once } from "node:events";
import { createReadStream } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { messageOf } from "../../../../core/model/errors.js";
import { parseJson } from "../../../../core/model/json.js";
import { cannotRead } from "../../../rules-files/text/read-file.js";
import { eachLine } from "./lines.js";
import { readLogLine, type RecordedRequest } from "./request-log.js";
import { STDIN } from "./sources.js";

const CHUNK = 1 << 20;
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Takes what a line says of a request, undefined if that is nothing, and returns whether there is such a request. */
type TakeRequest = (found: RecordedRequest | undefined, file: string, line: number) => boolean;

/** How reports name a file. */
export function nameOf(file: string): string {
  return file === STDIN ? "standard input" : file;
}

/** Reads a request log with one JSON object per line. Returns why it could not be read, or not to its end. */
export async function readRecording(file: string, take: TakeRequest): Promise<string | undefined> {
  let [requests, others] = [0, 0];
  try {
    await eachLine(await openContent(file), (text, line) => {
      if (text.trim() === "") return;
      if (take(readLogLine(parseJson(text)), nameOf(file), line)) requests += 1;
      else others += 1;
    });
  } catch (error) {
    return whyNot(error);
  }
  // It is no log, or not in UTF-8.
  return requests === 0 && others > 0 ? "none of its lines has a request" : undefined;
}

function whyNot(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "Z_BUF_ERROR") return "the compressed data end too early: the file is truncated";
  if (code === "Z_DATA_ERROR") return `the compressed data are damaged: ${messageOf(error)}`;
  return messageOf(error);
}

/** The content of a file or of standard input, decompressed if it begins as gzip data do. */
async function openContent(file: string): Promise<AsyncIterable<Buffer>> {
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
