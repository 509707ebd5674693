import { waveNamed } from "../../fleet/plan.js";
import { planFolder, type FleetContext, type FleetOptions } from "./context.js";

/** Records who approves that the wave after this one starts. */
export function approve(
  wave: string,
  options: FleetOptions & { readonly by: string },
  { now, print }: FleetContext,
): void {
  const folder = planFolder(options);
  if (!waveNamed(folder.plan(), wave).gates.some(({ kind }) => kind === "approval"))
    throw new Error(`no gate of ${wave} asks for an approval`);
  folder.saveApproval({ version: 1, wave, by: options.by, at: now().toISOString() });
  print(`${wave}: approved by ${options.by}`);
}

/** Lets no further shard start. */
export function stop(options: FleetOptions & { readonly reason: string }, { now, print }: FleetContext): void {
  const folder = planFolder(options);
  // Refuses a folder that is no plan.
  folder.plan();
  folder.saveStop({ version: 1, at: now().toISOString(), reason: options.reason });
  print(`Stopped. To continue: npx pulumi-rulesets fleet resume --plan ${options.plan}`);
}
