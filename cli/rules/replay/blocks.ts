import { LONGEST, NEWLINE } from "./lines.js";

/** Enough to be worth a message to another thread. */
const BLOCK = 1 << 21;

/** The lines of a stream in blocks, each of which begins with a line and has its own memory, so that it can be handed over. */
export async function* blocksOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let [parts, size, hasNewline]: [Buffer[], number, boolean] = [[], 0, false];
  for await (const chunk of chunks) {
    hasNewline ||= chunk.includes(NEWLINE);
    parts.push(chunk);
    size += chunk.length;
    if (size > LONGEST && !hasNewline) throw new Error("a line is longer than 16 MB; it is no request log");
    if (size < BLOCK || !hasNewline) continue;
    const block = joined(parts, size);
    const end = block.lastIndexOf(NEWLINE) + 1;
    const rest = Buffer.from(block.subarray(end));
    yield block.subarray(0, end);
    [parts, size, hasNewline] = [[rest], rest.length, false];
  }
  if (size > 0) yield joined(parts, size);
}

/** Chunks must not be shared with another thread: whoever reads them uses their memory again. */
function joined(parts: readonly Buffer[], size: number): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    block.set(part, at);
    at += part.length;
  }
  return block;
}
