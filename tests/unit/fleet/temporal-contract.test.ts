import type { StatusJson } from "../../../tools/cli/fleet/status/command";
import type { ShardOutcomeJson } from "../../../tools/cli/fleet/run-shard/command";
import type * as example from "../../../examples/fleet-temporal/contract.js" with { "resolution-mode": "import" };
import type { FleetPlan } from "../../../tools/fleet/plan";
import type { GateResult, ShardResult } from "../../../tools/fleet/results";

/** Compiles only if everything that a command writes is what the example reads. */
type Reads<Wanted, Written extends Wanted> = Written;

/** What the packages of the example are not needed for; `npm run test:fleet-temporal` runs all of it. */
export type Contract = [
  Reads<example.Plan, FleetPlan>,
  Reads<example.Status, StatusJson>,
  Reads<example.ShardAnswer, ShardOutcomeJson>,
  Reads<example.Gates, GateResult>,
  Reads<example.Rollback, { readonly shards: readonly ShardResult[] }>,
];

test("the example on Temporal reads what the commands of a fleet write", () => {
  // `npm run types` compares them.
  const states: example.Gates["verdict"][] = ["passed", "no", "waiting", "unknown"] satisfies GateResult["verdict"][];
  expect(states).toHaveLength(4);
});
