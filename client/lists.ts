import { itemFromWire, itemToWire, type Items, type StoredItem } from "../core/lists/item.js";
import { isObject, type Json, type JsonObject } from "../core/model/json.js";
import { ApiError, failedRequestText } from "../core/model/errors.js";
import type { Call, Transport } from "./http/index.js";
import { sendConfirmedDelete } from "./confirmed-delete.js";
import {
  encodeSegment,
  hasId,
  pagesByCursor,
  requireCounted,
  requireResult,
  requireSame,
  responseText,
  undefinedIfMissing,
} from "./pages.js";

/** A list of an account, without its items. */
export interface RulesList {
  readonly id: string;
  readonly name: string;
  /** A `ListKind`, or one that this version does not know. */
  readonly kind: string;
  /** Empty if it has none. */
  readonly description: string;
  /** Number of items. */
  readonly size: number;
  /** How many filters and rulesets refer to it. */
  readonly references: number;
  /** RFC 3339, UTC. */
  readonly modifiedOn: string;
}

/** The progress of a change of items, which the service carries out after it has answered. */
export type BulkOperation =
  | { readonly kind: "pending" | "running" | "completed" }
  | { readonly kind: "failed"; readonly reason: string };

/** As many items as the service returns at once. */
const PAGE_SIZE = 500;

/**
 * The lists of an account, which rules refer to as `$name`:
 * https://developers.cloudflare.com/api/resources/rules/subresources/lists/. Changes of items return the ID of an operation:
 * the items change when {@link ListsClient.operation} says that it has completed.
 */
export class ListsClient {
  constructor(private readonly transport: Transport) {}

  /** Every list of an account. */
  async list(accountId: string): Promise<RulesList[]> {
    const found: RulesList[] = [];
    for await (const page of pagesByCursor(this.transport, root(accountId), {})) found.push(...page.map(fromWire));
    return found;
  }

  async get(accountId: string, listId: string): Promise<RulesList> {
    const call: Call = { method: "GET", path: one(accountId, listId) };
    const list = await this.rulesList(call);
    requireSame(call, listId, list.id);
    return list;
  }
  find(accountId: string, listId: string): Promise<RulesList | undefined> {
    return undefinedIfMissing(this.get(accountId, listId));
  }

  /** Creates a list without items. */
  async create(
    accountId: string,
    { name, kind, description }: Pick<RulesList, "name" | "kind" | "description">,
  ): Promise<RulesList> {
    const body = { name, kind, ...(description === "" ? {} : { description }) };
    return this.rulesList({ method: "POST", path: root(accountId), body });
  }

  async describe(accountId: string, listId: string, description: string): Promise<RulesList> {
    return this.rulesList({ method: "PUT", path: one(accountId, listId), body: { description } });
  }

  /** Deletes a list and its items. The service refuses it while rules refer to the list. */
  async delete(accountId: string, listId: string): Promise<void> {
    await sendConfirmedDelete(this.transport, one(accountId, listId), { read: () => this.find(accountId, listId) });
  }

  /**
   * Every item of a list, all pages.
   * @param size how many there are, if known: an answer with none of them is refused
   */
  async items(accountId: string, listId: string, kind: string, size = 0): Promise<StoredItem[]> {
    const path = `${one(accountId, listId)}/items`;
    const found: StoredItem[] = [];
    const isEmpty = async (): Promise<boolean> => (await this.get(accountId, listId)).size === 0;
    for await (const page of pagesByCursor(this.transport, path, { per_page: PAGE_SIZE }, isEmpty))
      for (const wire of page) {
        const item = itemFromWire(kind, wire);
        if (item === undefined)
          throw new ApiError(
            failedRequestText({ method: "GET", path }, `the service returned an item that is not of the kind ${kind}.`),
            {
              code: "API_GARBLED",
            },
          );
        found.push(item);
      }
    // The size may be one from before a write.
    if (found.length === 0 && size > 0 && !(await isEmpty())) requireCounted({ method: "GET", path }, 0, size);
    return found;
  }

  /** Adds items; those that exist get the new details. */
  async addItems(accountId: string, listId: string, kind: string, items: Items): Promise<string> {
    return this.change("POST", accountId, listId, wireItems(kind, items));
  }

  /** Replaces all items. */
  async replaceItems(accountId: string, listId: string, kind: string, items: Items): Promise<string> {
    return this.change("PUT", accountId, listId, wireItems(kind, items));
  }

  async deleteItems(accountId: string, listId: string, itemIds: readonly string[]): Promise<string> {
    return this.change("DELETE", accountId, listId, { items: itemIds.map((id) => ({ id })) });
  }

  async operation(accountId: string, operationId: string): Promise<BulkOperation> {
    const path = `${root(accountId)}/bulk_operations/${encodeSegment(operationId)}`;
    const { result } = await this.transport.send({ method: "GET", path });
    const { status, error } = isObject(result) ? result : {};
    if (status === "failed")
      return { kind: "failed", reason: responseText(error) === "" ? "no reason given" : responseText(error) };
    return { kind: status === "completed" || status === "running" ? status : "pending" };
  }

  private async rulesList(call: Call): Promise<RulesList> {
    return fromWire(requireResult(call, await this.transport.send(call), "list", hasId));
  }

  private async change(
    method: "POST" | "PUT" | "DELETE",
    accountId: string,
    listId: string,
    body: Json,
  ): Promise<string> {
    const call = { method, path: `${one(accountId, listId)}/items`, body };
    const says = ({ operation_id: id }: JsonObject): boolean => responseText(id) !== "";
    return responseText(requireResult(call, await this.transport.send(call), "operation", says).operation_id);
  }
}

function wireItems(kind: string, items: Items): JsonObject[] {
  return Object.entries(items).map(([key, details]) => itemToWire(kind, key, details));
}

function root(accountId: string): string {
  return `/accounts/${encodeSegment(accountId)}/rules/lists`;
}

function one(accountId: string, listId: string): string {
  return `${root(accountId)}/${encodeSegment(listId)}`;
}

function fromWire(wire: JsonObject): RulesList {
  return {
    id: responseText(wire.id),
    name: responseText(wire.name),
    kind: responseText(wire.kind),
    description: responseText(wire.description),
    size: typeof wire.num_items === "number" ? wire.num_items : 0,
    references: typeof wire.num_referencing_filters === "number" ? wire.num_referencing_filters : 0,
    modifiedOn: responseText(wire.modified_on),
  };
}
