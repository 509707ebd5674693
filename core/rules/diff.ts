import { movedRefs } from "../simulator/moves.js";
import { NO_RULE, type Rule } from "./rule.js";
import type { KeyedRules } from "./keyed.js";

/** How two ordered sets of rules differ. Every ref is in one list, except that a changed or reformatted rule may also move. */
export interface RulesDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly { readonly ref: string; readonly fields: readonly string[] }[];
  /** Rules that are written differently, but have the same meaning. */
  readonly reformatted: readonly string[];
  readonly moved: readonly string[];
  readonly unchanged: readonly string[];
}

export const NO_DIFFERENCE = {
  added: [],
  removed: [],
  changed: [],
  reformatted: [],
  moved: [],
  unchanged: [],
} as const;

/** Compares rules by ref. A rule that is not fully known yet counts as changed, without fields, if it might differ. */
export function diffRules(before: KeyedRules, after: KeyedRules): RulesDiff {
  if (before === after) return { ...NO_DIFFERENCE, unchanged: after.order };
  const common = after.order.filter((ref) => before.rules[ref] !== undefined);
  const changed = common.flatMap((ref) => {
    const { [ref]: old = NO_RULE } = before.rules;
    const { [ref]: current = NO_RULE } = after.rules;
    if (current.pending) return current.mayMeanSameAs(old) ? [] : [{ ref, fields: [] }];
    const fields = old.changedFields(current);
    return fields.length > 0 ? [{ ref, fields }] : [];
  });
  const different = new Set(changed.map(({ ref }) => ref));
  const reformatted = common.filter((ref) => !different.has(ref) && isReformatted(before.rules[ref], after.rules[ref]));
  const moved = movedRefs(
    before.order.filter((ref) => after.rules[ref] !== undefined),
    common,
  );
  const touched = new Set([...different, ...reformatted, ...moved]);
  return {
    added: after.order.filter((ref) => before.rules[ref] === undefined),
    removed: before.order.filter((ref) => after.rules[ref] === undefined),
    changed,
    reformatted,
    moved,
    unchanged: common.filter((ref) => !touched.has(ref)),
  };
}

function isReformatted(before: Rule = NO_RULE, after: Rule = NO_RULE): boolean {
  return !after.pending && !after.isWrittenAs(before);
}

/** The difference if a new notation is not sent: rules that are only reformatted count as unchanged. */
export function withoutForm(diff: RulesDiff): RulesDiff {
  const moved = new Set(diff.moved);
  const still = diff.reformatted.filter((ref) => !moved.has(ref));
  return { ...diff, reformatted: [], unchanged: [...diff.unchanged, ...still] };
}

export function isEmptyDiff({ added, removed, changed, reformatted, moved }: RulesDiff): boolean {
  return added.length + removed.length + changed.length + reformatted.length + moved.length === 0;
}
