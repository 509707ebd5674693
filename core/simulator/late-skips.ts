/** What decides which skip rules come too late. */
export interface SkipOrder<R> {
  /** Equal for skip rules that skip the same; undefined for other rules, and where it is not known what is skipped. */
  readonly keyOf: (rule: R) => unknown;
  /** Whether a skip rule may skip a rule that comes after it. */
  readonly maySkip: (skip: R, later: R) => boolean;
  /** Whether it would skip a rule that comes before it, if it were above that. */
  readonly wouldSkip: (skip: R, earlier: R) => boolean;
  /** Whether a skip rule with nothing after it is too late even if there is nothing before it. */
  readonly isLateAlone: (skip: R) => boolean;
}

/** A skip rule that comes too late. */
interface LateSkip {
  readonly index: number;
  /** The first rule that it would skip if it were above that; undefined if there is none. */
  readonly first: number | undefined;
}

/**
 * Finds skip rules after which nothing comes that they may skip, in the order of the rules. Another one that skips nothing
 * counts as nothing. The work grows with the number of rules, for each way to skip.
 */
export function lateSkips<R>(rules: readonly R[], order: SkipOrder<R>): readonly LateSkip[] {
  const keys = rules.map(order.keyOf);
  /** By key, a skip rule for which nothing was found yet that it may skip. */
  const open = new Map<unknown, R>();
  const firsts = new Map<unknown, number>();
  rules.forEach((rule, index) => {
    const key = keys[index];
    if (key === undefined || open.has(key)) return;
    open.set(key, rule);
    firsts.set(
      key,
      rules.findIndex((earlier) => order.wouldSkip(rule, earlier)),
    );
  });
  const late: LateSkip[] = [];
  rules.toReversed().forEach((rule, count) => {
    const index = rules.length - 1 - count;
    const key = keys[index];
    const found = firsts.get(key) ?? -1;
    const first = found >= 0 && found < index ? found : undefined;
    if (key !== undefined && open.has(key) && (first !== undefined || order.isLateAlone(rule))) {
      late.push({ index, first });
      return;
    }
    for (const [each, skip] of open) if (order.maySkip(skip, rule)) open.delete(each);
  });
  return late.reverse();
}
