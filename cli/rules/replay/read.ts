import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { cannotRead, readUserText } from "../../../provider/files/read-file.js";
import { fromHar } from "./har.js";
import { fromLogLine, type RecordedRequest } from "./request-log.js";

/** One line of a recording: a request, or undefined if it contains none. */
export type RecordedLine = RecordedRequest | undefined;

/** Reads the requests of a recording one by one: a request log with one JSON object per line, or a HAR file. */
export async function* readRecording(file: string): AsyncGenerator<RecordedLine> {
  if (file.endsWith(".har")) {
    const requests = fromHar(JSON.parse(readUserText(file)));
    if (requests === undefined) throw new Error(`${file} is not a HAR file: it has no log.entries`);
    yield* requests;
    return;
  }
  const input = createReadStream(file, "utf8");
  await once(input, "open").catch((error: unknown) => {
    throw cannotRead(file, error);
  });
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    if (line.trim() !== "") yield fromLogLine(parse(line));
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
