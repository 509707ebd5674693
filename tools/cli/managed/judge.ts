import { compareWithLock, isUpToDate, withOtherEffect, type LockChanges } from "../../../core/managed/lock-changes.js";
import type { LockedRuleset } from "../../../core/managed/lock.js";
import { deadReferences, type DeadReference } from "../../../provider/validation/dead-references.js";
import type { ManagedUses } from "./sources.js";

/** An override or an entry of a skip list that names nothing, and the places that have it. */
interface DeadPlaces extends Pick<DeadReference, "via" | "kind" | "ruleset" | "name" | "message" | "mergedInto"> {
  readonly places: readonly string[];
}

/** How the service differs from the lock, and what that means here. */
export interface JudgedManaged {
  readonly changes: LockChanges;
  readonly dead: readonly DeadPlaces[];
  /** Rulesets of the lock that nothing executes any more, if everything could be read. */
  readonly notExecuted: readonly LockedRuleset[];
  /** Whether the lock file has something else than the service: a new one accepts that. */
  readonly outOfDate: boolean;
  /** Whether anything differs, or names nothing. */
  readonly differs: boolean;
  /** Whether something behaves differently, an override names nothing, or something is not in the lock. */
  readonly matters: boolean;
}

interface ManagedInput extends ManagedUses {
  readonly locked: readonly LockedRuleset[];
  readonly now: readonly LockedRuleset[];
  /** Whether something could not be read, which may execute any ruleset. */
  readonly isPartial: boolean;
}

/** Judges the managed rulesets of the service against a lock. */
export function judgeManaged({ locked, now, executions, rules, isPartial }: ManagedInput): JudgedManaged {
  const changes = compareWithLock({ locked, now, executions });
  const known = { now: new Map(now.map((ruleset) => [ruleset.id, ruleset])), locked };
  const dead = grouped(
    rules.flatMap(({ place, rule }) => deadReferences(rule, known).map((one) => ({ ...one, place }))),
  );
  const executed = new Set(executions.map(({ ruleset }) => ruleset));
  const notExecuted = isPartial ? [] : locked.filter(({ id }) => !executed.has(id));
  const matters = withOtherEffect(changes).length + dead.length + changes.notLocked.length > 0;
  const outOfDate = !isUpToDate(changes) || notExecuted.length > 0;
  return { changes, dead, notExecuted, outOfDate, matters, differs: matters || outOfDate };
}

function grouped(found: readonly (DeadReference & { readonly place: string })[]): readonly DeadPlaces[] {
  const groups = new Map<string, DeadPlaces>();
  for (const { place, via, kind, ruleset, name, message, mergedInto } of found) {
    const places = [...new Set([...(groups.get(message)?.places ?? []), place])];
    groups.set(message, {
      via,
      kind,
      ruleset,
      name,
      message,
      ...(mergedInto === undefined ? {} : { mergedInto }),
      places,
    });
  }
  return Array.from(groups.values());
}
