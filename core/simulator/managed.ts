import { readNumber, readProperty, readText } from "./read-property.js";
import type { RulePlace } from "./place.js";

/**
 * A ruleset whose rules are not known here, as the rule that executes it runs it. Its own settings are those that overrides set
 * for all of its rules.
 */
export interface ManagedRun extends OverrideSettings {
  readonly ruleset: string;
  /** The rule that executes it. */
  readonly rule: RulePlace;
  /** Overrides by tag; the last matching one applies. */
  readonly categories: readonly OverrideOf<"category">[];
  /** Overrides of single rules; they take precedence over tags. */
  readonly rules: readonly OverrideOf<"id">[];
  /** Rules that skip rules disable. */
  readonly skippedRules: readonly string[];
  /** Whether one of its rules can stop the request. */
  readonly canStop: boolean;
  /** What its execution depends on; empty if it certainly runs. */
  readonly because: readonly string[];
}

/** What overrides set for the rules they apply to; what they leave out keeps Cloudflare's default. */
export interface OverrideSettings {
  readonly action?: string;
  readonly enabled?: boolean;
  readonly sensitivityLevel?: string;
  readonly scoreThreshold?: number;
}

type OverrideOf<K extends string> = Readonly<Record<K, string>> & OverrideSettings;

export type Overrides = OverrideSettings & Pick<ManagedRun, "categories" | "rules">;

export function readOverrides(from: unknown): Overrides {
  return {
    ...readSettings(from),
    categories: readList(from, "categories", "category"),
    rules: readList(from, "rules", "id"),
  };
}

/**
 * Whether any rule that does more than log can be enabled: rules take precedence over tags, and tags over the ruleset. A rule may
 * have several tags, one of which sets its action and another one enables it.
 */
export function canStop({ action, enabled, categories, rules }: Overrides): boolean {
  const stops = (own: OverrideSettings): boolean =>
    (own.enabled ?? enabled) !== false && (own.action ?? action) !== "log";
  const joined = (one: OverrideSettings, other: OverrideSettings): OverrideSettings => ({
    enabled: one.enabled ?? other.enabled,
    action: one.action ?? other.action,
  });
  const tags = [{}, ...categories.flatMap((tag) => categories.map((other) => joined(tag, other)))];
  return tags.some((tag) => stops(tag) || rules.some((rule) => stops(joined(rule, tag))));
}

function readList<K extends string>(from: unknown, list: string, key: K): readonly OverrideOf<K>[] {
  const items = readProperty(from, list);
  return (Array.isArray(items) ? items : []).map((item: unknown) => {
    return { [key]: readText(item, key) ?? "", ...readSettings(item) } as OverrideOf<K>;
  });
}

function readSettings(from: unknown): OverrideSettings {
  const settings = {
    action: readText(from, "action"),
    enabled: readBoolean(from),
    sensitivityLevel: readText(from, "sensitivityLevel"),
    scoreThreshold: readNumber(from, "scoreThreshold"),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function readBoolean(from: unknown): boolean | undefined {
  const value = readProperty(from, "enabled");
  return typeof value === "boolean" ? value : undefined;
}
