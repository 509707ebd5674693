import type { Owner } from "../call.js";
import { refuse } from "../failure.js";
import type { Store } from "../store/store.js";
import { ownerText, type Ruleset } from "./model.js";
import { findPhase } from "./phases.js";
import type { StoredRulesets } from "./stored.js";

/**
 * The rulesets visible from a zone or an account: its own, Cloudflare's managed rulesets, and in a zone the custom rulesets of
 * its account.
 */
export class VisibleRulesets {
  constructor(
    private readonly store: Store,
    private readonly stored: StoredRulesets,
  ) {}

  list(owner: Owner): Ruleset[] {
    const account = this.accountOf(owner);
    return [
      ...this.stored.managed.all().map(({ ruleset }) => ruleset),
      ...(account === undefined ? [] : this.stored.in(account)),
      ...this.stored.in(owner),
    ].filter((ruleset) => isVisible(ruleset, owner));
  }

  find(owner: Owner, id: string): Ruleset | undefined {
    const account = this.accountOf(owner);
    const found =
      this.stored.managed.get(id)?.ruleset ??
      this.stored.find(owner, id) ??
      (account === undefined ? undefined : this.stored.find(account, id));
    return found !== undefined && isVisible(found, owner) ? found : undefined;
  }

  get(owner: Owner, id: string): Ruleset {
    const found = this.find(owner, id);
    if (found !== undefined) return found;
    throw refuse(404, 10003, `could not find ruleset ${id}`);
  }

  /** A ruleset that may be changed here. */
  getOwn(owner: Owner, id: string): Ruleset {
    const found = this.get(owner, id);
    if (found.kind === "managed") throw refuse(403, undefined, "managed rulesets cannot be modified");
    if (found.owner === ownerText(owner)) return found;
    throw refuse(404, 10003, `could not find ruleset ${id}`);
  }

  entrypoint(owner: Owner, phase: string): Ruleset {
    const found = this.stored.entrypoint(owner, phase);
    if (found !== undefined) return found;
    throw refuse(404, 10003, `could not find entrypoint ruleset in the ${phase} phase`);
  }

  /** The account of a zone. */
  accountOf(owner: Owner): Owner | undefined {
    const account = owner.level === "zones" ? this.store.zones.get("", owner.id)?.account : undefined;
    return account === undefined ? undefined : { level: "accounts", id: account.id };
  }
}

function isVisible(ruleset: Ruleset, owner: Owner): boolean {
  if (ruleset.owner === ownerText(owner)) return true;
  if (ruleset.kind === "managed") return owner.level === "accounts" || findPhase(ruleset.phase)?.zone === true;
  return ruleset.kind === "custom";
}
