import { firmnessOf, stopsRequests } from "../analysis/order/actions.js";
import { readOverrides } from "../simulator/managed.js";
import { sameJson } from "../model/json.js";
import { applyOverrides, type EffectiveRule } from "./apply-overrides.js";
import { ruleOfLock, type LockedRule, type LockedRuleset } from "./lock.js";
import { mergedInto } from "./merged.js";

/** A rule that executes a managed ruleset. */
export interface ManagedExecution {
  /** Where, in words: `shop.example.com`. */
  readonly place: string;
  /** The ID of the managed ruleset. */
  readonly ruleset: string;
  readonly overrides: unknown;
  /** A rule that is disabled executes nothing. */
  readonly enabled: boolean;
}

/** What a rule does where its ruleset is executed. */
interface Effect {
  /** `off`, or its action with the settings that count: `block`, `block at a score of 40`. */
  readonly words: string;
  /** Whether it keeps requests from the origin, or challenges them. */
  readonly stops: boolean;
  readonly firmness: number;
}

/** How the effect of a rule differs from what it was, under the same overrides. */
export interface EffectChange {
  readonly places: readonly string[];
  /** Undefined for a rule that did not exist. */
  readonly before: Effect | undefined;
  /** Undefined for a rule that has left. */
  readonly after: Effect | undefined;
}

/** A rule of a managed ruleset that is not as the lock has it. */
export interface ChangedRule {
  readonly kind: "new" | "gone" | "changed";
  readonly ruleset: Pick<LockedRuleset, "id" | "name">;
  readonly before: LockedRule | undefined;
  readonly after: LockedRule | undefined;
  /** For a rule that has left: the one that has its name. */
  readonly mergedInto: LockedRule | undefined;
  /** Where it does something else than before; empty if it does the same everywhere. */
  readonly effects: readonly EffectChange[];
  /** What it does in each place, if it is new. */
  readonly now: readonly EffectChange[];
  /** What changed in the rule itself: `action log → block`. */
  readonly details: readonly string[];
}

/** How the managed rulesets of the service differ from those of the lock. */
export interface LockChanges {
  readonly rules: readonly ChangedRule[];
  /** Rulesets of which the lock has another version. */
  readonly versions: readonly {
    readonly ruleset: Pick<LockedRuleset, "id" | "name">;
    readonly before: string;
    readonly after: string;
  }[];
  /** Rulesets that are executed and not in the lock. */
  readonly notLocked: readonly Pick<LockedRuleset, "id" | "name">[];
}

interface LockComparison {
  readonly locked: readonly LockedRuleset[];
  /** Those that are executed, as the service has them. */
  readonly now: readonly LockedRuleset[];
  readonly executions: readonly ManagedExecution[];
}

/** Compares managed rulesets with the lock, and says what each difference means under the overrides of the executions. */
export function compareWithLock({ locked, now, executions }: LockComparison): LockChanges {
  const before = new Map(locked.map((ruleset) => [ruleset.id, ruleset]));
  const known = now.flatMap((after) => {
    const old = before.get(after.id);
    return old === undefined ? [] : [{ old, after }];
  });
  return {
    rules: known.flatMap(({ old, after }) => changedRules(old, after, executions)),
    versions: known.flatMap(({ old, after }) =>
      old.version === after.version ? [] : [{ ruleset: nameOf(after), before: old.version, after: after.version }],
    ),
    notLocked: now.filter(({ id }) => !before.has(id)).map(nameOf),
  };
}

/** The rules that do something else than before in any place. */
export function withOtherEffect({ rules }: Pick<LockChanges, "rules">): readonly ChangedRule[] {
  return rules.filter(({ effects }) => effects.length > 0);
}

/** Whether the service has exactly what the lock has. */
export function isUpToDate({ rules, versions, notLocked }: LockChanges): boolean {
  return rules.length + versions.length + notLocked.length === 0;
}

function nameOf({ id, name }: LockedRuleset): Pick<LockedRuleset, "id" | "name"> {
  return { id, name };
}

/** The effects of the rules of a ruleset in one place, by ID. */
interface PlaceEffects {
  readonly place: string;
  readonly before: ReadonlyMap<string, Effect>;
  readonly after: ReadonlyMap<string, Effect>;
}

function changedRules(
  old: LockedRuleset,
  now: LockedRuleset,
  executions: readonly ManagedExecution[],
): readonly ChangedRule[] {
  const places = executions
    .filter(({ ruleset, enabled }) => enabled && ruleset === now.id)
    .map(({ place, overrides }): PlaceEffects => ({
      ...{ place, before: effectsOf(old.rules, overrides), after: effectsOf(now.rules, overrides) },
    }));
  const before = new Map(old.rules.map((rule) => [rule.id, rule]));
  const after = new Map(now.rules.map((rule) => [rule.id, rule]));
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  return ids.flatMap((id): readonly ChangedRule[] => {
    const [was, is] = [before.get(id), after.get(id)];
    if (sameJson(was, is)) return [];
    const target = is === undefined && was !== undefined ? mergedInto(was, now.rules) : undefined;
    const changes = grouped(
      places.map((one) => ({ place: one.place, before: one.before.get(id), after: one.after.get(id) })),
    );
    const replaced = grouped(
      places.map((one) => ({ place: one.place, before: one.before.get(id), after: one.after.get(target?.id ?? "") })),
    );
    return [
      {
        kind: was === undefined ? "new" : is === undefined ? "gone" : "changed",
        ruleset: nameOf(now),
        before: was,
        after: is,
        mergedInto: target,
        effects: target === undefined ? changes.filter(differs) : replaced.filter(isWeaker),
        now: was === undefined ? changes : [],
        details: was === undefined || is === undefined ? [] : detailsOf(was, is),
      },
    ];
  });
}

function effectsOf(rules: readonly LockedRule[], overrides: unknown): ReadonlyMap<string, Effect> {
  const sensitivity = new Map(rules.map((rule) => [rule.id, rule.sensitivity]));
  const effective = applyOverrides(rules.map(ruleOfLock), readOverrides(overrides));
  return new Map(effective.map((rule) => [rule.id, effectOf(rule, rule.sensitivityLevel ?? sensitivity.get(rule.id))]));
}

function effectOf({ action, enabled, scoreThreshold }: EffectiveRule, sensitivity: string | undefined): Effect {
  if (!enabled) return { words: "off", stops: false, firmness: 0 };
  const score = scoreThreshold === undefined ? "" : ` at a score of ${String(scoreThreshold)}`;
  const level = sensitivity === undefined ? "" : ` with sensitivity ${sensitivity}`;
  return { words: `${action}${score}${level}`, stops: stopsRequests(action), firmness: firmnessOf(action) };
}

type InPlace = Omit<EffectChange, "places"> & { readonly place: string };

/** The places with the same change together. */
function grouped(changes: readonly InPlace[]): readonly EffectChange[] {
  const groups = new Map<string, EffectChange>();
  for (const { place, before, after } of changes) {
    const key = `${before?.words ?? ""}\0${after?.words ?? ""}`;
    groups.set(key, { before, after, places: [...(groups.get(key)?.places ?? []), place] });
  }
  return Array.from(groups.values());
}

/** A rule that does not exist does what a disabled one does. */
function differs({ before, after }: EffectChange): boolean {
  return (before?.words ?? "off") !== (after?.words ?? "off");
}

/** Whether the rule that a rule was merged into does less than it did. */
function isWeaker({ before, after }: EffectChange): boolean {
  return (after?.firmness ?? 0) < (before?.firmness ?? 0);
}

function detailsOf(was: LockedRule, is: LockedRule): readonly string[] {
  const changed = <T extends Parameters<typeof shown>[0]>(name: string, before: T, after: T): string[] =>
    sameJson(before, after) ? [] : [`${name} ${shown(before)} → ${shown(after)}`];
  return [
    ...changed("action", was.action, is.action),
    ...changed("enabled", was.enabled, is.enabled),
    ...changed("tags", was.categories, is.categories),
    ...changed("sensitivity", was.sensitivity, is.sensitivity),
    ...changed("score threshold", was.scoreThreshold, is.scoreThreshold),
    ...changed("name", was.name, is.name),
    ...changed("version", was.version, is.version),
  ];
}

function shown(value: string | number | boolean | readonly string[] | undefined): string {
  if (value === undefined) return "none";
  return typeof value === "object" ? (value.length === 0 ? "none" : value.join(", ")) : String(value);
}
