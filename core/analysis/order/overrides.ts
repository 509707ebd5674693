import type { Overrides, OverrideSettings } from "../../simulator/managed.js";
import { stable } from "../program/stable.js";
import { orderOfActions } from "./actions.js";
import { joinOrders, orderOf, type Order } from "./order.js";

/** Rules of a managed ruleset, as far as overrides tell them apart. */
export interface OverridePlace {
  /** The overridden tags that they have. */
  readonly tags: readonly string[];
  /** The ID, if the rule has overrides of its own. */
  readonly rule?: string;
}

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
 * What differs between two sets of overrides of the same managed ruleset: for all rules, for those with a tag, and for single
 * rules. Which tags a rule has is not known here, so rules with several of them, and single rules with some, are compared too:
 * they are named where something gets stricter or looser that no other place shows.
 */
export function overrideChanges(before: Overrides, after: Overrides): readonly OverrideChange[] {
  if (stable(before) === stable(after)) return [];
  const { plain, others, areMany } = placesOf(before, after);
  const changeAt = (place: OverridePlace, ofTags: TagSettings, isOn: boolean): OverrideChange => {
    const [was, is] = [settingsAt(before, place, ofTags), settingsAt(after, place, ofTags)];
    return { place, before: was, after: is, order: isOn ? orderOfEach(was, is) : orderOfSettings(was, is) };
  };
  const changes = plain.map((place) => changeAt(place, eachByLast, false)).filter(({ order }) => order !== "same");
  const known = new Set(changes.flatMap(({ order }) => directionsOf(order)));
  for (const ofTags of [eachByLast, allByLast]) {
    for (const place of others) {
      const change = changeAt(place, ofTags, areMany);
      const directions = directionsOf(change.order);
      if (directions.every((one) => known.has(one))) continue;
      changes.push(change);
      for (const one of directions) known.add(one);
    }
  }
  return changes;
}

function directionsOf(order: Order): readonly Order[] {
  return order === "mixed" ? ["stricter", "looser"] : order === "same" ? [] : [order];
}

/**
 * Four tags are enough to show any difference: those that decide about one setting, and about whether the rule is on, in each
 * version. With more overridden tags than this, two of them are compared as if such rules were on.
 */
const FEW_TAGS = 8;

interface Places {
  readonly plain: readonly OverridePlace[];
  /** Rules with several tags, and single rules with some. */
  readonly others: readonly OverridePlace[];
  /** Whether there may be others, with more tags. */
  readonly areMany: boolean;
}

function placesOf(before: Overrides, after: Overrides): Places {
  const tags = Array.from(new Set([before, after].flatMap((one) => one.categories.map(({ category }) => category))));
  const rules = Array.from(new Set([before, after].flatMap((one) => one.rules.map(({ id }) => id))));
  // Where the tags of both versions are the same, one of them decides about a setting.
  const isSame = stable(before.categories) === stable(after.categories);
  const areMany = !isSame && tags.length > FEW_TAGS;
  const sets = subsetsOf(tags, isSame || areMany ? 2 : 4);
  const several = sets.filter(({ length }) => length > 1);
  const some = sets.filter(({ length }) => length > 0);
  return {
    plain: [{ tags: [] }, ...tags.map((tag) => ({ tags: [tag] })), ...rules.map((rule) => ({ tags: [], rule }))],
    others: [
      ...several.map((own) => ({ tags: own })),
      ...rules
        .filter((rule) => mayDifferByTags(ownOf(before, rule), ownOf(after, rule)))
        .flatMap((rule) => some.map((own) => ({ tags: own, rule }))),
    ],
    areMany,
  };
}

/** Whether a rule may show more than others with its tags: what changes for it, or that it is on. */
function mayDifferByTags(before: OverrideSettings | undefined, after: OverrideSettings | undefined): boolean {
  return stable(before) !== stable(after) || before?.enabled === true;
}

function ownOf({ rules }: Overrides, rule: string | undefined): OverrideSettings | undefined {
  return rules.findLast(({ id }) => id === rule);
}

/** All sets of at most so many names. */
function subsetsOf(names: readonly string[], most: number): readonly (readonly string[])[] {
  const sets = names.reduce<readonly (readonly string[])[]>(
    (all, name) => [...all, ...all.filter(({ length }) => length < most).map((set) => [...set, name])],
    [[]],
  );
  return [...sets].sort((a, b) => a.length - b.length);
}

/** What the tags of a rule set. Whether the last one decides about each setting, or about all of them, is not documented. */
type TagSettings = (categories: Overrides["categories"]) => OverrideSettings;

const eachByLast: TagSettings = (categories) =>
  categories.reduce<OverrideSettings>((settings, one) => merge(settings, one), {});

const allByLast: TagSettings = (categories) => categories.at(-1) ?? {};

/** Overrides of a rule come before those of its tags, and these before those of the whole ruleset. */
function settingsAt(overrides: Overrides, { tags, rule }: OverridePlace, ofTags: TagSettings): OverrideSettings {
  const own = tags.length === 0 ? {} : ofTags(overrides.categories.filter(({ category }) => tags.includes(category)));
  return merge(merge(overrides, own), ownOf(overrides, rule));
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
  // What a rule that is off would do does not matter.
  const isOff = before.enabled === false || after.enabled === false;
  return isOff ? orderOf(onOff(before.enabled), onOff(after.enabled)) : orderOfEach(before, after);
}

function orderOfEach(before: OverrideSettings, after: OverrideSettings): Order {
  return joinOrders([
    orderOf(onOff(before.enabled), onOff(after.enabled)),
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
