import type { OnExisting } from "../../core/model/options.js";
import type { DeployedRule, Ruleset } from "../../core/model/ruleset.js";
import type { KeyedRules } from "../../core/rules/keyed.js";
import { findMatches, type KnownRule, type Matches, type WantedRule } from "../../core/rules/match.js";
import { Rule } from "../../core/rules/rule.js";

/** What happens to each existing rule when a resource is created over it. */
export interface Takeover {
  readonly allowed: boolean;
  readonly kept: readonly DeployedRule[];
  readonly changed: readonly { readonly rule: DeployedRule; readonly fields: readonly string[] }[];
  /** Rules that match no declared rule: they would be lost. */
  readonly dropped: readonly DeployedRule[];
  /** Whether there are existing rules but the program declares none, so that none would be left. */
  readonly empties: boolean;
}

export function knownRules<R extends Pick<DeployedRule, "id" | "ref">>(rules: readonly R[]): KnownRule<R>[] {
  return rules.map((rule) => ({ ref: rule.ref, id: rule.id, rule: Rule.of(rule) }));
}

/** Which existing rule each rule of a program is. */
function matchExisting(deployed: readonly DeployedRule[], wanted: readonly WantedRule[]): Matches {
  return findMatches(
    knownRules(deployed),
    wanted.map((rule) => Rule.of(rule)),
  );
}

/**
 * Decides whether a resource may take over an existing ruleset. `fail` allows it if nothing would change: there are no
 * rules, or every one equals a declared rule. `adopt` allows it if every existing rule is declared, by ref, ID or
 * content. `replace` allows it if the program declares any rule, and drops the rest. `empty` always allows it.
 * @param matches the program's rules and all existing ones, if they are already matched
 */
export function decideTakeover(
  { rules }: Pick<Ruleset, "rules">,
  wanted: readonly WantedRule[],
  mode: OnExisting,
  matches: Matches = matchExisting(rules, wanted),
): Takeover {
  const matching = mode === "fail" || mode === "adopt" ? matches.sure : matches.all;
  const wantedFor = new Map(
    matching.flatMap((old, index) => (old === undefined ? [] : [[old, Rule.of(wanted[index])] as const])),
  );
  const pairs = rules.map((rule, index) => ({ rule: Rule.of(rule), now: wantedFor.get(index) }));
  const kept = pairs.flatMap(({ rule, now: current }) => (current?.mayMeanSameAs(rule) === true ? [rule.fields] : []));
  const changed = pairs.flatMap(({ rule, now: current }) =>
    current === undefined || current.mayMeanSameAs(rule)
      ? []
      : [{ rule: rule.fields, fields: rule.changedFields(current) }],
  );
  const dropped = pairs.flatMap(({ rule, now: current }) => (current === undefined ? [rule.fields] : []));
  const empties = wanted.length === 0 && dropped.length > 0;
  const takeover = { kept, changed, dropped, empties };
  return { ...takeover, allowed: isAllowed(takeover, mode) };
}

function isAllowed({ changed, dropped, empties }: Omit<Takeover, "allowed">, mode: OnExisting): boolean {
  switch (mode) {
    case "fail":
      return dropped.length === 0 && changed.length === 0;
    case "adopt":
      return dropped.length === 0;
    case "replace":
      return !empties;
    case "empty":
      return true;
  }
}

/** What a takeover of a whole ruleset is decided from. */
interface TakeoverFacts {
  readonly deployed: Pick<Ruleset, "rules">;
  readonly wanted: readonly WantedRule[];
  readonly mode: OnExisting;
  /** The rules that this same resource had before it was replaced in this run. */
  readonly own: KeyedRules | undefined;
}

/** What happens to the rules of a ruleset when a resource is to own the whole of it. Pure. */
interface WholeTakeover {
  /** Which existing rule each rule of the program is. */
  readonly matches: Matches;
  /** What happens to every rule. */
  readonly takeover: Takeover;
  /** What happens to the rules of others: they decide whether it is allowed. */
  readonly ofOthers: Takeover;
}

export function planWholeTakeover({ deployed, wanted, mode, own }: TakeoverFacts): WholeTakeover {
  const matches = matchExisting(deployed.rules, wanted);
  if (own === undefined) {
    const takeover = decideTakeover(deployed, wanted, mode, matches);
    return { matches, takeover, ofOthers: takeover };
  }
  const others = deployed.rules.filter((rule) => own.rules[rule.ref]?.meansSameAs(Rule.of(rule)) !== true);
  const isKnown = others.length === 0 || others.length === deployed.rules.length;
  return {
    matches,
    // An edited rule of this resource keeps its ID, recognised by the same signs that give it its ref.
    takeover: decideTakeover(deployed, wanted, "replace", matches),
    ofOthers: decideTakeover({ rules: others }, wanted, mode, isKnown ? matches : undefined),
  };
}
