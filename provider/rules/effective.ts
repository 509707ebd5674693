import type { RulesetRuleActionParametersOverrides } from "../model/generated/rule.js";
import type { DeployedRule } from "../model/ruleset.js";

/** What a rule of an executed ruleset does, and which override says so where one does. */
export interface EffectiveRule {
  readonly id: string;
  readonly description: string;
  /** Its tags. */
  readonly categories: readonly string[];
  readonly action: string;
  readonly enabled: boolean;
  /** Only where an override sets it; the vendor's own is not told. */
  readonly sensitivityLevel?: string;
  /** Score from which the rule acts, where it has one. */
  readonly scoreThreshold?: number;
  /** By property, the level of the override that decided: `rule`, `tag wordpress` or `ruleset`. */
  readonly overriddenBy: Readonly<Partial<Record<Property, string>>>;
}

const PROPERTIES = ["action", "enabled", "sensitivityLevel", "scoreThreshold"] as const;
type Property = (typeof PROPERTIES)[number];

/** What one override changes. */
type Change = Partial<Readonly<Record<Property, unknown>>>;

/** Overrides that can touch a rule, the one that wins first. */
type Level = readonly [words: string, change: Change];

/**
 * What each rule of a ruleset does where it is executed with overrides. Each property by itself: an override of the rule
 * wins over one of its tags, of these the last in the list, and that over the whole ruleset.
 * See https://developers.cloudflare.com/ruleset-engine/managed-rulesets/override-managed-ruleset/.
 */
export function effectiveRules(
  rules: readonly DeployedRule[],
  overrides: RulesetRuleActionParametersOverrides = {},
): EffectiveRule[] {
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

/** The scoring rule of the core ruleset has one. It is no field of rules that programs write. */
function scoreThresholdOf({ wire }: DeployedRule): Pick<EffectiveRule, "scoreThreshold"> {
  const threshold = wire?.score_threshold;
  return typeof threshold === "number" ? { scoreThreshold: threshold } : {};
}
