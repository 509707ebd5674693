import plans from "../../../schema/plans.json";
import type { Page, Zone, ZonesClient } from "../../../client/index.js";
import { ListReads } from "./list-reads.js";
import { Responses, WHOLE_RUN } from "./responses.js";

/** A zone as messages name it. */
const ZONE = /(?<![\w-])zone ([0-9a-f]{32})\b/g;

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
  /** Whether a zone could not be read. */
  private isRefused = false;
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
   * A message that names zones, `zone 0123…`, with what people call them: `zone shop.example (0123…)`. Where a message is worth a
   * request and the service answers, reads the names that are missing, unless the credentials may not.
   */
  named(text: string, isWorthRequest: boolean): string | Promise<string> {
    const ids = new Set(Array.from(text.matchAll(ZONE), ([, id = ""]) => id));
    if (ids.size === 0) return text;
    const client = this.clientIfAny();
    const withNames = (): string =>
      text.replace(ZONE, (words, id: string) => {
        const name = client?.names.get(id) ?? "";
        return name === "" ? words : `zone ${name} (${id})`;
      });
    const unread = [...ids].filter((id) => client?.names.has(id) === false);
    if (unread.length === 0 || !isWorthRequest || this.isRefused || client?.isAnswering !== true) return withNames();
    return Promise.all(unread.map((id) => this.find(id))).then(withNames);
  }

  /** Without credentials there is none, and no name. */
  private clientIfAny(): ZonesClient | undefined {
    try {
      return this.client();
    } catch {
      return undefined;
    }
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
      this.isRefused = true;
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
