import { NO_RULES, type KeyedRules } from "../../rules/keyed.js";
import { objectKeys, type Desired } from "./desired.js";
import type { ReleasedElsewhere, ReleasedRule } from "./records.js";

/** What the resources of one program do in one run, as far as it decides who owns rules. Rules have one ID in all rulesets. */
export class RunRecord {
  /** By rule ID, the resource for which this run has recorded the rule in a state. */
  readonly applied = new Map<string, string>();
  /** By ruleset ID, the resource that this run has given the whole ruleset. */
  readonly appliedWhole = new Map<string, string>();
  /** By rule ID, the resource that deletes the rule, unless another one claims it before that. */
  readonly dropped = new Map<string, string>();
  /** Resources that do not change: their states have everything that the program declares in them. */
  readonly unchanged = new Set<string>();
  /** Resources for which `diff` planned an update that has not followed yet. */
  readonly toUpdate = new Set<string>();
  /** Resources that this run has deleted, so that their states own nothing any more. */
  readonly deleted = new Set<string>();
  /** Resources that are checked as new, and whose create has not begun. */
  readonly toCreate = new Set<string>();
  /** Resources that this run deleted before it creates them again. */
  readonly deletedFirst = new Set<string>();
  /** By URN, what the resources checked in this run wanted in the last run, parsed once. Those that do not change are dropped. */
  readonly wantedBefore = new Map<string, { readonly from: object; readonly desired: Desired }>();
  /** By URN, rules that deletes of this run released for a resource that may have them. */
  readonly releasedTo = new Map<string, ReleasedElsewhere[]>();
  /** By key of a ruleset, what resources that share it declare there. */
  private readonly declared = new Map<string, Declarations>();
  private readonly writers = new Set<string>();

  /** Records the rules that a resource declares in a ruleset that it shares. */
  declare(rulesets: readonly string[], urn: string, rules: KeyedRules): void {
    this.writers.add(urn);
    for (const key of rulesets) {
      const known = this.declared.get(key) ?? new Declarations();
      known.add(urn, rules);
      this.declared.set(key, known);
    }
  }

  /** Records rules that a delete releases for resources that may have them. */
  release(rules: readonly ReleasedRule[], rulesetId: string): void {
    for (const rule of rules)
      this.releasedTo.set(rule.to, [...(this.releasedTo.get(rule.to) ?? []), { ...rule, rulesetId }]);
  }

  declaredIn(rulesets: readonly string[]): readonly Declarations[] {
    return rulesets.flatMap((key) => this.declared.get(key) ?? []);
  }

  /**
   * Whether a resource that is created was deleted before, so that no delete of an old object follows: by this run, or by an
   * earlier one that did not create it again. The engine then asks for the change from its last state, and creates it whatever
   * the answer is.
   */
  wasDeletedFirst(urn = ""): boolean {
    return this.deletedFirst.has(urn) || this.unchanged.has(urn) || this.toUpdate.has(urn);
  }

  /** The rules that a resource declared before this run replaced it in the same place: they do not belong to others. */
  rulesBefore({ urn = "", target }: Pick<Desired, "urn" | "target">): KeyedRules | undefined {
    const before = this.wantedBefore.get(urn)?.desired;
    if (before === undefined || before.target.scope.id !== target.scope.id) return undefined;
    const isSame = objectKeys(before.target).join() === objectKeys(target).join();
    return isSame ? (before.rules ?? NO_RULES) : undefined;
  }

  /** Whether other resources declare rules in rulesets that they share. */
  othersWrite(urn: string): boolean {
    return this.writers.size > (this.writers.has(urn) ? 1 : 0);
  }
}

/** A rule that a resource of the program declares. */
interface DeclaredRule {
  readonly urn: string;
  readonly ref: string;
}

/** What the resources that share one ruleset declare in it. */
class Declarations {
  private readonly byUrn = new Map<string, KeyedRules>();
  #byEffect?: ReadonlyMap<string, readonly DeclaredRule[]>;

  add(urn: string, rules: KeyedRules): void {
    this.byUrn.set(urn, rules);
    this.#byEffect = undefined;
  }

  refsOf(urn: string): readonly string[] {
    return this.byUrn.get(urn)?.order ?? [];
  }

  /** The rules that do something to requests. */
  withEffect(effect: string): readonly DeclaredRule[] {
    return (this.#byEffect ??= this.findEffects()).get(effect) ?? [];
  }

  private findEffects(): ReadonlyMap<string, readonly DeclaredRule[]> {
    const found = new Map<string, DeclaredRule[]>();
    for (const [urn, { rules }] of this.byUrn)
      for (const [ref, rule] of Object.entries(rules)) {
        if (rule.pending) continue;
        const known = found.get(rule.effect);
        if (known === undefined) found.set(rule.effect, [{ urn, ref }]);
        else known.push({ urn, ref });
      }
    return found;
  }
}
