import { isObject } from "../model/json.js";
import { isUnknown } from "../model/unknown.js";
import { RefDeriver } from "./derive-ref.js";
import { matchRules, type KnownRule, type WantedRule } from "./match.js";
import { Pool } from "./pool.js";
import { Rule } from "./rule.js";

/** A ref of the program stands where another ref stood: the service will give the rule a new id. */
export interface RefChange {
  readonly index: number;
  readonly ref: string;
  /** The ref the rule has now; naming this one keeps its id. */
  readonly present: string;
}

export interface AssignedRefs {
  /** One for each wanted rule, in order. */
  readonly refs: readonly string[];
  /** Index of the known rule each one is. */
  readonly matching: readonly (number | undefined)[];
  readonly changes: readonly RefChange[];
}

/**
 * Gives every rule of a program its ref: its own, the one it has had, or a new one derived from what it says, and from whose
 * it is, where an owner is named.
 */
export function assignRefs(
  known: readonly KnownRule[],
  wanted: readonly WantedRule[],
  secretFields: (index: number) => readonly string[] = () => [],
  owner?: string,
): AssignedRefs {
  const values = wanted.map((rule) => new Rule(rule));
  const matching = matchRules(known, values);
  const own = wanted.map((rule) =>
    isObject(rule) && typeof rule.ref === "string" && !isUnknown(rule.ref) ? rule.ref : undefined,
  );
  const taken = new Set([...known.map(({ ref }) => ref), ...own.flatMap((ref) => ref ?? [])]);
  const take = (ref: string): string => {
    taken.add(ref);
    return ref;
  };
  const deriver = new RefDeriver((ref) => taken.has(ref), owner);
  const refs = wanted.map((rule, index) => {
    const given = own[index];
    const match = matching[index];
    if (given !== undefined) return given;
    if (match !== undefined) return known[match]?.ref ?? "";
    if (!isObject(rule)) return take(pendingRef(index, taken));
    return take(deriver.derive({ rule, secretFields: secretFields(index) }));
  });
  return { refs, matching, changes: refChanges(known, values, own, matching) };
}

/** A name for a rule of which nothing is known yet. */
function pendingRef(index: number, taken: ReadonlySet<string>): string {
  for (let number = index + 1; ; number += 1) {
    const ref = `rule-${String(number)}`;
    if (!taken.has(ref)) return ref;
  }
}

function refChanges(
  known: readonly KnownRule[],
  wanted: readonly Rule[],
  own: readonly (string | undefined)[],
  matching: readonly (number | undefined)[],
): RefChange[] {
  const free = new Set(known.keys());
  for (const match of matching) if (match !== undefined) free.delete(match);
  if (free.size === 0) return [];
  const byContent = new Pool(free);
  known.forEach(({ rule }, index) => {
    if (free.has(index)) byContent.add(rule.text, index);
  });
  return own.flatMap((ref, index) => {
    const rule = wanted[index];
    if (ref === undefined || matching[index] !== undefined || rule === undefined) return [];
    const old = byContent.first(rule.text);
    if (old === undefined) return [];
    free.delete(old);
    return [{ index, ref, present: known[old]?.ref ?? "" }];
  });
}
