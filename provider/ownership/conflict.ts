import { movedRefs } from "../rules/diff.js";
import { Pool } from "../rules/pool.js";
import type { Rule } from "../rules/rule.js";
import { sameJson } from "../model/json.js";
import type { DeployedRule, Ruleset } from "../model/ruleset.js";
import { standingRules, type KeyedRules, type StandingRules } from "../rules/keyed.js";

/** What a stack knows of a ruleset: its own rules' ids by ref, and the service's last answer. */
export interface LastSeen {
  readonly ruleIds: Readonly<Record<string, string>>;
  readonly deployedRules: StandingRules;
  readonly description: string;
}

/** What stands at the service now. */
export interface Current {
  readonly rules: StandingRules;
  readonly description: string;
}

export function currentOf({ rules, description }: Pick<Ruleset, "rules" | "description">): Current {
  return { rules: standingRules(rules), description };
}

/** What the program wants. */
export interface Wanted extends KeyedRules {
  readonly description: string;
}

/** Changes that somebody else made since this stack last looked, and that the program does not want as well. */
export interface Conflict {
  /** Rules this stack never wrote, and of those that it wants as well the ones whose description it would erase. */
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
  there: StandingRules,
  { shared = false, adopts = false }: { readonly shared?: boolean; readonly adopts?: boolean } = {},
): Map<string, DeployedRule> {
  const held = new Set(wanted.order.map((ref) => seen.ruleIds[ref]));
  const own = new Set(Object.values(seen.ruleIds));
  const rules = [...there.values()];
  const free = new Set(rules.flatMap(({ fields: { id } }, index) => (held.has(id) ? [] : [index])));
  const found = new Map<string, DeployedRule>();
  const give = (ref: string, index: number | undefined): void => {
    const rule = index === undefined ? undefined : rules[index];
    if (index === undefined || rule === undefined) return;
    found.set(ref, rule.fields);
    free.delete(index);
  };
  const open = (): string[] => wanted.order.filter((ref) => !there.has(seen.ruleIds[ref] ?? "") && !found.has(ref));
  const pool = (
    nameOf: (rule: Rule<DeployedRule>) => string,
    accepts: (rule: DeployedRule) => boolean = () => true,
  ): Pool => {
    const members = new Pool(free);
    rules.forEach((rule, index) => {
      if (accepts(rule.fields)) members.add(nameOf(rule), index);
    });
    return members;
  };
  const byRef = pool(({ fields }) => fields.ref);
  for (const ref of open()) {
    const index = byRef.first(ref);
    const rule = index === undefined ? undefined : rules[index];
    if (rule === undefined) continue;
    const namesId = rule.fields.ref === rule.fields.id;
    if (adopts || namesId || wanted.rules[ref]?.meansSameAs(rule) === true) give(ref, index);
  }
  for (const sign of ["written", "text", "effect"] as const) {
    const all = pool(
      (rule) => rule[sign],
      ({ id }) => !shared || own.has(id),
    );
    const foreign = pool(
      (rule) => rule[sign],
      ({ id }) => !shared && !own.has(id),
    );
    for (const ref of open()) {
      const rule = wanted.rules[ref];
      if (rule !== undefined) give(ref, (rule.fields.ref === undefined ? all : foreign).first(rule[sign]));
    }
  }
  return found;
}

/** Compares what this stack saw last, what is there, and what the program wants. */
export function findConflict(
  seen: LastSeen,
  actual: Current,
  wanted: Wanted,
  known: ReadonlyMap<string, DeployedRule> = recognise(seen, wanted, actual.rules),
): Conflict {
  const recognised = new Set([...known].flatMap(([ref, rule]) => (keepsWords(ref, rule, wanted) ? [rule.id] : [])));
  const own = Object.entries(seen.ruleIds).filter(([, id]) => seen.deployedRules.has(id));
  const edited = own.flatMap(([ref, id]) => {
    const now = actual.rules.get(id);
    const last = seen.deployedRules.get(id);
    if (
      now === undefined ||
      last === undefined ||
      now.meansSameAs(last) ||
      wanted.rules[ref]?.meansSameAs(now) === true
    )
      return [];
    return [{ ref, rule: now.fields, fields: last.changedFields(now) }];
  });
  const removed = own.flatMap(([ref, id]) => (actual.rules.has(id) || wanted.rules[ref] === undefined ? [] : [ref]));
  const description = actual.description;
  const described = description !== seen.description && description !== wanted.description;
  return {
    foreign: foreignRules(
      seen,
      [...actual.rules.values()].map(({ fields }) => fields),
    ).filter(({ id }) => !recognised.has(id)),
    edited,
    removed,
    moved: movedByOthers(own, seen, actual, wanted),
    ...(described ? { description } : {}),
  };
}

/**
 * Whether a rule that is recognised keeps what somebody wrote beside what it does. A program that describes it in other
 * words may reword it, which the preview names; one that does not describe it must not erase the description.
 */
function keepsWords(ref: string, { description = "", ...rule }: DeployedRule, wanted: Wanted): boolean {
  const named = rule.ref === rule.id && rule.ref === ref;
  return named || description === "" || (wanted.rules[ref]?.content.description ?? "") !== "";
}

function movedByOthers(
  own: readonly (readonly [string, string])[],
  seen: LastSeen,
  actual: Current,
  wanted: KeyedRules,
): string[] {
  const refOf = new Map(own.map(([ref, id]) => [id, ref]));
  const refs = (rules: StandingRules): string[] => [...rules.keys()].flatMap((id) => refOf.get(id) ?? []);
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
