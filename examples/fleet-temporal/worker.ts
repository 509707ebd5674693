import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from "@temporalio/worker";
import { shardsQueue, wavesQueue } from "./orders.ts";
import { stepsIn } from "./steps.ts";

const logger = new DefaultLogger("WARN");
Runtime.install({ logger });

const { values } = parseArgs({
  options: {
    address: { type: "string", default: process.env.TEMPORAL_ADDRESS ?? "localhost:7233" },
    namespace: { type: "string", default: process.env.TEMPORAL_NAMESPACE ?? "default" },
    /** Name of the fleet. */
    fleet: { type: "string", default: "fleet" },
    /** Folder with `fleet.yaml`. */
    folder: { type: "string", default: "." },
    /** Takes the steps of whole waves, which need every token. */
    waves: { type: "boolean", default: false },
    /** Takes shards of this token; `default` for those without one. Can be repeated. */
    token: { type: "string", multiple: true, default: [] },
    /** Shards of each token at the same time on this machine. */
    parallel: { type: "string", default: "1" },
  },
});

const { address, namespace, fleet, folder } = values;
const shared = {
  connection: await NativeConnection.connect({ address, apiKey: process.env.TEMPORAL_API_KEY }),
  namespace,
  activities: stepsIn(folder),
};
const queues = values.token.map((token) => ({
  taskQueue: shardsQueue(fleet, token),
  maxConcurrentActivityTaskExecutions: Number(values.parallel),
}));
const workers = await Promise.all(queues.map((queue) => Worker.create({ ...shared, ...queue })));
if (values.waves)
  workers.push(
    await Worker.create({
      ...shared,
      taskQueue: wavesQueue(fleet),
      workflowBundle: await bundleWorkflowCode({
        workflowsPath: fileURLToPath(new URL("workflow.ts", import.meta.url)),
        logger,
      }),
    }),
  );
if (workers.length === 0) throw new Error("say what this worker takes: --waves, or --token <variable>");
await Promise.all(workers.map((worker) => worker.run()));
