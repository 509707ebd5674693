import { scopeText, type Scope } from "../model/ids.js";
import type { RulesetSummary } from "../model/ruleset.js";
import type { Session } from "./session.js";

/** How long the first caller in a run waits for others: an engine refreshes many resources concurrently. */
const GATHER_MS = 25;

/** The version of a ruleset in the state. */
export interface RecordedVersion {
  readonly rulesetId: string;
  readonly version: string;
}

type ListOf = (scope: Scope) => Promise<readonly RulesetSummary[]>;

/**
 * The lists that a refresh reads instead of single rulesets. One list contains the version of every ruleset of a scope,
 * which identifies all unchanged rulesets of a stack; but for a changed ruleset that is the only one of its scope, the
 * list costs one extra request. A refresh is not told what else the stack contains, so it learns from what is requested
 * and from the responses.
 */
export class RefreshLists {
  /** By scope, how many rulesets were requested. */
  private readonly askers = new Map<string, number>();
  /** Scopes whose list could not be read. */
  private readonly unlisted = new Set<string>();
  /** Whether several rulesets of one scope were requested: the next scope is then likely to have several too. */
  private sharing = false;
  /** Whether lists pay where only one ruleset of each scope was requested; undefined before the first response. */
  private paying: boolean | undefined;
  private gathering: Promise<void> | undefined;
  private first: Promise<unknown> | undefined;

  constructor(private readonly listOf: ListOf) {}

  /**
   * Whether the list of the scope shows the ruleset in the same version as the state. Also false when reading the
   * ruleset itself is as cheap.
   */
  async isUnchanged(scope: Scope, recorded: RecordedVersion): Promise<boolean> {
    const key = scopeText(scope);
    this.askers.set(key, this.askersOf(key) + 1);
    this.sharing ||= this.askersOf(key) > 1;
    if (!this.sharing) await (this.gathering ??= gather());
    if (!this.hasDecided()) {
      // A single scope in the run: read the ruleset itself.
      if (this.askers.size === 1) return false;
      // Wait for the first comparison, which decides how to read the others.
      if (this.first !== undefined) await this.first;
    }
    if (!(this.sharing || this.paying !== false) || this.unlisted.has(key)) return false;
    const response = this.compare(scope, key, recorded);
    this.first ??= response;
    return response;
  }

  /** Records whether a ruleset that was read itself had changed. */
  learn(changed: boolean): void {
    this.paying ??= !changed;
  }

  private hasDecided(): boolean {
    return this.sharing || this.paying !== undefined;
  }

  private askersOf(key: string): number {
    return this.askers.get(key) ?? 0;
  }

  private async compare(scope: Scope, key: string, { rulesetId, version }: RecordedVersion): Promise<boolean> {
    const list = await this.listOf(scope).catch(() => undefined);
    if (list === undefined) this.unlisted.add(key);
    const unchanged = list?.find(({ id }) => id === rulesetId)?.version === version;
    // A list that did not help has cost one request more than reading the ruleset.
    if (!unchanged && this.askersOf(key) === 1) this.paying = false;
    else this.paying ??= true;
    return unchanged;
  }
}

/**
 * Waits a moment, then one more turn of the event loop: a busy process has not yet seen the calls that arrived
 * meanwhile.
 */
async function gather(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
  await new Promise((resolve) => setImmediate(resolve));
}

/** The refresh lists of a run. */
export function refreshLists({ reads }: Session): RefreshLists {
  return new RefreshLists((scope) => reads.listOfRefresh(scope));
}
