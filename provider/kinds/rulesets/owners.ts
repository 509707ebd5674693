import type { Claims } from "../../engine/claims.js";
import type { DeployedRule } from "../../../core/model/ruleset.js";
import type { Removal } from "../../ownership/removal.js";
import { ruleKeysIn } from "./desired.js";

/** A rule at the service. Resources of a program claim it by its ref, by its ID, or by both. */
type NamedRule = Pick<DeployedRule, "id" | "ref">;

/** A rule that a resource has by its state. */
export interface HeldRule {
  readonly urn: string;
  /** The version that the rule had when the state was written. */
  readonly version: string;
}

/** The resource that has a rule. */
interface Owner {
  readonly urn: string;
  /** Whether it is another one that declares the rule. Otherwise its state had it before this run, also if it is the one that asks. */
  readonly declares: boolean;
  /** The version of the rule in that state. */
  readonly version?: string;
}

/**
 * Who owns the rules of one ruleset, as the resource sees that asks, and as far as this run knows: what the program claims, and
 * what resources had that this run changes or deletes. Everything else is somebody else's. Pure.
 */
export class Owners {
  constructor(
    /** The keys of the ruleset within the run. */
    private readonly rulesets: readonly string[],
    private readonly claims: Claims,
    /** By ID, rules of resources that this run changes or deletes. */
    private readonly held: ReadonlyMap<string, HeldRule>,
    /** The URN of the resource that asks. */
    private readonly urn: string | undefined,
  ) {}

  /** The resource of the program that has a rule; undefined if none is known to have it. */
  ownerOf({ id, ref }: NamedRule): Owner | undefined {
    const other = this.claims.other(ruleKeysIn(this.rulesets, [id, ref]), this.urn);
    if (other !== undefined) return { urn: other, declares: true };
    const held = this.held.get(id);
    return held === undefined ? undefined : { ...held, declares: false };
  }

  /** Another resource of the program that declares a rule. */
  claimantOf(rule: NamedRule): string | undefined {
    const owner = this.ownerOf(rule);
    return owner?.declares === true ? owner.urn : undefined;
  }

  /** The resource because of which a delete must leave a rule: another one, or the one that asks if the program declares it again. */
  keeperOf({ id, ref }: NamedRule): string | undefined {
    return this.claims.keeper(ruleKeysIn(this.rulesets, [id, ref]), this.urn);
  }

  /** The resource that had every rule of the ruleset before this run, alone or with others. */
  previousHolder(rules: readonly NamedRule[]): string | undefined {
    const owners = rules.map((rule) => this.ownerOf(rule));
    return owners.every((owner) => owner?.declares === false) ? owners[0]?.urn : undefined;
  }

  /** Leaves out of a removal what other resources of the program have. */
  withoutReleased(removal: Removal): Removal {
    const released = removal.removed.flatMap((rule) => {
      const to = this.claimantOf(rule);
      return to === undefined ? [] : [{ rule, to }];
    });
    if (released.length === 0) return removal;
    const staying = new Set(released.map(({ rule }) => rule));
    return { ...removal, removed: removal.removed.filter((rule) => !staying.has(rule)), released };
  }

  /** Another resource of the program that claims the whole ruleset, or any of it. */
  otherHolder(extent: "whole" | "any" = "whole"): string | undefined {
    return this.claims.other(this.rulesets, this.urn, extent);
  }

  /**
   * The resource because of which a delete of the whole ruleset must keep it: one that claims it, or one that shares it if all that
   * share it have every rule. The one that asks if it is created again.
   */
  keeperOfWhole(rules: readonly NamedRule[]): string | undefined {
    const isShared = this.claims.has(this.rulesets, this.urn, "parts");
    const isGone = isShared || rules.every((rule) => this.claimantOf(rule) !== undefined);
    return this.claims.keeper(this.rulesets, this.urn, isGone ? "any" : "whole");
  }

  /** Where a resource shares the ruleset, one that claims the whole of it, or one that has a rule if all have owners. */
  keeperOfRules(rules: readonly NamedRule[]): string | undefined {
    const whole = this.claims.keeper(this.rulesets, this.urn);
    const keepers = rules.map((rule) => this.keeperOf(rule));
    return whole ?? (keepers.includes(undefined) ? undefined : keepers[0]);
  }
}
