import { isObject, type JsonObject, textOf, textsIn } from "../../../core/model/json.js";
import { knownText } from "../../../core/model/unknown.js";
import type { OperationsOf, RecordedState } from "../../engine/description.js";
import type { PlannedRequest } from "../../engine/preview-plan.js";

/** What runs of every kind of rulesets ask and send. */
export const OPERATIONS: readonly OperationsOf[] = [
  {
    path: "/rulesets",
    probe: { subject: "list of rulesets", read: ({ rulesets }, scope) => rulesets.list(scope) },
  },
];

/** IDs of the rules that deleting a resource would delete. */
export function ownedIds(state: JsonObject): string[] {
  const { ruleIds, ruleId, ref } = state;
  const taken = new Set(textsIn(state.__takenOver));
  if (typeof ruleId === "string") return taken.has(textOf(ref)) ? [] : [ruleId];
  return Object.entries(isObject(ruleIds) ? ruleIds : {}).flatMap(([ref, id]) =>
    typeof id !== "string" || taken.has(ref) ? [] : [id],
  );
}

/* What deletes send, from what the states of a preview show. */

/** The request that deletes a ruleset or its rules. */
export function plannedRulesetDelete(
  { inputs, outputs, released }: RecordedState,
  defaultOnDelete: "delete" | "empty",
): readonly PlannedRequest[] {
  const onDelete = knownText(inputs.onDelete) || defaultOnDelete;
  if (onDelete === "keep") return [];
  const { ruleIds, __takenOver: takenOver } = outputs;
  if (inputs.ownership === "shared") {
    const taken = new Set(textsIn(takenOver));
    return Object.entries(isObject(ruleIds) ? ruleIds : {}).flatMap(([ref, id]) =>
      released.has(ref) || taken.has(ref) ? [] : [{ call: `DELETE ${pathIn(inputs, outputs)}/rules/${knownText(id)}` }],
    );
  }
  const { rules } = inputs;
  const refs = Object.keys(isObject(rules) ? rules : {});
  if (takenOver !== undefined || (released.size > 0 && refs.every((ref) => released.has(ref)))) return [];
  return [{ call: `${onDelete === "empty" ? "PUT" : "DELETE"} ${pathIn(inputs, outputs)}` }];
}

/** The request that deletes a single rule. */
export function plannedRuleDelete({ inputs, outputs, released }: RecordedState): readonly PlannedRequest[] {
  const stays =
    knownText(inputs.onDelete) === "keep" || outputs.__takenOver !== undefined || released.has(knownText(inputs.ref));
  return stays ? [] : [{ call: `DELETE ${pathIn(inputs, outputs)}/rules/${knownText(outputs.ruleId) || "<rule>"}` }];
}

function pathIn({ zoneId, accountId, rulesetId: given }: JsonObject, { rulesetId }: JsonObject): string {
  const scope = knownText(zoneId) === "" ? `accounts/${knownText(accountId)}` : `zones/${knownText(zoneId)}`;
  return `/${scope}/rulesets/${knownText(rulesetId) || knownText(given) || "<id>"}`;
}
