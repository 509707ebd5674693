import { changedFields, contentText, effectText, sameContent, writtenText } from "../rules/content.js";
import { movedRefs } from "../rules/diff.js";
import { Pool } from "../rules/pool.js";
import { sameJson } from "../model/json.js";
import type { RulesetRule } from "../model/generated/rule.js";
import type { DeployedRule, KeyedRules, Ruleset } from "../model/ruleset.js";

/** What a stack knows of a ruleset: its own rules' ids by ref, and the service's last answer. */
export interface LastSeen {
  readonly ruleIds: Readonly<Record<string, string>>;
  readonly deployedRules: readonly DeployedRule[];
  readonly description: string;
}

/** What the program wants. */
export interface Wanted extends KeyedRules {
  readonly description: string;
}

/** Changes that somebody else made since this stack last looked, and that the program does not want as well. */
export interface Conflict {
  /** Rules this stack never wrote. */
  readonly foreign: readonly DeployedRule[];
  /** Rules of this stack that somebody edited. */
  readonly edited: readonly { readonly ref: string; readonly rule: DeployedRule; readonly fields: readonly string[] }[];
  /** Rules of this stack that somebody deleted. */
  readonly removed: readonly string[];
  /** Refs of rules of this stack that somebody moved. */
  readonly moved: readonly string[];
  /** The description somebody wrote. */
  readonly description?: string;
}

/** Rules there that this stack never wrote. */
export function foreignRules(seen: Pick<LastSeen, "ruleIds">, rules: readonly DeployedRule[]): DeployedRule[] {
  const own = new Set(Object.values(seen.ruleIds));
  return rules.filter(({ id }) => !own.has(id));
}

/**
 * For wanted rules that are not at the service under this stack's name yet: the rule there that is the same, by ref, by
 * what it says, or by what it does under another description. A change made by hand at night and written into the
 * program in the morning is recognised here. A rule of this stack is recognised under another ref only when the program
 * does not name that ref itself. Two stacks may use the same ref, so a rule with another content is recognised only
 * under its own id, which nobody else would name. In a shared ruleset a rule of somebody else is recognised by its ref
 * alone, since an equal one may well be another stack's; one that says something else only where the program adopts it.
 */
export function recognise(
  seen: LastSeen,
  wanted: KeyedRules,
  actual: Pick<Ruleset, "rules">,
  { shared = false, adopts = false }: { readonly shared?: boolean; readonly adopts?: boolean } = {},
): Map<string, DeployedRule> {
  const held = new Set(wanted.order.map((ref) => seen.ruleIds[ref]));
  const there = new Set(actual.rules.map(({ id }) => id));
  const own = new Set(Object.values(seen.ruleIds));
  const free = new Set(actual.rules.flatMap(({ id }, index) => (held.has(id) ? [] : [index])));
  const found = new Map<string, DeployedRule>();
  const give = (ref: string, index: number | undefined): void => {
    const rule = index === undefined ? undefined : actual.rules[index];
    if (index === undefined || rule === undefined) return;
    found.set(ref, rule);
    free.delete(index);
  };
  const open = (): string[] => wanted.order.filter((ref) => !there.has(seen.ruleIds[ref] ?? "") && !found.has(ref));
  const pool = (
    nameOf: (rule: DeployedRule) => string,
    accepts: (rule: DeployedRule) => boolean = () => true,
  ): Pool => {
    const members = new Pool(free);
    actual.rules.forEach((rule, index) => {
      if (accepts(rule)) members.add(nameOf(rule), index);
    });
    return members;
  };
  const byRef = pool(({ ref }) => ref);
  for (const ref of open()) {
    const index = byRef.first(ref);
    const rule = index === undefined ? undefined : actual.rules[index];
    if (rule === undefined) continue;
    if (adopts || rule.ref === rule.id || sameContent(rule, wanted.rules[ref] ?? {})) give(ref, index);
  }
  for (const textOf of [writtenText, contentText, effectText]) {
    const all = pool(textOf, ({ id }) => !shared || own.has(id));
    const foreign = pool(textOf, ({ id }) => !shared && !own.has(id));
    for (const ref of open()) {
      const rule = wanted.rules[ref];
      if (rule !== undefined) give(ref, (rule.ref === undefined ? all : foreign).first(textOf(rule)));
    }
  }
  return found;
}

/** Compares what this stack saw last, what is there, and what the program wants. */
export function findConflict(
  seen: LastSeen,
  actual: Pick<Ruleset, "rules" | "description">,
  wanted: Wanted,
  known: ReadonlyMap<string, DeployedRule> = recognise(seen, wanted, actual),
): Conflict {
  const byId = new Map(actual.rules.map((rule) => [rule.id, rule]));
  const lastById = new Map(seen.deployedRules.map((rule) => [rule.id, rule]));
  const recognised = new Set([...known.values()].map(({ id }) => id));
  const own = Object.entries(seen.ruleIds).filter(([, id]) => lastById.has(id));
  const edited = own.flatMap(([ref, id]) => {
    const now = byId.get(id);
    const last = lastById.get(id);
    if (now === undefined || last === undefined || sameContent(now, last)) return [];
    const want: RulesetRule | undefined = wanted.rules[ref];
    return want !== undefined && sameContent(now, want) ? [] : [{ ref, rule: now, fields: changedFields(last, now) }];
  });
  const removed = own.flatMap(([ref, id]) => (byId.has(id) || wanted.rules[ref] === undefined ? [] : [ref]));
  const description = actual.description;
  const described = description !== seen.description && description !== wanted.description;
  return {
    foreign: foreignRules(seen, actual.rules).filter(({ id }) => !recognised.has(id)),
    edited,
    removed,
    moved: movedByOthers(own, seen, actual, wanted),
    ...(described ? { description } : {}),
  };
}

function movedByOthers(
  own: readonly (readonly [string, string])[],
  seen: LastSeen,
  actual: Pick<Ruleset, "rules">,
  wanted: KeyedRules,
): string[] {
  const refOf = new Map(own.map(([ref, id]) => [id, ref]));
  const refs = (rules: readonly DeployedRule[]): string[] => rules.flatMap(({ id }) => refOf.get(id) ?? []);
  const now = refs(actual.rules);
  const there = new Set(now);
  const before = refs(seen.deployedRules).filter((ref) => there.has(ref));
  const want = wanted.order.filter((ref) => there.has(ref));
  const stillWanted = new Set(want);
  return sameJson(before, now) ||
    sameJson(
      want,
      now.filter((ref) => stillWanted.has(ref)),
    )
    ? []
    : movedRefs(before, now);
}

/** What concerns a stack that shares a ruleset: what others did to its own rules. Their own rules, and what describes the ruleset, are their business. */
export function ownConflict({ edited, removed, moved }: Conflict): Conflict {
  return { foreign: [], edited, removed, moved };
}

export function isConflict(conflict: Conflict): boolean {
  const { foreign, edited, removed, moved, description } = conflict;
  return foreign.length + edited.length + removed.length + moved.length > 0 || description !== undefined;
}
