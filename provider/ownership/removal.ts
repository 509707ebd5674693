import { RulesetsError } from "../../core/model/errors.js";
import type { DeployedRule } from "../../core/model/ruleset.js";
import { hasUnknown } from "../../core/model/unknown.js";
import { plural } from "../../core/model/words.js";
import { Pool } from "../../core/rules/pool.js";
import { Rule } from "../../core/rules/rule.js";
import { displayedRuleWords } from "./rule-text.js";
import type { Display } from "./words.js";

/** Rules that a run would remove, and how many there are. */
export interface Removal {
  readonly removed: readonly DeployedRule[];
  readonly before: number;
  /** Rules that are not removed, because another resource of the program has them from now on. */
  readonly released?: readonly ReleasedTo[];
}

/** A rule that moves to another resource of the program. */
interface ReleasedTo {
  readonly rule: DeployedRule;
  /** URN of that resource. */
  readonly to: string;
}

/** A rule that is kept or added; a rule that is not known yet may be any rule. */
type KeptRule = object & { readonly ref?: string | undefined };

/**
 * The rules that a write actually removes: neither the ref nor the effect of any other rule matches. A rule that is
 * changed, disabled, moved, or only given another ref is not removed.
 */
export function findRemoved(before: readonly DeployedRule[], after: readonly KeptRule[]): Removal {
  const kept = new Set(after.flatMap(({ ref }) => ref ?? []));
  const missing = before.filter(({ ref }) => !kept.has(ref));
  // Comparing effects takes long, and most changes keep every ref.
  if (missing.length === 0) return { removed: missing, before: before.length };
  const refs = new Set(before.map(({ ref }) => ref));
  const free = new Set<number>();
  after.forEach((rule, index) => {
    if (!refs.has(rule.ref ?? "") && !hasUnknown(rule)) free.add(index);
  });
  const added = new Pool(free);
  for (const index of free) added.add(Rule.of(after[index]).effect, index);
  const removed = missing.filter((rule) => {
    const same = added.first(Rule.of(rule).effect);
    if (same !== undefined) free.delete(same);
    return same === undefined;
  });
  return { removed, before: before.length };
}

/** Which rules move to other resources of the program. */
export function releasedText(released: readonly ReleasedTo[], display: Display): string {
  const one = released.length === 1;
  return [
    one
      ? "1 rule moves to another resource of this program, and is not deleted:"
      : `${String(released.length)} rules move to other resources of this program, and are not deleted:`,
    ...released.map(({ rule, to }) => `  - ${displayedRuleWords(rule, display)}: ${to}`),
  ].join("\n");
}

/** Whether a run may remove that many rules. Without a limit, or with a limit of 100 percent, it may remove all. */
export function isWithinLimit(
  { removed, before }: { readonly removed: readonly unknown[]; readonly before: number },
  maxPercent: number | undefined,
): boolean {
  return maxPercent === undefined || removed.length * 100 <= maxPercent * before;
}

/** What is about to remove rules. */
export type RemovingOperation = "change" | "takeover" | "replacement" | "delete";

const HOW_TO_KEEP: Readonly<Record<RemovingOperation, string>> = {
  change: "put them back into `rules`; a list that is read from elsewhere may be incomplete",
  takeover: "add them to `rules`; `npx pulumi-rulesets versions show` prints them",
  replacement: 'leave the zone, the phase and the name as they are, or run `pulumi up` with onDelete: "keep" first',
  delete: 'leave the resource in the program, or run `pulumi up` with onDelete: "keep" first',
};

/** The limit that a run exceeds, and what it is about to do. */
interface Exceeded {
  readonly maxPercent: number;
  readonly operation: RemovingOperation;
  /** How to keep rules by another resource of the program, if there can be one. */
  readonly toMove?: string | undefined;
}

/** Why a run stops before it removes rules, which rules, and how to continue. */
export function removalError(
  where: string,
  { removed, before, released = [] }: Removal,
  { maxPercent, operation, toMove }: Exceeded,
  display: Display,
): RulesetsError {
  return limitError({
    where,
    operation,
    maxPercent,
    noun: "rule",
    removed: removed.length,
    before,
    lines: [
      ...removed.map((rule) => `  - ${displayedRuleWords(rule, display)}`),
      ...(released.length === 0 ? [] : [releasedText(released, display)]),
    ],
    ways: [
      `  - keep them: ${HOW_TO_KEEP[operation]}`,
      ...(toMove === undefined || operation !== "change" ? [] : [`  - ${toMove}`]),
    ],
  });
}

/** Something that a run would remove too much of, as its message says it. */
interface ExceededLimit {
  readonly where: string;
  readonly operation: RemovingOperation;
  readonly maxPercent: number;
  /** What is counted: `rule`. */
  readonly noun: string;
  readonly removed: number;
  readonly before: number;
  /** What is removed, a line each. */
  readonly lines: readonly string[];
  /** How to continue without removing it. */
  readonly ways: readonly string[];
}

export function limitError({
  where,
  operation,
  maxPercent,
  noun,
  removed,
  before,
  lines,
  ways,
}: ExceededLimit): RulesetsError {
  const share = (removed * 100) / Math.max(before, 1);
  const command = operation === "delete" ? "pulumi destroy` (or `up`)" : "pulumi up`";
  const text = [
    `${where}: this ${operation} removes ${countOf(removed, before, noun)}, ${String(Math.floor(share))} percent, and ` +
      `maxRemovedPercent is ${String(maxPercent)}:`,
    ...lines,
    "Nothing was written. To continue:",
    ...ways,
    `  - remove them, for this one run: \`RULESETS_MAX_REMOVED_PERCENT=${String(Math.ceil(share))} ${command}`,
  ].join("\n");
  return new RulesetsError(text, { code: "REMOVAL_STOPPED" });
}

function countOf(removed: number, before: number, noun: string): string {
  if (removed === before) return before === 1 ? `the only ${noun}` : `every ${noun} (${String(before)})`;
  return `${String(removed)} of ${plural(before, noun)}`;
}
