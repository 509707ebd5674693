import { existsSync } from "node:fs";
import type { Ruleset } from "../client/index.js";
import { readUserText } from "../files/read-file.js";
import { LOCK_FILE, parseLock, type ManagedLock } from "../managed/lock.js";
import { scopeText, type Scope } from "../model/ids.js";
import type { Session } from "./session.js";

interface Reading {
  readonly scope: string;
  readonly ruleset: Promise<Ruleset>;
}

/** The lock file of managed rules, and the managed rulesets themselves, each read once in a run. */
export class ManagedLockOfRun {
  private readonly rulesets = new Map<string, Reading>();
  #lock?: { readonly lock: ManagedLock | undefined };

  constructor(private readonly session: Session) {}

  /**
   * The file beside the program; undefined if there is none.
   * @throws Error that says what is wrong with it
   */
  get lock(): ManagedLock | undefined {
    this.#lock ??= { lock: existsSync(LOCK_FILE) ? parseLock(readUserText(LOCK_FILE), LOCK_FILE) : undefined };
    return this.#lock.lock;
  }

  /** A managed ruleset is the same everywhere: read from the first scope that has access. */
  async ruleset(scope: Scope, id: string): Promise<Ruleset> {
    const known = this.rulesets.get(id);
    const here = scopeText(scope);
    if (known !== undefined) {
      try {
        return await known.ruleset;
      } catch (error) {
        // Another zone or account may have access.
        if (known.scope === here) throw error;
      }
    }
    const ruleset = this.session.client.rulesets.get(scope, id);
    this.rulesets.set(id, { scope: here, ruleset });
    return ruleset;
  }
}

export const managedLockOfRun = (session: Session): ManagedLockOfRun => new ManagedLockOfRun(session);
