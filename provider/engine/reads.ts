import type { RulesetsClient } from "../client/index.js";
import type { Clock } from "../http/index.js";
import { entrypointKind, phaseResourceId, rulesetResourceId, scopeText, type Scope } from "../model/ids.js";
import type { Ruleset, RulesetSummary } from "../model/ruleset.js";

/** How long a cached response is valid, counted from its arrival. */
export const FRESH_MS = 30_000;
/**
 * How long a list is valid for the refresh that requested it: at the usual request rate, long enough to list each of
 * 2,400 scopes.
 */
const REFRESH_MS = 600_000;

interface Kept<T> {
  /** When the response arrived; undefined while it is pending. */
  at: number | undefined;
  value: Promise<T>;
}

/** Reads of this run, cached for thirty seconds, so that a check and the write after it share one request. */
export class Reads {
  private readonly lists = new Map<string, Kept<readonly RulesetSummary[]>>();
  private readonly rulesets = new Map<string, Kept<Ruleset | undefined>>();

  constructor(
    private readonly client: () => RulesetsClient,
    private readonly clock: Pick<Clock, "now">,
  ) {}

  /** Every ruleset of a scope, requested once however many resources are in it. */
  list(scope: Scope): Promise<readonly RulesetSummary[]> {
    return this.listWithin(scope, FRESH_MS);
  }

  /** The same for a refresh, which reuses a list for as long as the whole refresh may take. */
  listOfRefresh(scope: Scope): Promise<readonly RulesetSummary[]> {
    return this.listWithin(scope, REFRESH_MS);
  }

  /**
   * The same as read at any time in this run: for a value that is read again before a write, or where the service
   * rejects a write based on an outdated value.
   */
  listOfRun(scope: Scope): Promise<readonly RulesetSummary[]> {
    return this.listWithin(scope, Infinity);
  }

  byId(scope: Scope, id: string): Promise<Ruleset | undefined> {
    return this.keep(this.rulesets, rulesetResourceId(scope, id), () => this.client().find(scope, id));
  }

  /** The entry point of a phase: looked up in the list if there is one, otherwise by the path of the phase. */
  async entrypoint(scope: Scope, phase: string): Promise<Ruleset | undefined> {
    const list = this.fresh(this.lists, scopeText(scope));
    if (list !== undefined && this.fresh(this.rulesets, phaseResourceId(scope, phase)) === undefined) {
      const kind = entrypointKind(scope);
      const found = (await list).find((ruleset) => ruleset.phase === phase && ruleset.kind === kind);
      return found === undefined ? undefined : this.byId(scope, found.id);
    }
    return this.keep(this.rulesets, phaseResourceId(scope, phase), () => this.client().findEntrypoint(scope, phase));
  }

  /** Replaces a cached ruleset with a response of the service. */
  store(scope: Scope, ruleset: Ruleset): void {
    const kept: Kept<Ruleset> = { at: this.clock.now(), value: Promise.resolve(ruleset) };
    put(this.rulesets, rulesetResourceId(scope, ruleset.id), kept);
    if (ruleset.kind !== "custom") put(this.rulesets, phaseResourceId(scope, ruleset.phase), kept);
    this.dropOutdated();
    const list = this.lists.get(scopeText(scope));
    if (list === undefined) return;
    const { rules: _rules, ...summary } = ruleset;
    list.value = list.value.then((all) => [...all.filter(({ id }) => id !== summary.id), summary]);
    dropOnFailure(this.lists, scopeText(scope), list);
  }

  forget(scope: Scope, phase: string, id: string | undefined): void {
    this.rulesets.delete(phaseResourceId(scope, phase));
    this.lists.delete(scopeText(scope));
    if (id !== undefined) this.rulesets.delete(rulesetResourceId(scope, id));
  }

  private listWithin(scope: Scope, ms: number): Promise<readonly RulesetSummary[]> {
    return this.keep(this.lists, scopeText(scope), () => this.client().list(scope), ms);
  }

  private fresh<T>(store: Map<string, Kept<T>>, key: string, ms = FRESH_MS): Promise<T> | undefined {
    const kept = store.get(key);
    if (kept === undefined) return undefined;
    return kept.at === undefined || this.clock.now() - kept.at < ms ? kept.value : undefined;
  }

  private keep<T>(store: Map<string, Kept<T>>, key: string, ask: () => Promise<T>, ms = FRESH_MS): Promise<T> {
    const fresh = this.fresh(store, key, ms);
    if (fresh !== undefined) return fresh;
    const kept: Kept<T> = { at: undefined, value: ask() };
    put(store, key, kept);
    this.dropOutdated();
    const date = (): void => {
      kept.at = this.clock.now();
    };
    kept.value.then(date, date);
    dropOnFailure(store, key, kept);
    return kept.value;
  }

  /** Drops rulesets that are no longer valid, so that a long run keeps no more of them than it reads in thirty seconds. */
  private dropOutdated(): void {
    for (const [key, { at }] of this.rulesets) {
      if (at === undefined || this.clock.now() - at < FRESH_MS) return;
      this.rulesets.delete(key);
    }
  }
}

/** Stores the newest entry last. */
function put<T>(store: Map<string, Kept<T>>, key: string, kept: Kept<T>): void {
  store.delete(key);
  store.set(key, kept);
}

/** A failure is not cached, so the next caller sends a new request. */
function dropOnFailure<T>(store: Map<string, Kept<T>>, key: string, kept: Kept<T>): void {
  kept.value.catch(() => {
    if (store.get(key) === kept) store.delete(key);
  });
}
