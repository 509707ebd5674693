import type { RulesetsClient } from "../client/index.js";
import type { Clock } from "../http/index.js";
import { phaseResourceId, rulesetResourceId, scopeText, type Scope } from "../model/ids.js";
import type { Ruleset, RulesetSummary } from "../model/ruleset.js";

/** How long an answer serves for the write that follows it. */
const FRESH_MS = 30_000;
/** How long the first who asks for a scope waits for others, until one scope has shown that rulesets share theirs. */
const GATHER_MS = 25;

interface Kept<T> {
  readonly at: number;
  readonly value: Promise<T>;
}

/** Reads of this run, kept for thirty seconds, so that a check and the write after it ask once. */
export class Reads {
  private readonly lists = new Map<string, Kept<readonly RulesetSummary[]>>();
  private readonly rulesets = new Map<string, Kept<Ruleset | undefined>>();
  /** By scope, how many have asked for the list to share. */
  private readonly askers = new Map<string, number>();
  /** Whether several rulesets of one scope were wanted in this run: then it is so in the next scope, most likely. */
  private sharing = false;

  constructor(
    private readonly client: () => RulesetsClient,
    private readonly clock: Pick<Clock, "now">,
  ) {}

  /** Every ruleset of a scope, asked for once however many resources live there. */
  list(scope: Scope): Promise<readonly RulesetSummary[]> {
    return this.keep(this.lists, scopeText(scope), () => this.client().list(scope));
  }

  /**
   * The list of a scope, where several rulesets of it are wanted: their versions tell which of them changed. Undefined for a
   * single one, which is cheaper to read itself, and where the list cannot be read. An engine that refreshes asks for
   * the rulesets of a zone within moments of one another.
   */
  async listToShare(scope: Scope): Promise<readonly RulesetSummary[] | undefined> {
    const key = scopeText(scope);
    const count = (): number => this.askers.get(key) ?? 0;
    this.askers.set(key, count() + 1);
    if (!this.sharing && count() === 1) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    this.sharing ||= count() > 1;
    return this.sharing ? this.list(scope).catch(() => undefined) : undefined;
  }

  byId(scope: Scope, id: string): Promise<Ruleset | undefined> {
    return this.keep(this.rulesets, rulesetResourceId(scope, id), () => this.client().find(scope, id));
  }

  /** The entry point of a phase: through the list when there is one, else by the phase's own path. */
  async entrypoint(scope: Scope, phase: string): Promise<Ruleset | undefined> {
    const list = this.fresh(this.lists, scopeText(scope));
    if (list !== undefined && this.fresh(this.rulesets, phaseResourceId(scope, phase)) === undefined) {
      const kind = scope.level === "zones" ? "zone" : "root";
      const found = (await list).find((ruleset) => ruleset.phase === phase && ruleset.kind === kind);
      return found === undefined ? undefined : this.byId(scope, found.id);
    }
    return this.keep(this.rulesets, phaseResourceId(scope, phase), () => this.client().findEntrypoint(scope, phase));
  }

  /** Replaces what is known of a ruleset by an answer of the service. */
  learn(scope: Scope, ruleset: Ruleset): void {
    const kept = { at: this.clock.now(), value: Promise.resolve(ruleset) };
    this.rulesets.set(rulesetResourceId(scope, ruleset.id), kept);
    if (ruleset.kind !== "custom") this.rulesets.set(phaseResourceId(scope, ruleset.phase), kept);
    const list = this.lists.get(scopeText(scope));
    if (list === undefined) return;
    const value = list.value.then((all) => [...all.filter(({ id }) => id !== ruleset.id), ruleset]);
    value.catch(() => this.lists.delete(scopeText(scope)));
    this.lists.set(scopeText(scope), { ...list, value });
  }

  forget(scope: Scope, phase: string, id: string | undefined): void {
    this.rulesets.delete(phaseResourceId(scope, phase));
    this.lists.delete(scopeText(scope));
    if (id !== undefined) this.rulesets.delete(rulesetResourceId(scope, id));
  }

  private fresh<T>(store: Map<string, Kept<T>>, key: string): Promise<T> | undefined {
    const kept = store.get(key);
    return kept !== undefined && this.clock.now() - kept.at < FRESH_MS ? kept.value : undefined;
  }

  private keep<T>(store: Map<string, Kept<T>>, key: string, ask: () => Promise<T>): Promise<T> {
    const fresh = this.fresh(store, key);
    if (fresh !== undefined) return fresh;
    const value = ask();
    store.set(key, { at: this.clock.now(), value });
    value.catch(() => store.delete(key));
    return value;
  }
}
