import { fleetCommand } from "../../fleet/command-line.js";
import { waveNamed } from "../../fleet/plan.js";
import { isRolledBack, PLAN_AGAIN, statusOf } from "../../fleet/status.js";
import { planFolder, type FleetContext, type FleetOptions } from "./context.js";

/** Records who approves that the wave after this one starts. */
export function approve(
  wave: string,
  options: FleetOptions & { readonly by: string },
  { now, print }: FleetContext,
): void {
  const folder = planFolder(options);
  const plan = folder.plan();
  if (!waveNamed(plan, wave).gates.some(({ kind }) => kind === "approval"))
    throw new Error(`no gate of ${wave} asks for an approval`);
  const state = statusOf(plan, folder.records()).waves.find((one) => one.wave === wave)?.state;
  if (isRolledBack(state))
    throw new Error(
      `${wave} ${state === "rolled back" ? "was" : "is being"} rolled back, so there is nothing to approve. To continue: ${PLAN_AGAIN}`,
    );
  if (state !== "done" && state !== "passed")
    throw new Error(
      `${wave} cannot be approved before all of its shards have ended: their effect is not known yet. ` +
        `To continue: \`${fleetCommand("status", options.plan)}\` says how far it is`,
    );
  folder.saveApproval({ version: 1, wave, by: options.by, at: now().toISOString() });
  print(`${wave}: approved by ${options.by}`);
}

/** Lets no further shard start. */
export function stop(options: FleetOptions & { readonly reason: string }, { now, print }: FleetContext): void {
  const folder = planFolder(options);
  // Refuses a folder that is no plan.
  folder.plan();
  folder.saveStop({ version: 1, at: now().toISOString(), reason: options.reason });
  print(`Stopped. To continue: npx pulumi-rulesets ${fleetCommand("resume", options.plan)}`);
}
