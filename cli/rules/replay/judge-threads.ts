import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { errorOf } from "../../../provider/model/errors.js";
import type { Answer } from "./joined-units.js";
import type { Judgement, Task } from "./judge.js";

/** Threads that judge one task each at a time. */
export class JudgeThreads {
  private readonly idle = new Set<Worker>();
  private readonly all = new Set<Worker>();
  private readonly waiting: (() => void)[] = [];
  private busy = 0;

  constructor(
    /** The most of them. */
    readonly size: number,
    private readonly judgement: Judgement,
  ) {}

  /** Waits until a thread can take a task, so that no more of them are made than there are threads. */
  async free(): Promise<void> {
    while (this.busy >= this.size) await new Promise<void>((done) => this.waiting.push(done));
    this.busy += 1;
  }

  /**
   * Gives a task to the thread that {@link free} waited for.
   * @throws Error if it ends before it answers
   */
  async judge(task: Task): Promise<Answer> {
    const [thread = this.start()] = this.idle;
    this.idle.delete(thread);
    try {
      const answer = await answerOf(thread, task);
      if (this.all.has(thread)) this.idle.add(thread);
      return answer;
    } finally {
      this.busy -= 1;
      this.waiting.shift()?.();
    }
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.all, (thread) => thread.terminate()));
  }

  private start(): Worker {
    const thread = new Worker(join(__dirname, "worker.js"), { workerData: this.judgement });
    this.all.add(thread);
    // It would never answer: whatever ends it, also between two tasks.
    thread.once("exit", () => {
      this.all.delete(thread);
      this.idle.delete(thread);
    });
    return thread;
  }
}

function answerOf(thread: Worker, task: Task): Promise<Answer> {
  return new Promise((done, fail) => {
    const listen = (is: "on" | "off"): void => {
      thread[is]("message", onMessage)[is]("error", onError)[is]("exit", onExit);
    };
    const onMessage = (answer: Answer): void => {
      listen("off");
      done(answer);
    };
    const onError = (error: unknown): void => {
      listen("off");
      fail(errorOf(error));
    };
    const onExit = (code: number): void => {
      listen("off");
      fail(new Error(`the thread ended with code ${String(code)}`));
    };
    listen("on");
    thread.postMessage(task, task.block === undefined ? [] : [task.block.buffer]);
  });
}
