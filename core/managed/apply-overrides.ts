import type { DeployedRule } from "../model/ruleset.js";

/** What a rule of an executed ruleset does, and which overrides apply. */
export interface EffectiveRule {
  readonly id: string;
  readonly description: string;
  /** The rule's tags. */
  readonly categories: readonly string[];
  readonly action: string;
  readonly enabled: boolean;
  /** Only if an override sets it; the service does not return Cloudflare's default. */
  readonly sensitivityLevel?: string;
  /** Score from which the rule acts, if it has one. */
  readonly scoreThreshold?: number;
  /** By property, the level of the override that applies: `rule`, `tag wordpress` or `ruleset`. */
  readonly overriddenBy: Readonly<Partial<Record<Property, string>>>;
}

const PROPERTIES = ["action", "enabled", "sensitivityLevel", "scoreThreshold"] as const;
type Property = (typeof PROPERTIES)[number];

/** Properties that an override sets. */
type Change = Partial<Readonly<Record<Property, unknown>>>;

/** Overrides of a rule that executes a ruleset, in the notation of programs. */
interface ExecutionOverrides extends Change {
  readonly categories?: readonly (Change & { readonly category: string })[] | undefined;
  readonly rules?: readonly (Change & { readonly id: string })[] | undefined;
}

/** An override that applies to a rule. */
type Level = readonly [words: string, change: Change];

/**
 * What each rule of a ruleset does when the ruleset is executed with overrides. For each property separately, an override of
 * the rule wins over those of its tags, of which the last in the list wins, and these win over one of the whole ruleset.
 * See https://developers.cloudflare.com/ruleset-engine/managed-rulesets/override-managed-ruleset/.
 */
export function applyOverrides(rules: readonly DeployedRule[], overrides: ExecutionOverrides = {}): EffectiveRule[] {
  const byTag = (overrides.categories ?? []).toReversed();
  const byRule = new Map((overrides.rules ?? []).map((override) => [override.id, override]));
  return rules.map((rule) => {
    const own = byRule.get(rule.id);
    const tags = new Set(rule.categories);
    return effective(rule, [
      ...(own === undefined ? [] : [["rule", own] as const]),
      ...byTag
        .filter(({ category }) => tags.has(category))
        .map((override) => [`tag ${override.category}`, override] as const),
      ["ruleset", overrides],
    ]);
  });
}

function effective(rule: DeployedRule, levels: readonly Level[]): EffectiveRule {
  const decided = PROPERTIES.flatMap((property) => {
    const level = levels.find(([, change]) => change[property] !== undefined);
    return level === undefined ? [] : [{ property, words: level[0], value: level[1][property] }];
  });
  return {
    id: rule.id,
    description: rule.description ?? "",
    categories: rule.categories ?? [],
    action: rule.action,
    enabled: rule.enabled ?? true,
    ...scoreThresholdOf(rule),
    ...(Object.fromEntries(decided.map(({ property, value }) => [property, value])) as Partial<EffectiveRule>),
    overriddenBy: Object.fromEntries(decided.map(({ property, words }) => [property, words])),
  };
}

/** The scoring rule of the core ruleset has a threshold. Rules of programs have no such field. */
function scoreThresholdOf({ wire }: DeployedRule): Pick<EffectiveRule, "scoreThreshold"> {
  const threshold = wire?.score_threshold;
  return typeof threshold === "number" ? { scoreThreshold: threshold } : {};
}
