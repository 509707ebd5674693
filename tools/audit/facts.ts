import type { Ruleset, Scope } from "../../client/index.js";
import type { Items } from "../../core/lists/item.js";
import { shortRulesetId } from "../../core/model/ids.js";
import type { Unread } from "../../core/model/unread.js";
import type { UnreadPart } from "./report.js";

/** A ruleset that could not be read, and why. */
export interface UnreadRuleset extends Unread {
  readonly id: string;
  readonly reason: string;
}

/** A listed ruleset that could not be read. */
export interface UnreadListedRuleset extends UnreadRuleset {
  readonly phase: string;
  /** Its name. */
  readonly ruleset: string;
}

/** Entry points and custom rulesets of a zone or an account. */
export interface FoundRulesets extends Unread {
  readonly rulesets: readonly Ruleset[];
  readonly unread: readonly UnreadListedRuleset[];
  /** Why none of it could be read. */
  readonly closed?: string;
}

export interface FoundZone extends FoundRulesets {
  readonly level: "zone";
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  /** Empty if the service does not return it. */
  readonly accountName: string;
  /** `free`, `pro`, `business` or `enterprise`; empty if the service does not return it. */
  readonly plan: string;
}

/** A list of an account. */
export interface FoundList {
  readonly id: string;
  readonly name: string;
  /** A `ListKind`, or one that this version does not know. */
  readonly kind: string;
  readonly size: number;
  /** How many filters and rulesets the service says refer to it. */
  readonly references: number;
  /** Missing if they were not read. */
  readonly items?: Items;
}

export interface FoundAccount extends FoundRulesets {
  readonly level: "account";
  readonly id: string;
  /** Empty if the service does not return it. */
  readonly name: string;
  /** Missing if they were not read. */
  readonly lists?: readonly FoundList[];
  readonly unreadLists?: readonly UnreadPart[];
}

/** Everything that was read for a report. */
export interface Facts {
  readonly zones: readonly FoundZone[];
  readonly accounts: readonly FoundAccount[];
  /** Cloudflare's managed rulesets that rules execute, by ID. */
  readonly managed: ReadonlyMap<string, Ruleset>;
  readonly unreadManaged: readonly UnreadRuleset[];
}

/**
 * IDs of rulesets that rules execute but no list contains, and where each can be read: in an account, otherwise in one of its
 * zones.
 */
export function findExecutedRulesets(
  found: readonly (FoundAccount | FoundZone)[],
): { readonly id: string; readonly scopes: readonly Scope[] }[] {
  const own = new Set(found.flatMap(({ rulesets, unread }) => [...rulesets, ...unread].map(({ id }) => id)));
  const closed = new Set(found.flatMap(({ id, closed: reason }) => (reason === undefined ? [] : [id])));
  const scopes = new Map<string, Map<string, Scope>>();
  for (const one of found) {
    for (const id of one.rulesets.flatMap(({ rules }) => executedRulesetIds(rules))) {
      if (own.has(id)) continue;
      const accountId = one.level === "zone" ? one.accountId : one.id;
      const known = scopes.get(id) ?? new Map<string, Scope>();
      const readableScope: Scope = closed.has(accountId)
        ? { level: "zones", id: one.id }
        : { level: "accounts", id: accountId };
      if (!known.has(accountId)) known.set(accountId, readableScope);
      scopes.set(id, known);
    }
  }
  return [...scopes].map(([id, known]) => ({ id, scopes: [...known.values()] }));
}

/** IDs of the rulesets that rules execute. */
export function executedRulesetIds(rules: Ruleset["rules"]): string[] {
  return rules.flatMap(({ action, actionParameters }) =>
    action === "execute" && actionParameters?.id !== undefined ? [shortRulesetId(actionParameters.id)] : [],
  );
}
