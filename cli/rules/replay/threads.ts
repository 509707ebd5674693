import { availableParallelism } from "node:os";
import { messageOf } from "../../../provider/model/errors.js";
import { formatNumber } from "../../../provider/model/words.js";
import { openContent } from "./decompress.js";
import { JoinedUnits, type Answer } from "./joined-units.js";
import { JudgeThreads } from "./judge-threads.js";
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
  const { threads, joined } = judges;
  const units = unitsOf(files);
  const isFed = ({ file }: Unit): boolean => file === STDIN || (units.length < threads.size && isStream(file));
  const running = new Set<Promise<void>>();
  const give = async (task: Task): Promise<void> => {
    await threads.free();
    const done = join(task, threads.judge(task), joined).finally(() => running.delete(done));
    running.add(done);
  };
  try {
    const fed = units.filter(isFed).map(({ file }) => feed(file, give, judges));
    for (const unit of units.filter((one) => !isFed(one))) await give(unit);
    await Promise.all(fed);
    await Promise.all(running);
  } finally {
    await threads.close();
  }
}

/** Gives the lines of a stream to threads, or judges them here if there are few: each thread has to compile the rules. */
async function feed(file: string, give: (task: Task) => Promise<void>, { joined, judge }: Judges): Promise<void> {
  const held: Task[] = [];
  let [part, start] = [0, 0];
  try {
    for await (const block of blocksOf(await openContent(file))) {
      const end = start + block.length;
      held.push({ file, part, block, range: { start, end } });
      [part, start] = [part + 1, end];
      if (end > WORTH_THREADS) for (const task of held.splice(0)) await give(task);
    }
  } catch (error) {
    joined.add(nameOf(file), undefined, notRead(file, whyNot(error)));
  }
  for (const task of held) await join(task, judge(task), joined);
}

/** Adds what was found. What nobody has judged is named. */
async function join(task: Task, judged: Promise<Answer>, joined: JoinedUnits): Promise<void> {
  const { file, part } = task;
  const answer = await judged.catch((error: unknown) =>
    notRead(file, `${whatOf(task)} not judged: ${messageOf(error)}`),
  );
  joined.add(nameOf(file), part, answer);
}

function whatOf({ range, block }: Task): string {
  if (range === undefined) return "it was";
  return `bytes ${formatNumber(range.start)} to ${formatNumber(range.end)} ${block === undefined ? "" : "of its text "}were`;
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
    const block = inOwnMemory(parts, size);
    const end = block.lastIndexOf(NEWLINE) + 1;
    const rest = Buffer.from(block.subarray(end));
    yield block.subarray(0, end);
    [parts, size, hasNewline] = [[rest], rest.length, false];
  }
  if (size > 0) yield inOwnMemory(parts, size);
}

/** Chunks must not be shared with another thread: whoever reads them uses their memory again. */
function inOwnMemory(parts: readonly Buffer[], size: number): Uint8Array<ArrayBuffer> {
  const block = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for (const part of parts) {
    block.set(part, at);
    at += part.length;
  }
  return block;
}
