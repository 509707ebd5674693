import type { Clock } from "../http/clock.js";
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
 * list costs one extra request. The engine tells a refresh nothing about the stack: without `--run-program` there is no
 * resource monitor to read the state from, and with it, the engine reads a ruleset before it checks one, which is how the
 * monitor's address arrives. So this learns from what is requested and from the responses:
 *
 * - A scope that several rulesets are requested of is listed, and from then on every scope is.
 * - Until then, scopes are listed as long as no more rulesets had changed than not.
 * - A ruleset that is requested alone is read itself.
 *
 * So where nothing changed, there is one request for each scope, plus one if the first ruleset was requested alone and
 * shares its scope. That one cannot be avoided: for a single ruleset that changed, the list would be the extra request,
 * and nothing tells the two apart. For the same reason each change, and each ruleset requested at the same moment as the
 * first one, may cost one more request: a list that shows a single ruleset to have changed, or the list of a scope whose
 * first ruleset was read itself.
 */
export class RefreshLists {
  /** By scope, how many rulesets were requested. */
  private readonly askers = new Map<string, number>();
  /** Scopes whose list could not be read. */
  private readonly unlisted = new Set<string>();
  /** IDs of rulesets that a list showed to have changed. */
  private readonly changed = new Set<string>();
  /** Whether several rulesets of one scope were requested: others are then likely to share their scopes too. */
  private sharing = false;
  /** Rulesets that had not changed, less those that had, while none shared its scope. */
  private balance = 0;
  private gathering: Promise<void> | undefined;
  /** The first comparison, which decides how to read the others. */
  private first: Promise<boolean> | undefined;

  constructor(
    private readonly listOf: ListOf,
    private readonly clock: Pick<Clock, "sleep">,
  ) {}

  /**
   * Whether the list of the scope shows the ruleset in the same version as the state. Also false when the ruleset itself
   * should be read.
   */
  async isUnchanged(scope: Scope, recorded: RecordedVersion): Promise<boolean> {
    const key = scopeText(scope);
    this.askers.set(key, this.askersOf(key) + 1);
    this.sharing ||= this.askersOf(key) > 1;
    if (!this.sharing) await (this.gathering ??= this.gather());
    if (!this.sharing) {
      if (this.askers.size === 1) return false;
      if (this.first !== undefined) await this.first;
    }
    if (!(this.sharing || this.balance >= 0) || this.unlisted.has(key)) return false;
    const response = this.compare(scope, key, recorded);
    this.first ??= response;
    return response;
  }

  /** Records whether a ruleset that was read itself had changed. */
  learn({ rulesetId }: RecordedVersion, changed: boolean): void {
    if (!this.changed.has(rulesetId)) this.balance += changed ? -1 : 1;
  }

  private askersOf(key: string): number {
    return this.askers.get(key) ?? 0;
  }

  private async compare(scope: Scope, key: string, { rulesetId, version }: RecordedVersion): Promise<boolean> {
    const list = await this.listOf(scope).catch(() => undefined);
    const unchanged = list?.find(({ id }) => id === rulesetId)?.version === version;
    if (!unchanged) this.changed.add(rulesetId);
    this.balance += unchanged ? 1 : -1;
    if (list === undefined) {
      this.unlisted.add(key);
      // Probably no list can be read.
      this.balance = -Infinity;
    }
    return unchanged;
  }

  /** Waits, then one more turn of the event loop: a busy process has not yet seen the calls that arrived meanwhile. */
  private async gather(): Promise<void> {
    await this.clock.sleep(GATHER_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The refresh lists of a run. */
export function refreshLists({ reads, clock }: Session): RefreshLists {
  return new RefreshLists((scope) => reads.listOfRefresh(scope), clock);
}
