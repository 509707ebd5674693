import { isObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import { isUnknown } from "../model/unknown.js";
import { RefDeriver } from "./derive-ref.js";
import { matchRules, type KnownRule, type Matching, type WantedRule } from "./match.js";
import { Pool } from "./pool.js";
import { Rule } from "./rule.js";

/** The program gives an existing rule another ref, so the service will give the rule a new ID. */
interface RefChange {
  readonly index: number;
  readonly ref: string;
  /** The rule's current ref; using it keeps the rule's ID. */
  readonly present: string;
}

export interface AssignedRefs {
  /** The ref of each wanted rule, in order. */
  readonly refs: readonly string[];
  readonly changes: readonly RefChange[];
}

/** What else is known about the rules of a program when they get their refs. */
interface RefOptions {
  /** The paths of secrets in the rule at an index, which a new ref must not reveal. @default none */
  readonly secretPathsIn?: (index: number) => readonly Path[];
  /** Makes new refs differ from those of other owners. @default not part of a ref */
  readonly owner?: string | undefined;
  /** For each wanted rule, the index of the known rule that it is. @default they are matched here */
  readonly matching?: Matching | undefined;
}

/**
 * Assigns a ref to every rule of a program: the one it declares, the one it had before, or a new one derived from its content
 * and the owner, if one is given.
 */
export function assignRefs(
  known: readonly KnownRule[],
  wanted: readonly WantedRule[],
  { secretPathsIn = () => [], owner, matching: matched }: RefOptions = {},
): AssignedRefs {
  const values = wanted.map((rule) => Rule.of(rule));
  const matching = matched ?? matchRules(known, values);
  const own = wanted.map((rule) =>
    isObject(rule) && typeof rule.ref === "string" && !isUnknown(rule.ref) ? rule.ref : undefined,
  );
  const taken = new Set([...known.map(({ ref }) => ref), ...own.flatMap((ref) => ref ?? [])]);
  const take = (ref: string): string => {
    taken.add(ref);
    return ref;
  };
  const deriver = new RefDeriver((ref) => taken.has(ref), owner);
  const numbers = new RuleNumbers((ref) => taken.has(ref));
  const refs = wanted.map((rule, index) => {
    const given = own[index];
    const match = matching[index];
    if (given !== undefined) return given;
    if (match !== undefined) return known[match]?.ref ?? "";
    if (!isObject(rule)) return take(numbers.refFor(index));
    return take(deriver.derive({ rule, secretFields: secretFields(secretPathsIn(index)) }));
  });
  return { refs, changes: refChanges(known, values, own, matching) };
}

/** The fields of a rule that contain a secret; a secret rule is one in every field that a ref is derived from. */
function secretFields(paths: readonly Path[]): string[] {
  return paths.flatMap(([head]) => (head === undefined ? ["action", "description", "expression"] : [String(head)]));
}

/** Refs for rules that are not known at all yet: their numbers in the list, or the next free ones. */
class RuleNumbers {
  /** Every number from an earlier index up to this one is taken. */
  private last = 0;

  constructor(private readonly isTaken: (ref: string) => boolean) {}

  /** Call with ascending indexes, and take the ref. */
  refFor(index: number): string {
    for (let number = Math.max(index, this.last) + 1; ; number += 1) {
      this.last = number;
      const ref = `rule-${String(number)}`;
      if (!this.isTaken(ref)) return ref;
    }
  }
}

/** Rules with the refs that the first deployment would give them. */
export function withRefs<R extends WantedRule & object>(rules: readonly R[]): readonly R[] {
  const { refs } = assignRefs([], rules);
  return rules.map((rule, index) => ({ ...rule, ref: refs[index] }));
}

function refChanges(
  known: readonly KnownRule[],
  wanted: readonly Rule[],
  own: readonly (string | undefined)[],
  matching: Matching,
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
