/** A line cannot be longer, so that a file that is no log does not fill the memory. */
export const LONGEST = 1 << 24;
export const NEWLINE = 10;

/**
 * Calls back with each line of a text, or with those that begin in a range of bytes. `chunks` begins one byte before the range
 * then. Returns the number of lines.
 * @throws Error on a line that is too long
 */
export async function eachLine(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  range: { readonly start: number; readonly end: number } | undefined,
  take: (line: string, number: number) => void,
): Promise<number> {
  let line = 0;
  const takeLines = (text: string): void => {
    for (let from = 0; from < text.length;) {
      const found = text.indexOf("\n", from);
      const to = found < 0 ? text.length : found;
      line += 1;
      take(text.slice(from, to), line);
      from = to + 1;
    }
  };
  let rest: Buffer = Buffer.alloc(0);
  for await (const part of inRange(chunks, range)) {
    const last = part.lastIndexOf(NEWLINE);
    const bytes = rest.length === 0 ? part : Buffer.concat([rest, part]);
    const whole = last < 0 ? 0 : rest.length + last + 1;
    if (whole > 0) takeLines(bytes.toString("utf8", 0, whole));
    rest = bytes.subarray(whole);
    if (rest.length > LONGEST) throw new Error(`line ${String(line + 1)} is longer than 16 MB; it is no request log`);
  }
  takeLines(rest.toString("utf8"));
  return line;
}

/** The bytes of the lines that begin in a range. */
async function* inRange(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  range: { readonly start: number; readonly end: number } | undefined,
): AsyncGenerator<Buffer> {
  if (range === undefined) {
    yield* chunks;
    return;
  }
  let position = Math.max(range.start - 1, 0);
  let isInside = range.start === 0;
  for await (const chunk of chunks) {
    let from = 0;
    if (!isInside) {
      const end = chunk.indexOf(NEWLINE);
      if (end < 0 || position + end + 1 >= range.end) {
        if (end >= 0) return;
        position += chunk.length;
        continue;
      }
      from = end + 1;
      isInside = true;
    }
    // The last line is the one that contains the last byte of the range.
    const lastEnd = chunk.indexOf(NEWLINE, Math.max(range.end - 1 - position, from));
    if (lastEnd >= 0 && position + lastEnd >= range.end - 1) {
      yield chunk.subarray(from, lastEnd + 1);
      return;
    }
    yield chunk.subarray(from);
    position += chunk.length;
  }
}
