import type { OnExisting } from "../../../model/options.js";
import type { Ruleset } from "../../../model/ruleset.js";
import type { Join } from "../../../ownership/join.js";
import { decideTakeover, knownRules, matchExisting, type Takeover } from "../../../ownership/takeover.js";
import type { KeyedRules } from "../../../rules/keyed.js";
import type { Matches, WantedRule } from "../../../rules/match.js";
import { Rule } from "../../../rules/rule.js";

/** What a takeover of a whole ruleset is decided from. */
export interface TakeoverFacts {
  readonly existing: Pick<Ruleset, "rules">;
  readonly wanted: readonly WantedRule[];
  readonly mode: OnExisting;
  /** The rules that this same resource had before it was replaced in this run. */
  readonly own: KeyedRules | undefined;
}

/** What happens to the rules of a ruleset when a resource is to own the whole of it. Pure. */
export interface WholeTakeover {
  /** Which existing rule each rule of the program is. */
  readonly matches: Matches;
  /** What happens to every rule. */
  readonly takeover: Takeover;
  /** The same for rules of others alone: they decide whether it is allowed. */
  readonly ofOthers: Takeover;
}

export function planWholeTakeover({ existing, wanted, mode, own }: TakeoverFacts): WholeTakeover {
  const matches = matchExisting(existing.rules, wanted);
  if (own === undefined) {
    const takeover = decideTakeover(existing, wanted, mode, matches);
    return { matches, takeover, ofOthers: takeover };
  }
  const others = existing.rules.filter((rule) => own.rules[rule.ref]?.meansSameAs(Rule.of(rule)) !== true);
  const isKnown = others.length === 0 || others.length === existing.rules.length;
  return {
    matches,
    // An edited rule of this resource keeps its ID, recognised by the same signs that give it its ref.
    takeover: decideTakeover(existing, wanted, "replace", matches),
    ofOthers: decideTakeover({ rules: others }, wanted, mode, isKnown ? matches : undefined),
  };
}

/** Which rules of a shared ruleset the program's rules are: of those that belong to the program, as the join decided. */
export function matchesInJoin({ kept }: Join, wanted: readonly WantedRule[]): Matches {
  const place = new Map(kept.map(({ index }, at) => [index, at]));
  const matching = wanted.map((_, index) => place.get(index));
  return { known: knownRules(kept.map(({ rule }) => rule)), sure: matching, all: matching };
}
