import type { RecordedState } from "../../engine/description.js";
import type { PlannedRequest } from "../../engine/preview-plan.js";
import { batchesOf, planWrite } from "../../../core/lists/change.js";
import type { Items } from "../../../core/lists/item.js";
import { isObject } from "../../../core/model/json.js";
import { knownText } from "../../../core/model/unknown.js";
import { reachOf } from "./reach.js";

/* What the writes of lists send, as previews show them. */

/** A list in an account; without an ID, it does not exist yet. */
interface Address {
  readonly accountId: string;
  readonly listId?: string;
}

/** The request that creates a list without items. */
export function plannedCreate({ accountId }: Address): PlannedRequest {
  return { call: `POST ${lists(accountId)}` };
}

/** The request that changes the description. */
export function plannedDescription(address: Address): PlannedRequest {
  return { call: `PUT ${pathOf(address)}` };
}

/** The requests that change the items, in their order. */
export function plannedItems(address: Address, now: Items, wanted: Items, mayReplace: boolean): PlannedRequest[] {
  const plan = planWrite(now, wanted, mayReplace);
  const path = `${pathOf(address)}/items`;
  const times = (method: string, values: readonly unknown[]): PlannedRequest[] =>
    batchesOf(values).map(() => ({ call: `${method} ${path}` }));
  switch (plan.kind) {
    case "none":
      return [];
    case "replace": {
      const [, ...more] = times("POST", Object.keys(plan.items));
      return [{ call: `PUT ${path}` }, ...more];
    }
    case "edit":
      return [...times("POST", Object.keys(plan.put)), ...times("DELETE", plan.remove)];
  }
}

/** The requests that delete a list or its items, from what a state shows. */
export function plannedListDelete({ inputs, outputs }: RecordedState): readonly PlannedRequest[] {
  const reach = reachOf(inputs);
  const onDelete = knownText(inputs.onDelete) || reach.onDelete;
  if (onDelete === "keep" || outputs.__takenOver === true) return [];
  const address = { accountId: knownText(inputs.accountId), listId: knownText(outputs.listId) };
  const items = isObject(inputs.items) ? (inputs.items as Items) : {};
  if (onDelete !== "delete") return plannedItems(address, items, {}, reach.mayReplace);
  // One that changes no item waits for changes of others.
  return [{ call: `POST ${pathOf(address)}/items` }, { call: `DELETE ${pathOf(address)}` }];
}

function pathOf({ accountId, listId = "" }: Address): string {
  return `${lists(accountId)}/${listId || "<id>"}`;
}

function lists(accountId: string): string {
  return `/accounts/${accountId}/rules/lists`;
}
