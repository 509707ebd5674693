import type { LockedRuleset } from "../../core/managed/lock.js";
import { mergedInto } from "../../core/managed/merged.js";
import { managedReferencesIn, type ManagedReference } from "../../core/managed/references.js";
import { withManagedName } from "../../core/managed/rulesets.js";
import { findNearest } from "../../core/model/failure.js";

/** What is known of a managed ruleset. */
interface KnownRuleset {
  readonly id: string;
  readonly name: string;
  readonly rules: readonly KnownRule[];
}

interface KnownRule {
  readonly id: string;
  readonly name: string;
  readonly categories: readonly string[];
}

/** An override or an entry of a skip list that names a rule or a tag which its managed ruleset does not have. */
export interface DeadReference extends ManagedReference {
  /** What is wrong, and what may be meant. */
  readonly message: string;
  /** The rule that the missing one was merged into, as far as its name says so. */
  readonly mergedInto?: { readonly id: string; readonly name: string };
}

interface KnownRulesets {
  /** The managed rulesets as they are, by ID. What a rule names of any other ruleset is not judged. */
  readonly now: ReadonlyMap<string, KnownRuleset>;
  /** As they were, for the names of rules that have left. */
  readonly locked?: readonly LockedRuleset[];
}

/** The references of a rule that name nothing: they have no effect, and nobody is told so. */
export function deadReferences(rule: unknown, known: KnownRulesets): readonly DeadReference[] {
  return managedReferencesIn(rule).flatMap((reference) => {
    const ruleset = known.now.get(reference.ruleset);
    if (ruleset === undefined) return [];
    return reference.kind === "rule" ? deadRule(reference, ruleset, known) : deadTag(reference, ruleset);
  });
}

function deadTag(reference: ManagedReference, { name, rules }: KnownRuleset): readonly DeadReference[] {
  const tags = [...new Set(rules.flatMap(({ categories }) => categories))];
  if (tags.includes(reference.name)) return [];
  const near = findNearest(reference.name, tags);
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  return [
    {
      ...reference,
      message: `no rule of ${name} has the tag ${reference.name}, so this override has no effect${meant}`,
    },
  ];
}

function deadRule(reference: ManagedReference, ruleset: KnownRuleset, known: KnownRulesets): readonly DeadReference[] {
  if (ruleset.rules.some(({ id }) => id === reference.name)) return [];
  const was = (known.locked ?? []).find(({ id }) => id === ruleset.id)?.rules.find(({ id }) => id === reference.name);
  const target = was === undefined ? undefined : mergedInto(was, ruleset.rules);
  const id = withManagedName(reference.name, () => was?.name);
  const what = reference.via === "override" ? "this override" : "this entry of the skip rule";
  const text = `${ruleset.name} has no rule ${id}, so ${what} has no effect`;
  if (target !== undefined) {
    const merged = withManagedName(target.id, () => target.name);
    return [{ ...reference, mergedInto: target, message: `${text}; by its name, the rule was merged into ${merged}` }];
  }
  return [{ ...reference, message: `${text}${hint(reference, was?.name, ruleset, known)}` }];
}

/** The rule that may be meant: by the ID, by the name that the missing one had, or in another ruleset. */
function hint(
  { name: id }: ManagedReference,
  name: string | undefined,
  { rules }: KnownRuleset,
  { now }: KnownRulesets,
): string {
  const home = [...now.values()].find((other) => other.rules.some((rule) => rule.id === id));
  if (home !== undefined) return `; it is a rule of ${withManagedName(home.id, () => home.name)}`;
  const nearId = findNearest(
    id,
    rules.map((rule) => rule.id),
  );
  const nearName =
    name === undefined
      ? undefined
      : findNearest(
          name,
          rules.map((rule) => rule.name),
        );
  const near = rules.find((rule) => rule.id === nearId) ?? rules.find((rule) => rule.name === nearName);
  return near === undefined ? "" : `; did you mean ${withManagedName(near.id, () => near.name)}?`;
}
