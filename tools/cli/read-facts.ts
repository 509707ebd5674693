import pLimit from "p-limit";
import { firstLineOf, isForbidden, isInaccessible, RulesetsError } from "../../core/model/errors.js";
import { isDeclarable } from "../../core/model/ids.js";
import { requireVisible } from "../../core/model/ruleset.js";
import { mapFrom } from "../../core/model/json.js";
import { isListKind } from "../../core/lists/kind.js";
import type { Client, RulesList, Ruleset, RulesetSummary, Scope, Zone } from "../../client/index.js";
import {
  findExecutedRulesets,
  type Facts,
  type FoundAccount,
  type FoundList,
  type FoundRulesets,
  type FoundZone,
  type UnreadListedRuleset,
  type UnreadRuleset,
} from "../audit/facts.js";
import type { UnreadPart } from "../audit/report.js";
import type { ZoneResult } from "./zones.js";

/** A managed ruleset, or why it could not be read. */
type ReadManaged = { readonly ruleset: Ruleset } | UnreadRuleset;

const AT_ONCE = 4;
/** Items of longer lists are not read: that takes a request for every 500 of them. */
const MOST_ITEMS = 100_000;

const NO_ACCOUNT: FoundRulesets = {
  rulesets: [],
  unread: [],
  closed: "the service does not return the account of the zone",
  isForbidden: true,
};

/** Reads with the fewest requests: one list per zone and account, and each ruleset once, however many zones run it. */
export class FactsReader {
  private readonly limit = pLimit(AT_ONCE);
  private readonly accounts = new Map<string, Promise<FoundRulesets>>();
  private readonly shared = new Map<string, Promise<Ruleset>>();

  constructor(private readonly client: Client) {}

  /** The rulesets of a zone; those of its account are read once. */
  async zone({ id, name, plan, accountId, accountName }: Zone): Promise<FoundZone> {
    const scope: Scope = { level: "zones", id };
    const [list, account] = await Promise.all([this.list(scope), this.account(accountId)]);
    const known = new Set(account.rulesets.map((ruleset) => ruleset.id));
    const own = list.filter((one) => one.kind === "zone" || (one.kind === "custom" && !known.has(one.id)));
    const found = await this.rulesets(own, (one) => this.zoneRuleset(scope, accountId, one));
    return { level: "zone", id, name, plan, accountId, accountName, ...found };
  }

  private async list(scope: Scope): Promise<readonly RulesetSummary[]> {
    return requireVisible(await this.client.rulesets.list(scope), scope);
  }

  /**
   * The executed rulesets that the zones do not contain, and everything read for them.
   * @param parts whether the lists of accounts are read too, with their items
   */
  async facts(zones: readonly ZoneResult<FoundZone>[], parts: { readonly lists: boolean }): Promise<Facts> {
    const read = zones.flatMap((zone) => ("value" in zone ? [zone.value] : []));
    const named = new Map(read.map(({ accountId, accountName }) => [accountId, accountName]));
    const accounts = await Promise.all(
      [...named].map(async ([id, name]) => {
        const [rulesets, lists] = await Promise.all([this.account(id), parts.lists ? this.lists(id) : {}]);
        return { level: "account" as const, id, name, ...rulesets, ...lists };
      }),
    );
    const managed = await Promise.all(
      findExecutedRulesets([...accounts, ...read]).map(({ id, scopes }) => this.managedRuleset(id, scopes)),
    );
    return {
      zones: read,
      accounts,
      managed: new Map(managed.flatMap((one) => ("ruleset" in one ? [[one.ruleset.id, one.ruleset] as const] : []))),
      unreadManaged: managed.flatMap((one) => ("reason" in one ? [one] : [])),
    };
  }

  /** A token limited to zones may not read the account's rulesets; the zones are still read. */
  private account(id: string): Promise<FoundRulesets> {
    if (id === "") return Promise.resolve(NO_ACCOUNT);
    return once(this.accounts, id, async () => {
      const scope: Scope = { level: "accounts", id };
      try {
        const list = await this.list(scope);
        return await this.rulesets(
          list.filter((ruleset) => isDeclarable(ruleset, scope)),
          (one) => this.client.rulesets.get(scope, one.id),
        );
      } catch (error) {
        const { reason: closed, isForbidden } = whyNot(error);
        return { rulesets: [], unread: [], closed, isForbidden };
      }
    });
  }

  /** The lists of an account with their items. */
  private async lists(id: string): Promise<Pick<FoundAccount, "lists" | "unreadLists">> {
    if (id === "") return {};
    try {
      const all = await this.client.lists.list(id);
      const unreadLists: UnreadPart[] = [];
      const lists = all.map((list) => this.limit(() => this.withItems(id, list, unreadLists)));
      return { lists: await Promise.all(lists), unreadLists };
    } catch (error) {
      return { unreadLists: [{ of: "lists", what: "its lists", ...whyNot(error) }] };
    }
  }

  private async withItems(accountId: string, list: RulesList, unread: UnreadPart[]): Promise<FoundList> {
    const { id, name, kind, size, references } = list;
    const found = { id, name, kind, size, references };
    const leave = (why: Pick<UnreadPart, "reason" | "isForbidden">): void => {
      unread.push({ of: "lists", what: `the items of the list ${name}`, ...why });
    };
    if (!isListKind(kind)) leave({ reason: `its kind ${JSON.stringify(kind)} is not known to this version` });
    else if (size > MOST_ITEMS)
      leave({ reason: `there are ${String(size)}, and at most ${String(MOST_ITEMS)} are read` });
    else if (size > 0) {
      try {
        const items = await this.client.lists.items(accountId, id, kind, size);
        return { ...found, items: mapFrom(items.map(({ key, details }) => [key, details] as const)) };
      } catch (error) {
        leave(whyNot(error, isForbidden));
      }
    }
    return found;
  }

  /** A custom ruleset may belong to the account, and then every zone of the account lists it. */
  private zoneRuleset(scope: Scope, accountId: string, { id, kind }: RulesetSummary): Promise<Ruleset> {
    const get = (): Promise<Ruleset> => this.client.rulesets.get(scope, id);
    return kind === "custom" ? once(this.shared, `${accountId}/${id}`, get) : get();
  }

  private async rulesets(
    list: readonly RulesetSummary[],
    get: (ruleset: RulesetSummary) => Promise<Ruleset>,
  ): Promise<FoundRulesets> {
    const unread: UnreadListedRuleset[] = [];
    const rulesets = await Promise.all(
      list.map((one) =>
        this.limit(async (): Promise<Ruleset[]> => {
          try {
            return [await get(one)];
          } catch (error) {
            const { id, phase, name } = one;
            unread.push({ id, phase, ruleset: name, ...whyNot(error, isForbidden) });
            return [];
          }
        }),
      ),
    );
    return { rulesets: rulesets.flat(), unread };
  }

  /** Managed rulesets are the same everywhere: read from the first zone or account that has access. */
  async managedRuleset(id: string, scopes: readonly Scope[]): Promise<ReadManaged> {
    let why = { reason: "" };
    for (const scope of scopes) {
      try {
        return { ruleset: await this.limit(() => this.client.rulesets.get(scope, id)) };
      } catch (error) {
        why = whyNot(error);
        // Another zone or account may have access.
        if (!isInaccessible(error)) break;
      }
    }
    return { id, ...why };
  }
}

function once<T>(known: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? ask();
  known.set(key, found);
  return found;
}

/** Why something could not be read: the first line of an expected failure. Anything else is a bug and is rethrown. */
function whyNot(error: unknown, is = isInaccessible): Pick<UnreadPart, "reason" | "isForbidden"> {
  if (!(error instanceof RulesetsError)) throw error;
  const reason = firstLineOf(error);
  return is(error) ? { reason, isForbidden: true } : { reason };
}
