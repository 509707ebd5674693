import type { SkipTarget } from "./effect.js";
import type { Level } from "./place.js";

/** A skip rule that matched, or may have. */
export interface ActiveSkip {
  readonly by: string;
  readonly target: SkipTarget;
  /** The phase of the skip rule. */
  readonly phase: string;
  readonly level: Level;
  /** What the match depends on; empty if it is certain. */
  readonly because: readonly string[];
}

/** Something that can be skipped. */
type Skippable =
  | { readonly kind: "phase"; readonly phase: string; readonly level: Level }
  | { readonly kind: "ruleset"; readonly id: string }
  | { readonly kind: "rule"; readonly ruleset: string; readonly rule: readonly (string | undefined)[] };

/** The skip rule that disables something, preferably one that certainly matched. */
export function findSkip(skips: readonly ActiveSkip[], what: Skippable): ActiveSkip | undefined {
  const hits = skips.filter((skip) => covers(skip, what));
  return hits.find(({ because }) => because.length === 0) ?? hits[0];
}

function covers({ target, phase, level }: ActiveSkip, what: Skippable): boolean {
  switch (what.kind) {
    case "phase":
      if (target.phases.includes(what.phase)) return true;
      return target.restOfPhase && phase === what.phase && level === what.level;
    case "ruleset":
      return target.rulesets.includes(what.id);
    case "rule": {
      const skipped = target.rules.get(what.ruleset) ?? [];
      return what.rule.some((name) => name !== undefined && skipped.includes(name));
    }
  }
}
