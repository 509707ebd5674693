import type { FoldedChange } from "../../../fleet/changes.js";
import { fleetCommand } from "../../../fleet/command-line.js";
import { gateWords } from "../../../fleet/gates.js";
import type { FleetPlan, ShardPlan } from "../../../fleet/plan.js";
import { formatNumber, joinNames, plural } from "../../../../core/model/words.js";
import { plainTable } from "../../table.js";

interface Planned {
  readonly plan: FleetPlan;
  readonly failed: readonly ShardPlan[];
  /** Where the plan is saved. */
  readonly folder: string;
  readonly columns: number | undefined;
}

/** A plan for a terminal. */
export function renderPlan({ plan, failed, folder, columns }: Planned): string {
  const { shards, changes, waves } = plan;
  const zonesOf = (some: FleetPlan["shards"]): number => some.reduce((sum, shard) => sum + shard.zones, 0);
  const rows = waves.map(({ name, gates }) => {
    const members = shards.filter(({ wave }) => wave === name);
    return [name, ...[members.length, zonesOf(members)].map(formatNumber), gates.map(gateWords).join(", ")];
  });
  return [
    plainTable({ head: ["wave", "shards", "zones", "gates afterwards"], rows }, columns),
    ...(changes.length === 0 && failed.length > 0 ? [] : [changesText(changes, zonesOf(shards))]),
    ...failed.map(({ id, errors }) => `${id} could not be planned: ${errors.join("\n")}`),
    failed.length > 0
      ? "To continue: remove the causes, or exclude the zones in fleet.yaml, and plan again."
      : `Saved in ${folder}. To continue: npx pulumi-rulesets ${fleetCommand("resume", folder)}`,
  ].join("\n\n");
}

function changesText(changes: readonly FoldedChange[], zones: number): string {
  if (changes.length === 0) return `Nothing changes in ${plural(zones, "zone")}.`;
  const changed = changes.reduce((sum, one) => sum + one.zones.length, 0);
  const [first, ...others] = changes;
  const differ = changed - (first?.zones.length ?? 0);
  const names = joinNames(others.flatMap((one) => one.zones));
  return [
    `The same ${first?.edits === 1 ? "edit" : plural(first?.edits ?? 0, "edit")} in ${formatNumber(first?.zones.length ?? 0)} of ${plural(zones, "zone")}` +
      (differ === 0 ? "." : `; ${plural(differ, "zone")} differ${differ === 1 ? "s" : ""}: ${names}.`),
    ...changes.slice(0, MOST).map(foldText),
    ...(changes.length > MOST ? [`… and ${String(changes.length - MOST)} more; all are in plan.json.`] : []),
  ].join("\n\n");
}

/** How many different changes a terminal shows. */
const MOST = 10;

function foldText({ zones, lines, weakens }: FoldedChange): string {
  const note =
    weakens === "no" ? "" : weakens === "yes" ? ", which weakens protection" : ", which may weaken protection";
  return [
    `In ${formatNumber(zones.length)} (${joinNames(zones, 3)})${note}:`,
    ...lines.map((line) => `  ${line}`),
  ].join("\n");
}
