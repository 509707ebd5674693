import type { Answers, Question } from "../answers/ask.js";

/** How long a question may take while a newer one waits. */
const PATIENCE_MS = 1500;

interface Waiting {
  readonly question: Question;
  readonly resolve: (answer: Answers[Question["kind"]]) => void;
}

/**
 * Asks a worker, one question after the other. Of the questions of one kind that wait, only the newest is asked; while somebody
 * types, the others are out of date. One that takes long is given up for a newer one.
 */
export class Asking {
  #worker: Worker | undefined;
  #current: Waiting | undefined;
  readonly #waiting = new Map<Question["kind"], Waiting>();

  constructor(private readonly script: URL) {}

  /** The promise of a question that a newer one replaced stays open. */
  ask<Kind extends Question["kind"]>(question: Extract<Question, { kind: Kind }>): Promise<Answers[Kind]> {
    return new Promise((resolve) => {
      this.#waiting.set(question.kind, { question, resolve: resolve as Waiting["resolve"] });
      this.#next();
    });
  }

  #next(): void {
    const current = this.#current;
    if (current !== undefined) {
      if (this.#waiting.has(current.question.kind)) setTimeout(this.#giveUp.bind(this, current), PATIENCE_MS);
      return;
    }
    const [next] = this.#waiting.values();
    if (next === undefined) return;
    this.#waiting.delete(next.question.kind);
    this.#current = next;
    this.#worker ??= this.#start();
    this.#worker.postMessage(next.question);
  }

  #giveUp(question: Waiting): void {
    if (this.#current !== question) return;
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#current = undefined;
    this.#next();
  }

  #start(): Worker {
    const worker = new Worker(this.script);
    worker.addEventListener("message", ({ data }: MessageEvent<Answers[Question["kind"]]>) => {
      this.#answer(data);
    });
    worker.addEventListener("error", ({ message }) => {
      this.#worker = undefined;
      const failure = `the script of this page failed${message === "" ? "" : `: ${message}`}`;
      this.#answer({ rules: 0, findings: [], failure });
    });
    return worker;
  }

  #answer(answer: Answers[Question["kind"]]): void {
    const answered = this.#current;
    this.#current = undefined;
    answered?.resolve(answer);
    this.#next();
  }
}
