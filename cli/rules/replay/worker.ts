import { parentPort, workerData } from "node:worker_threads";
import { judging, type Judgement } from "./judge.js";
import type { Unit } from "./units.js";

/** What a thread sends back for each unit. */
export interface Answer {
  /** Plain JSON. */
  readonly result: object;
  readonly lines: number;
}

const judge = judging(workerData as Judgement);

parentPort?.on("message", (unit: Unit) => {
  void judge(unit).then(({ result, lines }) => {
    parentPort?.postMessage({ result: result.toJSON(), lines } satisfies Answer);
  });
});
