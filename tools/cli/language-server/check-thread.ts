import { Worker } from "node:worker_threads";
import { couldNotBeChecked } from "../../editor/diagnostics.js";
import type { Checked, Found } from "./checks.js";

/** How long a check that is out of date may still take: to start another thread takes about as long. */
const PATIENCE_MS = 300;

interface Waiting {
  readonly checked: Checked;
  readonly answer: (found: Found | undefined) => void;
}

/**
 * Checks documents in a thread of its own, so that an editor is answered meanwhile. They are checked one after the other, and of
 * the versions of one document only the newest.
 */
export class CheckThread {
  private worker: Worker | undefined;
  private current: Waiting | undefined;
  private readonly waiting = new Map<string, Waiting>();

  /** @param script what the thread runs: something that calls `answerChecks` */
  constructor(private readonly script: string) {}

  /** What is found in a document; undefined as soon as it is out of date. */
  check(checked: Checked): Promise<Found | undefined> {
    this.forget(checked.uri);
    return new Promise((answer) => {
      this.waiting.set(checked.uri, { checked, answer });
      this.next();
    });
  }

  /** Ends the checks of a document, which is out of date. */
  forget(uri: string): void {
    this.waiting.get(uri)?.answer(undefined);
    this.waiting.delete(uri);
    const { current } = this;
    if (current?.checked.uri !== uri) return;
    current.answer(undefined);
    setTimeout(() => {
      this.giveUp(current);
    }, PATIENCE_MS).unref();
  }

  private giveUp(check: Waiting): void {
    if (this.current !== check) return;
    void this.worker?.terminate();
    this.worker = undefined;
    this.finish(undefined);
  }

  private next(): void {
    if (this.current !== undefined) return;
    const [next] = this.waiting.values();
    if (next === undefined) return;
    this.waiting.delete(next.checked.uri);
    this.current = next;
    this.worker ??= this.start();
    this.worker.postMessage(next.checked);
  }

  private finish(found: Found | undefined): void {
    this.current?.answer(found);
    this.current = undefined;
    this.next();
  }

  private start(): Worker {
    // Standard output is for messages of the protocol.
    const worker = new Worker(this.script, { stdout: true });
    worker.unref();
    worker.on("message", (found: Found) => {
      if (this.worker === worker) this.finish(found);
    });
    worker.on("error", (error) => {
      if (this.worker !== worker) return;
      this.worker = undefined;
      this.finish([couldNotBeChecked(error, this.current?.checked.text ?? "")]);
    });
    return worker;
  }
}
