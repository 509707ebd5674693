import type { SkipTarget } from "../../simulator/effect.js";
import { withManagedName } from "../../simulator/managed-rulesets.js";

/** Something that a skip rule skips. */
export type Skipped =
  | { readonly kind: "rest"; readonly of: "ruleset" | "phase" }
  | { readonly kind: "phase" | "ruleset" | "product"; readonly name: string }
  | { readonly kind: "rule"; readonly ruleset: string; readonly name: string };

/** Everything that a skip rule skips, one by one. */
export function listSkipped(target: SkipTarget): readonly Skipped[] {
  const named = (kind: "phase" | "ruleset" | "product", names: readonly string[]): Skipped[] =>
    names.map((name) => ({ kind, name }));
  return [
    ...(target.restOfRuleset ? [{ kind: "rest", of: "ruleset" } as const] : []),
    ...(target.restOfPhase ? [{ kind: "rest", of: "phase" } as const] : []),
    ...named("phase", target.phases),
    ...named("ruleset", target.rulesets),
    ...Array.from(target.rules).flatMap(([ruleset, names]) =>
      names.map((name): Skipped => ({ kind: "rule", ruleset, name })),
    ),
    ...named("product", target.products),
  ];
}

/** Whether something is skipped along with one of several things. */
export function isSkippedWith(what: Skipped, others: readonly Skipped[]): boolean {
  return others.some((other) => skippedWords(other) === skippedWords(what) || contains(other, what));
}

/** Without the parts of what is skipped as a whole. */
export function withoutParts(skipped: readonly Skipped[]): readonly Skipped[] {
  return skipped.filter((one) => !skipped.some((other) => contains(other, one)));
}

function contains(whole: Skipped, part: Skipped): boolean {
  if (whole.kind === "rest" && part.kind === "rest") return whole.of === "phase" && part.of === "ruleset";
  return whole.kind === "ruleset" && part.kind === "rule" && whole.name === part.ruleset;
}

/** In words: `the rest of the ruleset`, `phase http_ratelimit`, `bic`, `rule 0123… of 4567…`. */
export function skippedWords(what: Skipped): string {
  switch (what.kind) {
    case "rest":
      return `the rest of the ${what.of}`;
    case "product":
      return what.name;
    case "phase":
      return `phase ${what.name}`;
    case "ruleset":
      return `ruleset ${withManagedName(what.name)}`;
    case "rule":
      return `rule ${withManagedName(what.name)} of ${withManagedName(what.ruleset)}`;
  }
}
