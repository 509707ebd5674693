import { messageOf } from "../../../provider/model/errors.js";
import { readUserText } from "../../../provider/files/read-file.js";
import { parseJson } from "../../../provider/model/json.js";
import { openContent, TRUNCATED } from "./decompress.js";
import { fromHar } from "./har.js";
import { fromLogLine, type RecordedRequest } from "./request-log.js";
import type { UnreadLine } from "./result.js";
import { STDIN } from "./sources.js";

/** Takes the requests of a recording; undefined for a line that contains none. */
export type TakeRequest = (request: RecordedRequest | undefined, at: UnreadLine) => void;

/** As reports name a file. */
export function nameOf(file: string): string {
  return file === STDIN ? "standard input" : file;
}

/**
 * Reads the requests of a file: a request log with one JSON object per line, or a HAR file. Returns why it could not be read, or
 * not to its end; undefined if all of it was read.
 */
export async function readRecording(file: string, take: TakeRequest): Promise<string | undefined> {
  try {
    if (file.endsWith(".har")) readHar(file, take);
    else await readLog(file, take);
    return undefined;
  } catch (error) {
    return whyNot(error);
  }
}

function readHar(file: string, take: TakeRequest): void {
  const requests = fromHar(parseJson(readUserText(file)));
  if (requests === undefined) throw new Error("it is not a HAR file: it has no log.entries");
  requests.forEach((request, index) => {
    take(request, { file, line: index + 1 });
  });
}

/** A line cannot be longer, so that a file that is no log does not fill the memory. */
const LONGEST_LINE = 1 << 24;
const NEWLINE = 10;

async function readLog(file: string, take: TakeRequest): Promise<void> {
  const content = await openContent(file);
  const name = nameOf(file);
  let rest: Buffer = Buffer.alloc(0);
  let line = 0;
  const takeLines = (text: string): void => {
    for (let from = 0; from < text.length;) {
      const end = text.indexOf("\n", from);
      const to = end < 0 ? text.length : end;
      line += 1;
      const one = text.slice(from, to);
      if (one.trim() !== "") take(fromLogLine(parseJson(one)), { file: name, line });
      from = to + 1;
    }
  };
  for await (const chunk of content) {
    const last = chunk.lastIndexOf(NEWLINE);
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = last < 0 ? 0 : rest.length + last + 1;
    if (whole > 0) takeLines(bytes.toString("utf8", 0, whole));
    rest = bytes.subarray(whole);
    if (rest.length > LONGEST_LINE)
      throw new Error(`line ${String(line + 1)} is longer than 16 MB; it is no request log`);
  }
  takeLines(rest.toString("utf8"));
}

function whyNot(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "Z_BUF_ERROR") return TRUNCATED;
  if (code === "Z_DATA_ERROR" || code?.startsWith("ZSTD_") === true)
    return `the compressed data are damaged: ${messageOf(error)}`;
  return messageOf(error);
}
