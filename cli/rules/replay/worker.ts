import { parentPort, workerData } from "node:worker_threads";
import { judging, type Judgement, type Task } from "./judge.js";

const judge = judging(workerData as Judgement);

parentPort?.on("message", (task: Task) => {
  void judge(task).then((answer) => {
    parentPort?.postMessage(answer);
  });
});
