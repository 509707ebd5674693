import { makeList, type List } from "../../core/language/index.js";
import {
  compileProgram,
  rulesetName,
  type Program,
  type RulePlace,
  type RulesetInput,
} from "../../core/simulator/index.js";
import type { Owner } from "../call.js";
import type { ListsService } from "../lists/service.js";
import type { Ruleset, StoredRule } from "../rulesets/model.js";
import type { StoredRulesets } from "../rulesets/stored.js";
import type { Store } from "../store/store.js";
import type { Zone } from "../zones/model.js";

interface Compiled {
  /** The rulesets with their versions: the program is reused as long as they do not change. */
  readonly key: string;
  readonly program: Program;
}

/** The rules that run for requests to a zone: those of its account and its own, in their newest versions. */
export class EdgeRules {
  private readonly compiled = new Map<string, Compiled>();

  constructor(
    private readonly store: Store,
    private readonly stored: StoredRulesets,
    private readonly listed: ListsService,
  ) {}

  /** Forgets what was compiled: after a reset, other rulesets have the same IDs and versions. */
  clear(): void {
    this.compiled.clear();
  }

  program(zone: Zone): Program {
    const rulesets = ownersOf(zone).flatMap((owner) => this.stored.in(owner));
    const key = rulesets.map(({ id, version }) => `${id}:${version}`).join();
    const known = this.compiled.get(zone.id);
    if (known?.key === key) return known.program;
    const program = compileProgram(rulesets.map((ruleset) => this.input(ruleset)));
    this.compiled.set(zone.id, { key, program });
    return program;
  }

  /** The lists of the zone's account, for expressions. */
  lists({ account }: Zone): (name: string) => List | undefined {
    return (name) => {
      const items = this.store.transact(() => this.listed.values(account.id, name));
      return items === undefined ? undefined : makeList(items);
    };
  }

  /** The redirect lists that rules of a program use. */
  redirectLists({ account }: Zone, { rulesets }: Program): Record<string, { readonly redirect: object }[]> {
    const names = rulesets.flatMap(({ rules }) =>
      rules.flatMap(({ effect }) => (effect.kind === "redirect-list" ? [effect.list] : [])),
    );
    const redirects = (name: string) => this.store.transact(() => this.listed.redirects(account.id, name));
    return Object.fromEntries(names.map((name) => [name, redirects(name)]));
  }

  /** A rule as written, by ID. */
  rule(zone: Zone, rulesetId: string, ruleId: string): StoredRule | undefined {
    const found = this.ruleset(zone, rulesetId);
    return found === undefined ? undefined : this.stored.newest(found).rules.find(({ id }) => id === ruleId);
  }

  /** A ruleset that may run for requests to the zone. */
  ruleset(zone: Zone, id: string): Ruleset | undefined {
    return (
      this.stored.managed.get(id)?.ruleset ??
      ownersOf(zone)
        .map((owner) => this.stored.find(owner, id))
        .find((found) => found !== undefined)
    );
  }

  /** The ruleset of a rule as messages name it. */
  rulesetName(zone: Zone, { ruleset: id = "", phase }: RulePlace): string {
    const found = this.ruleset(zone, id);
    if (found === undefined) return phase;
    const { rules: _rules, ...named } = this.input(found);
    return rulesetName({ ...named, owner: named.zoneId === undefined ? zone.account.name : zone.name });
  }

  private input(ruleset: Ruleset): RulesetInput {
    const { id, name, kind, phase, owner } = ruleset;
    const [level, ownerId = ""] = owner.split("/");
    const rules = this.stored.newest(ruleset).rules as unknown as RulesetInput["rules"];
    return { id, name, kind, phase, rules, ...(level === "zones" ? { zoneId: ownerId } : { accountId: ownerId }) };
  }
}

/** Whose rulesets may run for requests to a zone. */
export function ownersOf({ id, account }: Zone): Owner[] {
  return [
    { level: "accounts", id: account.id },
    { level: "zones", id },
  ];
}
