import type { ListsClient } from "../../../client/lists.js";
import type { RulesList } from "../../../client/index.js";
import { Responses, WHOLE_RUN } from "./responses.js";

/** The lists of accounts, without their items, read once in a run: all that a run asks about an account shares one request. */
export class AccountListReads {
  private readonly lists = new Responses<readonly RulesList[]>(WHOLE_RUN);

  constructor(private readonly client: () => Pick<ListsClient, "list" | "find">) {}

  of(accountId: string): Promise<readonly RulesList[]> {
    return this.lists.read(accountId, () => this.client().list(accountId));
  }

  /**
   * The list that a state knows; undefined if it no longer exists. Credentials that see less get an empty list of lists, and no error, so
   * only a read of the list itself shows that it is gone.
   */
  async byId(accountId: string, listId: string): Promise<RulesList | undefined> {
    const found = (await this.of(accountId)).find(({ id }) => id === listId);
    return found ?? this.client().find(accountId, listId);
  }

  /** Adds a list that this run has created to those that it has read. */
  remember(accountId: string, list: RulesList): void {
    this.lists.change(accountId, (all) => [...all, list]);
  }

  forget(accountId: string): void {
    this.lists.forget(accountId);
  }
}
