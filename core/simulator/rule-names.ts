import { quotedRuleName, type NamedRule } from "./names.js";
import { readText } from "./read-property.js";
import type { RuleInput, RulesetInput } from "./ruleset-input.js";

/**
 * The rules of all rulesets as messages name them. Rules that a request can meet together get different names:
 * `"Block admin" [ref admin-1]`.
 * @param beside another version of the rulesets, so that a rule has the same name in both
 */
export function ruleNames(
  rulesets: readonly RulesetInput[],
  beside: readonly RulesetInput[] = [],
): readonly (readonly string[])[] {
  const plain = namesBy(rulesets, quotedRuleName);
  const ambiguous = [...repeated(rulesets, plain), ...repeated(beside, namesBy(beside, quotedRuleName))];
  if (ambiguous.length === 0) return plain;
  const repeats = new Set(ambiguous);
  const told = namesBy(rulesets, (rule, otherwise) => {
    const name = quotedRuleName(rule, otherwise);
    return repeats.has(name) ? `${name} [${markOf(rule) ?? otherwise}]` : name;
  });
  const same = new Set(repeated(rulesets, told));
  const counts = new Map<string, number>();
  return told.map((names) =>
    names.map((name) => {
      if (!same.has(name)) return name;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return `${name} #${String(count)}`;
    }),
  );
}

type Names = readonly (readonly string[])[];

function namesBy(rulesets: readonly RulesetInput[], nameOf: (rule: NamedRule, otherwise: string) => string): Names {
  return rulesets.map(({ phase, rules }) =>
    rules.map((rule, index) => nameOf(namedIn(rule), `rule ${String(index + 1)} of ${phase}`)),
  );
}

/** What a rule is called by. */
export function namedIn(rule: RuleInput): NamedRule {
  return { ref: readText(rule, "ref"), id: readText(rule, "id"), description: readText(rule, "description") };
}

/** Distinguishes a rule from others with its description. An ID is cut: eight digits are enough to find it. */
function markOf({ ref = "", id = "" }: NamedRule): string | undefined {
  const isId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);
  if (ref !== "" && !isId(ref)) return `ref ${ref}`;
  const known = id === "" ? ref : id;
  return known === "" ? undefined : `ID ${isId(known) ? `${known.slice(0, 8)}…` : known}`;
}

/** The names that several rules of one zone have. Rules of its account count as well, those of other zones do not. */
function repeated(rulesets: readonly RulesetInput[], names: Names): string[] {
  const named = rulesets.flatMap(({ zoneId }, index) => (names[index] ?? []).map((name) => ({ name, zoneId })));
  return Array.from(Map.groupBy(named, ({ name }) => name)).flatMap(([name, same]) => {
    const isAlone =
      same.every(({ zoneId }) => zoneId !== undefined) &&
      new Set(same.map(({ zoneId }) => zoneId)).size === same.length;
    return same.length === 1 || isAlone ? [] : [name];
  });
}
