import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { JoinedUnits } from "./joined-units.js";
import { judging, type Judgement } from "./judge.js";
import type { ReplayResult } from "./result.js";
import { STDIN } from "./sources.js";
import { sizeOf, unitsOf, type Unit } from "./units.js";
import type { Answer } from "./worker.js";

/** Below this number of bytes, starting threads takes longer than they save. */
const WORTH_THREADS = 1 << 24;

export interface ThreadOptions {
  /** The most threads. @default the number of cores */
  readonly threads?: number;
  /** Whether requests must be judged in their order, which one thread does. */
  readonly inOrder: boolean;
}

/** Judges all requests of files. What it keeps does not grow with them. */
export async function judgeFiles(
  files: readonly string[],
  judgement: Judgement,
  options: ThreadOptions,
): Promise<ReplayResult> {
  const units = options.inOrder ? files.map((file) => ({ file })) : unitsOf(files);
  const joined = new JoinedUnits(units);
  const wanted = options.threads ?? (sizes(files) < WORTH_THREADS ? 1 : availableParallelism());
  const threads = options.inOrder ? 1 : Math.min(wanted, units.length);
  if (threads <= 1) await inThisThread(units, judgement, joined);
  else {
    await inThisThread(
      units.filter(({ file }) => file === STDIN),
      judgement,
      joined,
    );
    const others = units.filter(({ file }) => file !== STDIN)[Symbol.iterator]();
    await Promise.all(Array.from({ length: threads }, () => inThread(others, judgement, joined)));
  }
  return joined.result;
}

function sizes(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + sizeOf(file), 0);
}

async function inThisThread(units: readonly Unit[], judgement: Judgement, joined: JoinedUnits): Promise<void> {
  const judge = judging(judgement);
  for (const unit of units) {
    const { result, lines } = await judge(unit);
    joined.add(unit, { result: result.toJSON(), lines });
  }
}

/** Gives a thread one unit after the other. */
async function inThread(units: Iterator<Unit>, judgement: Judgement, joined: JoinedUnits): Promise<void> {
  const worker = new Worker(join(__dirname, "worker.js"), { workerData: judgement });
  try {
    for (let next = units.next(); next.done !== true; next = units.next()) {
      worker.postMessage(next.value);
      const [answer] = (await once(worker, "message")) as [Answer];
      joined.add(next.value, answer);
    }
  } finally {
    await worker.terminate();
  }
}
