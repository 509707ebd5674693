import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { Client, Connection, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from "@temporalio/client";
import * as orders from "./orders.ts";
import type { rollBack, rollOut } from "./workflow.ts";

const USAGE = `node fleet.ts <command>

  start                  roll the plan out
  status                 how far it is, and what it waits for
  approve <wave>         the approval that a gate of the wave asks for
  pause                  no further shard starts; running ones end
  resume                 continue after a pause or a stop; failed shards and gates that did not hold are tried again
  abort                  end the rollout, as soon as running shards have ended
  take-over <shard>      the process that ran the shard on another machine is gone
  roll-back <wave> …     give the rulesets of waves the versions back that they had before, in this order
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    address: { type: "string", default: process.env.TEMPORAL_ADDRESS ?? "localhost:7233" },
    namespace: { type: "string", default: process.env.TEMPORAL_NAMESPACE ?? "default" },
    fleet: { type: "string", default: "fleet" },
    plan: { type: "string", default: "fleet-plan" },
    /** Shards of one token at the same time, on all machines together. */
    parallel: { type: "string", default: "1" },
    by: { type: "string", default: userInfo().username },
  },
});
const [command = "", ...names] = positionals;
const { address, namespace, fleet, plan, by } = values;
const parallel = Number(values.parallel);
if (!Number.isInteger(parallel) || parallel < 1) throw new Error("--parallel must be a whole number of at least 1");

const connection = await Connection.connect({ address, apiKey: process.env.TEMPORAL_API_KEY });
const client = new Client({ connection, namespace });
// One rollout of a fleet at a time: its ID is the fleet's.
const handle = client.workflow.getHandle(fleet);
const start = { workflowId: fleet, taskQueue: orders.wavesQueue(fleet) };

async function run(): Promise<void> {
  const [name = ""] = names;
  switch (command) {
    case "start":
      await client.workflow.start<typeof rollOut>("rollOut", {
        ...start,
        args: [{ plan, fleet, parallel }],
      });
      return;
    case "status":
      console.log(JSON.stringify(await handle.query(orders.status), undefined, 2));
      return;
    case "approve":
      return handle.signal(orders.approve, name, by);
    case "pause":
      return handle.signal(orders.pause, by);
    case "resume":
      return handle.signal(orders.resume, by);
    case "abort":
      return handle.signal(orders.abort, by);
    case "take-over":
      return handle.signal(orders.takeOver, name);
    case "roll-back": {
      const running = await client.workflow.start<typeof rollBack>("rollBack", {
        ...start,
        args: [{ plan, fleet, waves: names }],
      });
      console.log(JSON.stringify(await running.result(), undefined, 2));
      return;
    }
    default:
      console.log(USAGE);
      process.exitCode = 1;
  }
}

try {
  await run();
} catch (error) {
  if (error instanceof WorkflowNotFoundError) console.error(`no rollout of ${fleet}. To continue: node fleet.ts start`);
  else if (error instanceof WorkflowExecutionAlreadyStartedError)
    console.error(
      `a rollout or rollback of ${fleet} is under way. To continue: wait for its end, or node fleet.ts abort`,
    );
  else throw error;
  process.exitCode = 1;
} finally {
  await connection.close();
}
