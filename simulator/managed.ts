import { readProperty, readText } from "./read-property.js";
import type { RulePlace } from "./place.js";

/** A ruleset whose rules are not known here, as the rule that executes it runs it. */
export interface ManagedRun {
  readonly ruleset: string;
  /** The rule that executes it. */
  readonly rule: RulePlace;
  /** The action that overrides set for all its rules; undefined keeps Cloudflare's actions. */
  readonly action?: string;
  /** Whether overrides enable or disable its rules; undefined keeps Cloudflare's default. */
  readonly enabled?: boolean;
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

export type OverrideOf<K extends string> = Readonly<Record<K, string>> & {
  readonly action?: string;
  readonly enabled?: boolean;
};

export type Overrides = Pick<ManagedRun, "action" | "enabled" | "categories" | "rules">;

export function readOverrides(from: unknown): Overrides {
  return {
    action: readText(from, "action"),
    enabled: readBoolean(from),
    categories: readList(from, "categories", "category"),
    rules: readList(from, "rules", "id"),
  };
}

/** Whether any rule that does more than log can be enabled: rules take precedence over tags, and tags over the ruleset. */
export function canStop({ action, enabled, categories, rules }: Overrides): boolean {
  const stops = (own: { readonly action?: string; readonly enabled?: boolean }): boolean =>
    (own.enabled ?? enabled) !== false && (own.action ?? action) !== "log";
  return stops({}) || [...categories, ...rules].some(stops);
}

function readList<K extends string>(from: unknown, list: string, key: K): readonly OverrideOf<K>[] {
  const items = readProperty(from, list);
  return (Array.isArray(items) ? items : []).map((item: unknown) => {
    const override = { action: readText(item, "action"), enabled: readBoolean(item) };
    return { [key]: readText(item, key) ?? "", ...override } as OverrideOf<K>;
  });
}

function readBoolean(from: unknown): boolean | undefined {
  const value = readProperty(from, "enabled");
  return typeof value === "boolean" ? value : undefined;
}
