import plans from "../../../schema/plans.json";
import type { Page, Zone, ZonesClient } from "../../../client/index.js";
import { ListReads } from "./list-reads.js";
import { Responses, WHOLE_RUN } from "./responses.js";

const PLANS: readonly string[] = plans.plans;

/**
 * Zones read in this run, each once: name and plan do not change meanwhile. The first zone shows in which account the
 * others may be; then pages of that account, fifty zones each, are read where that saves requests.
 */
export class ZoneReads {
  private readonly plans = new Responses<string | undefined>(WHOLE_RUN);
  private readonly zones = new Responses<Zone | undefined>(WHOLE_RUN);
  /** By account ID, how many of its pages were read and how many there are. */
  private readonly accounts = new Map<string, { readonly read: number; readonly pages: number }>();
  /** The account of the last zone that was read individually. */
  private account = "";
  private readonly list: ListReads<Zone>;

  constructor(private readonly client: () => ZonesClient) {
    const source = {
      idOf: ({ id }: Zone) => id,
      nameOf: ({ name }: Zone) => name,
      find: (zoneId: string) => this.read(zoneId),
      page: () => this.readPage(),
      hasPage: () => this.account !== "" && this.progress.read < this.progress.pages,
      worthwhile: 2,
      concurrent: 1,
    };
    this.list = new ListReads(source, WHOLE_RUN);
  }

  /**
   * Undefined if the service does not respond or the credentials may not read the zone: nothing depends on a zone
   * alone.
   */
  find(zoneId: string): Promise<Zone | undefined> {
    return this.zones.read(zoneId, () => this.list.byId(zoneId));
  }

  /**
   * The highest plan of the zones of an account that the credentials can see, which decides what the account includes;
   * undefined if they see none.
   */
  accountPlan(accountId: string): Promise<string | undefined> {
    return this.plans.read(accountId, () => this.readPlan(accountId));
  }

  private async readPlan(accountId: string): Promise<string | undefined> {
    let highest = -1;
    try {
      for await (const page of this.client().pages({ accountId })) {
        highest = Math.max(highest, ...page.map(({ plan }) => PLANS.indexOf(plan)));
        if (highest === PLANS.length - 1) break;
      }
    } catch {
      return undefined;
    }
    return PLANS[highest];
  }

  private get progress(): { readonly read: number; readonly pages: number } {
    return this.accounts.get(this.account) ?? { read: 0, pages: Infinity };
  }

  private async read(zoneId: string): Promise<Zone | undefined> {
    try {
      const zone = await this.client().get(zoneId);
      this.account = zone.accountId;
      return zone;
    } catch {
      return undefined;
    }
  }

  /** The next page of the account. There may be other accounts, so no page completes the list. */
  private async readPage(): Promise<Page<Zone>> {
    const { account } = this;
    const read = this.progress.read + 1;
    const page = await this.client().page(read, { accountId: account });
    this.accounts.set(account, { read, pages: page.pages });
    return { ...page, pages: Infinity };
  }
}
