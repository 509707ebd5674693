import type { Session } from "../../../engine/session.js";
import type { Ruleset } from "../../../model/ruleset.js";
import type { KeyedRules } from "../../../rules/keyed.js";
import { Rule } from "../../../rules/rule.js";
import { objectKeys, type Desired } from "../desired.js";

/** A rule that a resource of the program declares. */
interface WantedRule {
  readonly urn: string;
  readonly ref: string;
}

/** What resources of a run are to have in one ruleset that they share. */
class WantedRules {
  private readonly byUrn = new Map<string, KeyedRules>();
  #byEffect?: ReadonlyMap<string, readonly WantedRule[]>;

  note(urn: string, rules: KeyedRules): void {
    this.byUrn.set(urn, rules);
    this.#byEffect = undefined;
  }

  refsOf(urn: string): readonly string[] {
    return this.byUrn.get(urn)?.order ?? [];
  }

  /** The rules that do something to requests. */
  withEffect(effect: string): readonly WantedRule[] {
    return (this.#byEffect ??= this.findEffects()).get(effect) ?? [];
  }

  private findEffects(): ReadonlyMap<string, readonly WantedRule[]> {
    const found = new Map<string, WantedRule[]>();
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

const wantedRules = (): Map<string, WantedRules> => new Map();

/** URNs of the resources that are to have rules in rulesets that they share. */
const writers = (): Set<string> => new Set();

/** Whether other resources of this run are to have rules in rulesets that they share. */
export function othersWantRules(session: Session, urn: string): boolean {
  const all = session.part(writers);
  return all.size > (all.has(urn) ? 1 : 0);
}

/** Records the rules that a resource is to have in a ruleset that it shares. */
export function noteWanted(
  session: Session,
  { target, urn = "" }: Pick<Desired, "target" | "urn">,
  rulesetId: string | undefined,
  rules: KeyedRules | undefined,
): void {
  if (rules === undefined) return;
  session.part(writers).add(urn);
  const wanted = session.part(wantedRules);
  for (const key of objectKeys(target, rulesetId)) {
    const known = wanted.get(key) ?? new WantedRules();
    known.note(urn, rules);
    wanted.set(key, known);
  }
}

/**
 * Rules that are about to be deleted, and that the program declares in another resource under another ref, as after a
 * rename without `aliases`: if that resource was not written, nothing else does what they do. Or that the new object of the same
 * resource is to have: those that it has are not deleted, so it was not written.
 * @param deleted IDs of the rules
 */
export function findUnwritten(
  session: Session,
  { target, urn = "" }: Pick<Desired, "target" | "urn">,
  { id: rulesetId, rules }: Pick<Ruleset, "id" | "rules">,
  deleted: ReadonlySet<string>,
): readonly { readonly ref: string; readonly to: string }[] {
  const wanted = objectKeys(target, rulesetId).flatMap((key) => session.part(wantedRules).get(key) ?? []);
  if (wanted.length === 0) return [];
  const own = new Set(wanted.flatMap((each) => each.refsOf(urn)));
  const staying = rules.filter(({ id }) => !deleted.has(id));
  const refs = new Set(staying.map(({ ref }) => ref));
  return rules.flatMap((rule) => {
    if (!deleted.has(rule.id)) return [];
    if (own.has(rule.ref)) return [{ ref: rule.ref, to: urn }];
    const { effect } = Rule.of(rule);
    const same = wanted.flatMap((each) => each.withEffect(effect)).filter((each) => each.urn !== urn);
    const [first] = same;
    // Most are there under their refs, which costs less to find out than what each rule does.
    if (first === undefined || same.some(({ ref }) => refs.has(ref))) return [];
    return staying.some((other) => Rule.of(other).effect === effect) ? [] : [{ ref: rule.ref, to: first.urn }];
  });
}
