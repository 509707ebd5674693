import type { Overrides, OverrideSettings } from "../../simulator/managed.js";
import { orderOfActions } from "./actions.js";
import { joinOrders, orderOf, type Order } from "./order.js";

/** What overrides apply to: the whole ruleset, the rules with a tag, or one rule. */
export type OverridePlace =
  | { readonly kind: "ruleset" }
  | { readonly kind: "tag"; readonly name: string }
  | { readonly kind: "rule"; readonly name: string };

/** What changes at one place. */
export interface OverrideChange {
  readonly place: OverridePlace;
  readonly before: OverrideSettings;
  readonly after: OverrideSettings;
  readonly order: Order;
}

const SENSITIVITY: Readonly<Record<string, number>> = { default: 3, medium: 2, low: 1, eoff: 0 };

/** The threshold of the OWASP core ruleset: https://developers.cloudflare.com/waf/managed-rules/reference/owasp-core-ruleset/. */
const DEFAULT_THRESHOLD = 40;

/** How two sets of overrides of the same managed ruleset compare. */
export function orderOfOverrides(before: Overrides, after: Overrides): Order {
  return joinOrders(overrideChanges(before, after).map(({ order }) => order));
}

/**
 * What differs between two sets of overrides of the same managed ruleset. A place that one of them does not name inherits from
 * the whole ruleset there.
 */
export function overrideChanges(before: Overrides, after: Overrides): readonly OverrideChange[] {
  return placesOf(before, after).flatMap((place) => {
    const [was, is] = [settingsAt(before, place), settingsAt(after, place)];
    const order = orderOfSettings(was, is);
    return order === "same" ? [] : [{ place, before: was, after: is, order }];
  });
}

function placesOf(...versions: readonly Overrides[]): readonly OverridePlace[] {
  const tags = new Set(versions.flatMap(({ categories }) => categories.map(({ category }) => category)));
  const rules = new Set(versions.flatMap((one) => one.rules.map(({ id }) => id)));
  return [
    { kind: "ruleset" },
    ...Array.from(tags, (name) => ({ kind: "tag", name }) as const),
    ...Array.from(rules, (name) => ({ kind: "rule", name }) as const),
  ];
}

function settingsAt({ categories, rules, ...whole }: Overrides, place: OverridePlace): OverrideSettings {
  switch (place.kind) {
    case "ruleset":
      return whole;
    case "tag":
      return merge(
        whole,
        categories.findLast(({ category }) => category === place.name),
      );
    case "rule":
      return merge(
        whole,
        rules.findLast(({ id }) => id === place.name),
      );
  }
}

function merge(whole: OverrideSettings, own: OverrideSettings = {}): OverrideSettings {
  return {
    enabled: own.enabled ?? whole.enabled,
    action: own.action ?? whole.action,
    sensitivityLevel: own.sensitivityLevel ?? whole.sensitivityLevel,
    scoreThreshold: own.scoreThreshold ?? whole.scoreThreshold,
  };
}

function orderOfSettings(before: OverrideSettings, after: OverrideSettings): Order {
  const switched = orderOf(onOff(before.enabled), onOff(after.enabled));
  // What a rule that is off would do does not matter.
  if (before.enabled === false || after.enabled === false) return switched;
  return joinOrders([
    switched,
    orderOfOverriddenActions(before.action, after.action),
    orderOf(sensitivity(before.sensitivityLevel), sensitivity(after.sensitivityLevel)),
    orderOf(after.scoreThreshold ?? DEFAULT_THRESHOLD, before.scoreThreshold ?? DEFAULT_THRESHOLD),
  ]);
}

/** By default some rules are on and others are off, so that is between both. */
function onOff(enabled: boolean | undefined): number {
  return enabled === undefined ? 1 : enabled ? 2 : 0;
}

/** Rules have different actions by default: at least `log` and at most `block`. */
function orderOfOverriddenActions(before: string | undefined, after: string | undefined): Order {
  if (before === after) return "same";
  if (before !== undefined && after !== undefined) return orderOfActions(before, after);
  const given = before ?? after;
  if (given !== "log" && given !== "block") return "mixed";
  return (given === "block") === (after === given) ? "stricter" : "looser";
}

function sensitivity(level = "default"): number {
  return SENSITIVITY[level] ?? 3;
}
