import { messageOf } from "../../../provider/model/errors.js";
import { readUserText } from "../../../provider/files/read-file.js";
import { parseJson } from "../../../provider/model/json.js";
import { openContent, TRUNCATED } from "./decompress.js";
import { fromHar } from "./har.js";
import { eachRow } from "./parquet.js";
import { readLogLine, type LogRecord, type RecordedRequest } from "./request-log.js";
import { eachLine } from "./lines.js";
import { STDIN } from "./sources.js";
import { headOf, PARQUET, type Unit } from "./units.js";

/** Takes the requests of a file; undefined for a line that contains none. */
type TakeRequest = (found: LogRecord | RecordedRequest | undefined, file: string, line: number) => void;

/** What was read of a file. */
interface ReadLines {
  /** As reports name the file. */
  readonly name: string;
  /** Undefined if it could not be read to its end. */
  readonly count: number | undefined;
  /** Why it could not be read, or not to its end. */
  readonly why?: string;
}

/** How reports name a file. */
export function nameOf(file: string): string {
  return file === STDIN ? "standard input" : file;
}

/** Reads the requests of a file: a request log with one JSON object per line, or a HAR file. */
export async function readRecording(unit: Unit, take: TakeRequest): Promise<ReadLines> {
  const { file } = unit;
  const name = nameOf(file);
  try {
    return { name, count: await readLines(unit, name, take) };
  } catch (error) {
    return { name, count: undefined, why: whyNot(error) };
  }
}

/** Reads the requests in some lines of a file; returns how many lines there are. */
export function readBlock(file: string, block: Uint8Array, take: TakeRequest): Promise<number> {
  return eachLogLine([Buffer.from(block.buffer, block.byteOffset, block.length)], undefined, nameOf(file), take);
}

function readLines(unit: Unit, name: string, take: TakeRequest): number | Promise<number> {
  const { file } = unit;
  if (file.endsWith(".har")) return readHar(file, take);
  if (headOf(file) !== PARQUET) return readLog(unit, name, take);
  return eachRow(file, (found, line) => {
    take(found, name, line);
  });
}

function readHar(file: string, take: TakeRequest): number {
  const requests = fromHar(parseJson(readUserText(file)));
  if (requests === undefined) throw new Error("it is not a HAR file: it has no log.entries");
  requests.forEach((request, index) => {
    take(request, file, index + 1);
  });
  return requests.length;
}

async function readLog({ file, range }: Unit, name: string, take: TakeRequest): Promise<number> {
  const start = range === undefined ? undefined : Math.max(range.start - 1, 0);
  return eachLogLine(await openContent(file, start), range, name, take);
}

function eachLogLine(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  range: Unit["range"],
  name: string,
  take: TakeRequest,
): Promise<number> {
  return eachLine(chunks, range, (text, line) => {
    if (text.trim() !== "") take(readLogLine(parseJson(text)), name, line);
  });
}

/** Why a file could not be read. */
export function whyNot(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "Z_BUF_ERROR") return TRUNCATED;
  if (code === "Z_DATA_ERROR" || code?.startsWith("ZSTD_") === true)
    return `the compressed data are damaged: ${messageOf(error)}`;
  return messageOf(error);
}
