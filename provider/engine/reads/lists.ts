import type { ListsClient } from "../../client/lists.js";
import type { RulesList } from "../../client/index.js";

/** The lists of accounts, without their items, read once in a run: all that a run asks about an account shares one request. */
export class AccountListReads {
  private readonly lists = new Map<string, Promise<readonly RulesList[]>>();

  constructor(private readonly client: () => Pick<ListsClient, "list">) {}

  of(accountId: string): Promise<readonly RulesList[]> {
    const known = this.lists.get(accountId);
    if (known !== undefined) return known;
    const read = this.client().list(accountId);
    this.lists.set(accountId, read);
    read.catch(() => this.lists.delete(accountId));
    return read;
  }

  /** Adds a list that this run has created to those that it has read. */
  remember(accountId: string, list: RulesList): void {
    const known = this.lists.get(accountId);
    if (known === undefined) return;
    this.lists.set(
      accountId,
      known.then((all) => [...all, list]),
    );
  }

  forget(accountId: string): void {
    this.lists.delete(accountId);
  }
}
