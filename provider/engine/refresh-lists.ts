import { scopeText, type Scope } from "../model/ids.js";
import type { RulesetSummary } from "../model/ruleset.js";
import type { Session } from "./session.js";

/** How long the first who asks in a run waits for others: an engine asks for many resources at once. */
const GATHER_MS = 25;

/** A ruleset as the state has it. */
export interface SeenVersion {
  readonly rulesetId: string;
  readonly version: string;
}

type ListOf = (scope: Scope) => Promise<readonly RulesetSummary[]>;

/**
 * The lists that a refresh asks for in place of rulesets. One list names the version of every ruleset of a scope, which tells
 * the unchanged ones of a stack; a ruleset that is the only one of its scope, and has changed, would cost one request more.
 * Nobody tells a refresh what else is in the stack, so it learns from what it is asked for and from the answers.
 */
export class RefreshLists {
  /** By scope, how many rulesets were asked for. */
  private readonly askers = new Map<string, number>();
  /** Scopes of which there is no list. */
  private readonly unlisted = new Set<string>();
  /** Whether several rulesets of one scope were asked for: then it is so in the next scope, most likely. */
  private sharing = false;
  /** Whether lists are worth it where only one ruleset of each scope has been asked for; undefined before the first answer. */
  private paying: boolean | undefined;
  private gathering: Promise<void> | undefined;
  private first: Promise<unknown> | undefined;

  constructor(private readonly listOf: ListOf) {}

  /** Whether the list of the scope shows the ruleset in the version of the state; false too where reading it is as cheap. */
  async isUnchanged(scope: Scope, seen: SeenVersion): Promise<boolean> {
    const key = scopeText(scope);
    this.askers.set(key, this.askersOf(key) + 1);
    this.sharing ||= this.askersOf(key) > 1;
    if (!this.sharing) await (this.gathering ??= gather());
    if (!this.knowsBest()) {
      // One that is alone in the run is read itself.
      if (this.askers.size === 1) return false;
      // The answer to one question tells how to ask the others.
      if (this.first !== undefined) await this.first;
    }
    if (!(this.sharing || this.paying !== false) || this.unlisted.has(key)) return false;
    const answer = this.compare(scope, key, seen);
    this.first ??= answer;
    return answer;
  }

  /** Takes in what reading a ruleset itself told: whether it had changed. */
  learn(changed: boolean): void {
    this.paying ??= !changed;
  }

  private knowsBest(): boolean {
    return this.sharing || this.paying !== undefined;
  }

  private askersOf(key: string): number {
    return this.askers.get(key) ?? 0;
  }

  private async compare(scope: Scope, key: string, { rulesetId, version }: SeenVersion): Promise<boolean> {
    const list = await this.listOf(scope).catch(() => undefined);
    if (list === undefined) this.unlisted.add(key);
    const unchanged = list?.find(({ id }) => id === rulesetId)?.version === version;
    // A list that told nothing has cost one request more than reading the ruleset.
    if (!unchanged && this.askersOf(key) === 1) this.paying = false;
    else this.paying ??= true;
    return unchanged;
  }
}

/** A moment, and then one turn more: a process that was busy has not looked yet at what has come meanwhile. */
async function gather(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
  await new Promise((resolve) => setImmediate(resolve));
}

/** Those of a run. */
export function refreshLists({ reads }: Session): RefreshLists {
  return new RefreshLists((scope) => reads.listOfRefresh(scope));
}
