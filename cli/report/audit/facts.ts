import type { Ruleset, Scope } from "../../../provider/client/index.js";
import { shortRulesetId } from "../../../provider/model/ids.js";

/** A ruleset that is listed and could not be read, and why. */
export interface Unread {
  readonly id: string;
  readonly phase: string;
  /** Its name. */
  readonly ruleset: string;
  readonly reason: string;
}

/** Entry points and custom rulesets of a zone or an account. */
export interface FoundRulesets {
  readonly rulesets: readonly Ruleset[];
  readonly unread: readonly Unread[];
  /** Why nothing of it could be read. */
  readonly closed?: string;
  /** Whether that is for want of permission. */
  readonly isForbidden?: boolean;
}

export interface FoundZone extends FoundRulesets {
  readonly level: "zone";
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  /** Empty when the service does not tell. */
  readonly accountName: string;
  /** `free`, `pro`, `business` or `enterprise`; empty when the service does not tell. */
  readonly plan: string;
}

export interface FoundAccount extends FoundRulesets {
  readonly level: "account";
  readonly id: string;
  /** Empty when the service does not tell. */
  readonly name: string;
}

/** Everything that was read for a report. */
export interface Facts {
  readonly zones: readonly FoundZone[];
  readonly accounts: readonly FoundAccount[];
  /** The vendor's rulesets that rules execute, by ID. */
  readonly managed: ReadonlyMap<string, Ruleset>;
  readonly unreadManaged: readonly { readonly id: string; readonly reason: string }[];
}

/** Rulesets of others that rules execute, and where each can be read: in an account, else in one of its zones. */
export function executedIds(
  found: readonly (FoundAccount | FoundZone)[],
): { readonly id: string; readonly scopes: readonly Scope[] }[] {
  const own = new Set(found.flatMap(({ rulesets, unread }) => [...rulesets, ...unread].map(({ id }) => id)));
  const closed = new Set(found.flatMap(({ id, closed: reason }) => (reason === undefined ? [] : [id])));
  const scopes = new Map<string, Map<string, Scope>>();
  for (const one of found) {
    for (const id of one.rulesets.flatMap(({ rules }) => executedIn(rules))) {
      if (own.has(id)) continue;
      const accountId = one.level === "zone" ? one.accountId : one.id;
      const known = scopes.get(id) ?? new Map<string, Scope>();
      const here: Scope = closed.has(accountId) ? { level: "zones", id: one.id } : { level: "accounts", id: accountId };
      if (!known.has(accountId)) known.set(accountId, here);
      scopes.set(id, known);
    }
  }
  return [...scopes].map(([id, known]) => ({ id, scopes: [...known.values()] }));
}

/** Ids of the rulesets that rules execute. */
export function executedIn(rules: Ruleset["rules"]): string[] {
  return rules.flatMap(({ action, actionParameters }) =>
    action === "execute" && actionParameters?.id !== undefined ? [shortRulesetId(actionParameters.id)] : [],
  );
}
