import type { RulesetsClient } from "../../../client/index.js";
import type { Clock } from "../../../client/http/index.js";
import { entrypointKind, phaseResourceId, rulesetResourceId, scopeText, type Scope } from "../../../core/model/ids.js";
import type { Ruleset, RulesetSummary } from "../../../core/model/ruleset.js";
import { Responses } from "./responses.js";

/**
 * How long a list is valid for the refresh that requested it: at the usual request rate, long enough to list each of
 * 2,400 scopes.
 */
const REFRESH_MS = 600_000;

/** The version of a ruleset in the state. */
interface RecordedVersion {
  readonly rulesetId: string;
  readonly version: string;
}

/** Rulesets read in this run, cached for thirty seconds, so that a check and the write after it share one request. */
export class RulesetReads {
  private readonly lists: Responses<readonly RulesetSummary[]>;
  private readonly rulesets: Responses<Ruleset | undefined>;
  /** Managed rulesets by ID, and where each was asked for last. */
  private readonly managedOnes = new Map<string, { readonly scope: string; readonly ruleset: Promise<Ruleset> }>();
  /** Whether a refresh could not read a list: probably none can be read. */
  private unlisted = false;

  constructor(
    private readonly client: () => RulesetsClient,
    clock: Pick<Clock, "now">,
  ) {
    this.lists = new Responses(clock);
    this.rulesets = new Responses(clock);
  }

  /** Every ruleset of a scope, requested once however many resources are in it. */
  list(scope: Scope, ms?: number): Promise<readonly RulesetSummary[]> {
    return this.lists.read(scopeText(scope), () => this.client().list(scope), ms);
  }

  /**
   * The same as read at any time in this run: for a value that is read again before a write, or where the service
   * rejects a write based on an outdated value.
   */
  listOfRun(scope: Scope): Promise<readonly RulesetSummary[]> {
    return this.list(scope, Infinity);
  }

  /**
   * Whether the list of a scope shows the ruleset in the same version as the state. One list identifies all unchanged
   * rulesets of a scope, so a refresh reads only those that changed, or every one where it cannot read the list.
   */
  async isUnchanged(scope: Scope, { rulesetId, version }: RecordedVersion): Promise<boolean> {
    if (this.unlisted) return false;
    try {
      const list = await this.list(scope, REFRESH_MS);
      return list.find(({ id }) => id === rulesetId)?.version === version;
    } catch {
      this.unlisted = true;
      return false;
    }
  }

  byId(scope: Scope, id: string): Promise<Ruleset | undefined> {
    return this.ruleset(rulesetResourceId(scope, id), () => this.client().find(scope, id));
  }

  /** A managed ruleset, which is the same everywhere: read once in a run, in the first scope that has access. */
  async managed(scope: Scope, id: string): Promise<Ruleset> {
    const known = this.managedOnes.get(id);
    const here = scopeText(scope);
    if (known?.scope === here) return known.ruleset;
    const elsewhere = await known?.ruleset.catch(() => undefined);
    if (elsewhere !== undefined) return elsewhere;
    const ruleset = this.client().get(scope, id);
    this.managedOnes.set(id, { scope: here, ruleset });
    return ruleset;
  }

  /**
   * The entry point of a phase: looked up in the list if there is one, otherwise by the path of the phase. A list shows what the
   * credentials may read, so only the path shows that there is none.
   */
  async entrypoint(scope: Scope, phase: string): Promise<Ruleset | undefined> {
    const key = phaseResourceId(scope, phase);
    const list = this.rulesets.find(key) === undefined ? await this.lists.find(scopeText(scope)) : undefined;
    const kind = entrypointKind(scope);
    const found = list?.find((ruleset) => ruleset.phase === phase && ruleset.kind === kind);
    if (found !== undefined) return this.byId(scope, found.id);
    return this.ruleset(key, () => this.client().findEntrypoint(scope, phase));
  }

  /** Replaces a cached ruleset with a response of the service. */
  store(scope: Scope, ruleset: Ruleset): void {
    this.rulesets.store(rulesetResourceId(scope, ruleset.id), ruleset);
    if (ruleset.kind !== "custom") this.rulesets.store(phaseResourceId(scope, ruleset.phase), ruleset);
    this.rulesets.dropOutdated();
    const { rules: _rules, ...summary } = ruleset;
    this.lists.change(scopeText(scope), (all) => [...all.filter(({ id }) => id !== summary.id), summary]);
  }

  forget(scope: Scope, phase: string, id: string | undefined): void {
    this.rulesets.forget(phaseResourceId(scope, phase));
    this.lists.forget(scopeText(scope));
    if (id !== undefined) this.rulesets.forget(rulesetResourceId(scope, id));
  }

  private ruleset(key: string, ask: () => Promise<Ruleset | undefined>): Promise<Ruleset | undefined> {
    const ruleset = this.rulesets.read(key, ask);
    this.rulesets.dropOutdated();
    return ruleset;
  }
}
