import type { RulesetsClient } from "../../../client/index.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { requireKnownRule } from "../../../rules/keyed.js";
import type { Desired } from "../desired.js";
import type { DryRun } from "../dry-runs.js";
import type { SharedPart } from "../plan/shared.js";

const DRY_RUN = { dryRun: true } as const;

/**
 * The dry runs of the writes to a shared ruleset, in the order of the program: one for each rule that is added or
 * changed. Positions are omitted, since the neighbouring rule may be one that the same run adds. A limit that only all
 * rules together exceed is therefore reported only during the update.
 */
export function singleWrites(
  client: RulesetsClient,
  { scope }: Desired["target"],
  actual: Ruleset,
  { order, steps }: SharedPart,
): readonly DryRun[] {
  // A deletion, and a move of a rule, are never refused because of a rule's content.
  const writes = new Map(
    steps.flatMap((step) => (step.kind === "delete" || step.rule === undefined ? [] : [[step.ref, step] as const])),
  );
  return order.flatMap((ref, index): DryRun[] => {
    const step = writes.get(ref);
    if (step?.rule === undefined) return [];
    const place = { path: ["rules", index], ref };
    const rule = requireKnownRule(step.rule);
    if (step.kind === "add") {
      const dryRun = () => client.addRule(scope, actual.id, { ...rule, ref: rule.ref ?? ref }, undefined, DRY_RUN);
      return [{ operation: "addRule", rule: place, dryRun }];
    }
    const dryRun = () => client.patchRule(scope, actual.id, step.id, { rule }, DRY_RUN);
    return [{ operation: "patchRule", rule: place, dryRun }];
  });
}
