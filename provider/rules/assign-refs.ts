import { isObject } from "../model/json.js";
import { isUnknown } from "../model/unknown.js";
import { RefDeriver } from "./derive-ref.js";
import { matchRules, type KnownRule, type WantedRule } from "./match.js";
import { Pool } from "./pool.js";
import { Rule } from "./rule.js";

/** The program gives an existing rule another ref, so the service will give the rule a new ID. */
export interface RefChange {
  readonly index: number;
  readonly ref: string;
  /** The rule's current ref; using it keeps the rule's ID. */
  readonly present: string;
}

export interface AssignedRefs {
  /** The ref of each wanted rule, in order. */
  readonly refs: readonly string[];
  /** For each wanted rule, the index of the known rule that it matches. */
  readonly matching: readonly (number | undefined)[];
  readonly changes: readonly RefChange[];
}

/**
 * Assigns a ref to every rule of a program: the one it declares, the one it had before, or a new one derived from its content
 * and the owner, if one is given.
 */
export function assignRefs(
  known: readonly KnownRule[],
  wanted: readonly WantedRule[],
  secretFields: (index: number) => readonly string[] = () => [],
  owner?: string,
): AssignedRefs {
  const values = wanted.map((rule) => Rule.of(rule));
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

/** A ref for a rule that is not known at all yet. */
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
