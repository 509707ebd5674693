/** A line cannot be longer, so that a file that is no log does not fill the memory. */
const LONGEST = 1 << 24;
const NEWLINE = 10;

/**
 * Calls back with each line of a text.
 * @throws Error on a line that is too long
 */
export async function eachLine(
  chunks: AsyncIterable<Buffer>,
  take: (line: string, number: number) => void,
): Promise<void> {
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
  for await (const chunk of chunks) {
    const last = chunk.lastIndexOf(NEWLINE);
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = last < 0 ? 0 : rest.length + last + 1;
    if (whole > 0) takeLines(bytes.toString("utf8", 0, whole));
    rest = bytes.subarray(whole);
    if (rest.length > LONGEST)
      throw new Error(`line ${String(line + 1)} is longer than 16 MB, so this is not a request log`);
  }
  takeLines(rest.toString("utf8"));
}
