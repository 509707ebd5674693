import type { ClaimsOfRun } from "../../engine/claims.js";
import type { DeployedRule } from "../../model/ruleset.js";
import type { Removal } from "../../ownership/removal.js";
import type { RulesetState } from "./description.js";
import { ruleKeysIn } from "./desired.js";
import type { HeldRule } from "./run-record.js";

/** A rule at the service. Resources of a program claim it by its ref, by its ID, or by both. */
type NamedRule = Pick<DeployedRule, "id" | "ref">;

/** The resource that asks. */
interface Asker {
  readonly urn: string | undefined;
}

/**
 * Who owns the rules of one ruleset, as far as this run knows: what the program claims, and what resources had that this run
 * changes or deletes. What nobody claims belongs to the resource whose state has it. Pure.
 */
export class Owners {
  constructor(
    /** The keys of the ruleset within the run. */
    private readonly rulesets: readonly string[],
    private readonly claims: ClaimsOfRun,
    /** By ID, rules of resources that this run changes or deletes. */
    private readonly held: ReadonlyMap<string, HeldRule>,
  ) {}

  private keysOf({ id, ref }: NamedRule): readonly string[] {
    return ruleKeysIn(this.rulesets, [id, ref]);
  }

  /** Another resource of the program that declares a rule. */
  claimantOf(rule: NamedRule, { urn }: Asker): string | undefined {
    return this.claims.other(this.keysOf(rule), urn);
  }

  /** The resource because of which a delete must leave a rule: another one, or the one that asks if the program declares it again. */
  keeperOf(rule: NamedRule, { urn }: Asker): string | undefined {
    return this.claims.keeper(this.keysOf(rule), urn);
  }

  /** Whether the resource that asks had a rule before this run creates it again. */
  wasMine({ id }: Pick<NamedRule, "id">, { urn }: Asker): boolean {
    return urn !== undefined && this.held.get(id)?.urn === urn;
  }

  /** A rule that another resource of the program had before this run, and that the program no longer declares there. */
  releasedRule(rule: NamedRule, asker: Asker): HeldRule | undefined {
    const held = this.held.get(rule.id);
    return held === undefined || held.urn === asker.urn || this.claimantOf(rule, asker) !== undefined
      ? undefined
      : held;
  }

  /** A resource that had every rule of the ruleset before this run, alone or with others. */
  previousHolder(rules: readonly Pick<NamedRule, "id">[]): string | undefined {
    const urns = rules.map(({ id }) => this.held.get(id)?.urn);
    return urns.includes(undefined) ? undefined : urns[0];
  }

  /** Leaves out of a removal what other resources of the program have. */
  withoutReleased(removal: Removal, asker: Asker): Removal {
    const released = removal.removed.flatMap((rule) => {
      const to = this.claimantOf(rule, asker);
      return to === undefined ? [] : [{ rule, to }];
    });
    if (released.length === 0) return removal;
    const staying = new Set(released.map(({ rule }) => rule));
    return { ...removal, removed: removal.removed.filter((rule) => !staying.has(rule)), released };
  }

  /** Another resource of the program that claims the whole ruleset. */
  otherHolder({ urn }: Asker): string | undefined {
    return this.claims.other(this.rulesets, urn);
  }

  /** Whether other resources of the program claim the ruleset or rules of it. */
  hasOthers({ urn }: Asker): boolean {
    return this.claims.other(this.rulesets, urn, "any") !== undefined;
  }

  /**
   * The resource because of which a delete of the whole ruleset must keep it: one that claims it, or one that shares it if all that
   * share it have every rule. The one that asks if it is created again.
   */
  keeperOfWhole(rules: readonly NamedRule[], asker: Asker): string | undefined {
    const isShared = this.claims.has(this.rulesets, asker.urn, "parts");
    const isGone = isShared || rules.every((rule) => this.claimantOf(rule, asker) !== undefined);
    return this.claims.keeper(this.rulesets, asker.urn, isGone ? "any" : "whole");
  }

  /** The same where a resource shares the ruleset: one that claims the whole of it, or one that has a rule if all have owners. */
  keeperOfShared({ ruleIds }: Pick<RulesetState, "ruleIds">, asker: Asker): string | undefined {
    const whole = this.claims.keeper(this.rulesets, asker.urn);
    const keepers = Object.entries(ruleIds).map(([ref, id]) => this.keeperOf({ id, ref }, asker));
    return whole ?? (keepers.includes(undefined) ? undefined : keepers[0]);
  }
}
