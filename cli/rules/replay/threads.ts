import { availableParallelism } from "node:os";
import { formatNumber } from "../../../provider/model/words.js";
import { openContent } from "./decompress.js";
import { JoinedUnits, type Answer } from "./joined-units.js";
import { JudgeThreads, ThreadEnded } from "./judge-threads.js";
import { judging, type Judgement, type Task } from "./judge.js";
import { nameOf, whyNot } from "./read.js";
import { ReplayResult } from "./result.js";
import { STDIN } from "./sources.js";
import { isStream, sizeOf, unitsOf, type Unit } from "./units.js";
import { LONGEST, NEWLINE } from "./lines.js";

/** Below this number of bytes, starting threads takes longer than they save. */
const WORTH_THREADS = 1 << 24;

interface ThreadOptions {
  /** The most threads. @default the number of cores */
  readonly threads?: number;
  /** Whether requests must be judged in their order, which one thread does. */
  readonly inOrder: boolean;
}

/** Judges all requests of files. What it keeps does not grow with them. */
export async function judgeFiles(
  files: readonly string[],
  judgement: Judgement,
  { threads, inOrder }: ThreadOptions,
): Promise<ReplayResult> {
  const isSmall = !files.includes(STDIN) && files.reduce((sum, file) => sum + sizeOf(file), 0) < WORTH_THREADS;
  const most = inOrder ? 1 : (threads ?? (isSmall ? 1 : availableParallelism()));
  const joined = new JoinedUnits();
  const judge = judgingLater(judgement);
  if (most === 1) for (const file of files) joined.add(nameOf(file), undefined, await judge({ file }));
  else await judgeInThreads(files, { joined, judge, threads: new JudgeThreads(most, judgement) });
  return joined.joined();
}

/** Compiles the rules when this thread judges something. */
function judgingLater(judgement: Judgement): (task: Task) => Promise<Answer> {
  let judge: ReturnType<typeof judging> | undefined;
  return (task) => (judge ??= judging(judgement))(task);
}

interface Judges {
  readonly joined: JoinedUnits;
  readonly judge: (task: Task) => Promise<Answer>;
  readonly threads: JudgeThreads;
}

/** Each thread takes a unit after the other. This one reads what can only be read from its beginning, if there is little else. */
async function judgeInThreads(files: readonly string[], judges: Judges): Promise<void> {
  const { threads } = judges;
  const units = unitsOf(files);
  const isFed = ({ file }: Unit): boolean => file === STDIN || (units.length < threads.size && isStream(file));
  const running = new Set<Promise<void>>();
  const give: Give = (task, what) => {
    const done = judgeInThread(task, what, judges).finally(() => running.delete(done));
    running.add(done);
  };
  try {
    const fed = units.filter(isFed).map(({ file }) => feed(file, give, judges));
    for (const unit of units.filter((one) => !isFed(one))) {
      await threads.free();
      give(unit, unit.range === undefined ? "it was" : `bytes ${fromTo(unit.range)} were`);
    }
    await Promise.all(fed);
    await Promise.all(running);
  } finally {
    await threads.close();
  }
}

function fromTo({ start, end }: NonNullable<Unit["range"]>): string {
  return `${formatNumber(start)} to ${formatNumber(end)}`;
}

/** @param what names the task, as in "… not judged" */
type Give = (task: Task, what: string) => void;

/** Gives the lines of a stream to threads, and judges the first ones here: most streams end soon. */
async function feed(file: string, give: Give, { threads, joined, judge }: Judges): Promise<void> {
  let [part, bytes] = [0, 0];
  try {
    for await (const block of blocksOf(await openContent(file))) {
      const task = { file, part, block };
      const end = bytes + block.length;
      if (end <= WORTH_THREADS) joined.add(nameOf(file), part, await judge(task));
      else {
        await threads.free();
        give(task, `bytes ${fromTo({ start: bytes, end })} of its text were`);
      }
      part += 1;
      bytes = end;
    }
  } catch (error) {
    joined.add(nameOf(file), undefined, notRead(file, whyNot(error)));
  }
}

async function judgeInThread(task: Task, what: string, { threads, joined }: Judges): Promise<void> {
  const { file, part } = task;
  try {
    joined.add(nameOf(file), part, await threads.judge(task));
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    joined.add(nameOf(file), part, notRead(file, `${what} not judged: ${error.message}`));
  }
}

function notRead(file: string, why: string): Answer {
  const result = new ReplayResult();
  result.unreadFiles.push({ file: nameOf(file), why });
  return { result: result.toJSON(), lines: undefined };
}

/** Enough to be worth a message to another thread. */
const BLOCK = 1 << 21;

/** The lines of a stream in blocks, each of which begins with a line and has its own memory, so that it can be handed over. */
async function* blocksOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
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
