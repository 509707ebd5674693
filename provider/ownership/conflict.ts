import { sameJson } from "../../core/model/json.js";
import type { DeployedRule, Ruleset } from "../../core/model/ruleset.js";
import { deployedRulesById, type DeployedRulesById, fieldsOf, type KeyedRules } from "../../core/rules/keyed.js";
import { Pool } from "../../core/rules/pool.js";
import type { Rule } from "../../core/rules/rule.js";
import { isSameText } from "../../core/rules/spelling.js";
import { movedRefs } from "../../core/simulator/moves.js";

/** What a stack knows about a ruleset: the IDs of its own rules by ref, and the service's last response. */
export interface RecordedRuleset {
  readonly ruleIds: Readonly<Record<string, string>>;
  readonly deployedRules: DeployedRulesById;
  readonly description: string;
}

/** What is at the service now. */
interface DeployedContent {
  readonly rules: DeployedRulesById;
  readonly description: string;
}

export function contentById({ rules, description }: Pick<Ruleset, "rules" | "description">): DeployedContent {
  return { rules: deployedRulesById(rules), description };
}

/** What the program wants. */
interface DesiredContent extends KeyedRules {
  readonly description: string;
}

/** Changes that somebody else made since this stack last read the ruleset, and that the program does not also make. */
export interface Conflict {
  /**
   * Rules that this stack never wrote. A rule that the program now also declares is among them only if the program
   * would erase its description.
   */
  readonly foreign: readonly DeployedRule[];
  /** Rules of this stack that somebody edited. */
  readonly edited: readonly { readonly ref: string; readonly rule: DeployedRule; readonly fields: readonly string[] }[];
  /** Rules of this stack that somebody deleted. */
  readonly removed: readonly string[];
  /** Refs of rules of this stack that somebody moved. */
  readonly moved: readonly string[];
  /** The ruleset's description, if somebody changed it. */
  readonly description?: string;
}

/** Nobody else changed anything. */
export const NO_CONFLICT: Conflict = { foreign: [], edited: [], removed: [], moved: [] };

/** Rules at the service that this stack never wrote. */
export function foreignRules(
  recorded: Pick<RecordedRuleset, "ruleIds">,
  rules: readonly DeployedRule[],
): DeployedRule[] {
  const own = new Set(Object.values(recorded.ruleIds));
  return rules.filter(({ id }) => !own.has(id));
}

/** How rules are recognised. */
interface Recognition {
  /** Whether a rule may be recognised by its content. @default every one may */
  readonly mayBe?: (rule: DeployedRule) => boolean;
  /** Whether a rule with a ref of the program is taken over although its content differs. @default no rule is */
  readonly adopts?: (rule: DeployedRule) => boolean;
}

/**
 * Finds, for each desired rule without a known ID at the service, the existing rule that is the same: by ref, by
 * content, or by effect under another description. This recognises a change made by hand at night and added to the
 * program in the morning. A rule of this stack is recognised under another ref only if the program does not set that
 * ref itself. Two stacks may use the same ref, so a rule with other content is recognised only if its ref is its own
 * ID, which nobody else would use. In a shared ruleset, somebody else's rule is recognised only by its ref, because an
 * equal rule may well belong to another stack; if its content differs, only where the plan `adopts` it.
 */
export function recogniseRules(
  recorded: RecordedRuleset,
  desired: KeyedRules,
  deployed: DeployedRulesById,
  { mayBe = () => true, adopts = () => false }: Recognition = {},
): Map<string, DeployedRule> {
  const held = new Set(desired.order.map((ref) => recorded.ruleIds[ref]));
  const own = new Set(Object.values(recorded.ruleIds));
  const rules = [...deployed.values()];
  const free = new Set(rules.flatMap(({ fields: { id } }, index) => (held.has(id) ? [] : [index])));
  const found = new Map<string, DeployedRule>();
  const give = (ref: string, index: number | undefined): void => {
    const rule = index === undefined ? undefined : rules[index];
    if (index === undefined || rule === undefined) return;
    found.set(ref, rule.fields);
    free.delete(index);
  };
  const open = (): string[] =>
    desired.order.filter((ref) => !deployed.has(recorded.ruleIds[ref] ?? "") && !found.has(ref));
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
    if (adopts(rule.fields) || namesId || desired.rules[ref]?.meansSameAs(rule) === true) give(ref, index);
  }
  for (const sign of ["written", "text", "effect"] as const) {
    const all = pool((rule) => rule[sign], mayBe);
    const foreign = pool(
      (rule) => rule[sign],
      (rule) => mayBe(rule) && !own.has(rule.id),
    );
    for (const ref of open()) {
      const rule = desired.rules[ref];
      if (rule !== undefined) give(ref, (fieldsOf(rule.fields).ref === undefined ? all : foreign).first(rule[sign]));
    }
  }
  return found;
}

/** Compares what this stack last read, what is there now, and what the program wants. */
export function findConflict(
  recorded: RecordedRuleset,
  deployed: DeployedContent,
  desired: DesiredContent,
  known: ReadonlyMap<string, DeployedRule> = recogniseRules(recorded, desired, deployed.rules),
): Conflict {
  const recognised = new Set(
    [...known].flatMap(([ref, rule]) => (keepsDescription(ref, rule, desired) ? [rule.id] : [])),
  );
  const own = Object.entries(recorded.ruleIds).filter(([, id]) => recorded.deployedRules.has(id));
  const edited = own.flatMap(([ref, id]) => {
    const rule = deployed.rules.get(id);
    const last = recorded.deployedRules.get(id);
    if (rule === undefined || last === undefined || rule.meansSameAs(last)) return [];
    return desired.rules[ref]?.meansSameAs(rule) === true
      ? []
      : [{ ref, rule: rule.fields, fields: last.changedFields(rule) }];
  });
  const removed = own.flatMap(([ref, id]) => (deployed.rules.has(id) || desired.rules[ref] === undefined ? [] : [ref]));
  const description = deployed.description;
  const descriptionChanged = ![recorded, desired].some((known) => isSameText(description, known.description));
  return {
    foreign: foreignRules(
      recorded,
      [...deployed.rules.values()].map(({ fields }) => fields),
    ).filter(({ id }) => !recognised.has(id)),
    edited,
    removed,
    moved: movedByOthers(own, recorded, deployed, desired),
    ...(descriptionChanged ? { description } : {}),
  };
}

/**
 * Whether a recognised rule keeps the description that somebody gave it. A program with its own description may replace
 * it, which the preview reports; a program without one must not erase it.
 */
function keepsDescription(ref: string, { description = "", ...rule }: DeployedRule, desired: DesiredContent): boolean {
  const named = rule.ref === rule.id && rule.ref === ref;
  return named || description === "" || (desired.rules[ref]?.content.description ?? "") !== "";
}

function movedByOthers(
  own: readonly (readonly [string, string])[],
  recorded: RecordedRuleset,
  deployed: DeployedContent,
  desired: KeyedRules,
): string[] {
  const refOf = new Map(own.map(([ref, id]) => [id, ref]));
  const refs = (rules: DeployedRulesById): string[] => [...rules.keys()].flatMap((id) => refOf.get(id) ?? []);
  const now = refs(deployed.rules);
  const exist = new Set(now);
  const before = refs(recorded.deployedRules).filter((ref) => exist.has(ref));
  const order = desired.order.filter((ref) => exist.has(ref));
  const stay = new Set(order);
  const isOrdered = sameJson(
    order,
    now.filter((ref) => stay.has(ref)),
  );
  return isOrdered || sameJson(before, now) ? [] : movedRefs(before, now);
}

/**
 * The part of a conflict that concerns a stack that shares the ruleset: changes of its own rules. Rules of others and
 * the ruleset's description are left to others.
 */
export function ownConflict({ edited, removed, moved }: Conflict): Conflict {
  return { foreign: [], edited, removed, moved };
}

export function isConflict(conflict: Conflict): boolean {
  const { foreign, edited, removed, moved, description } = conflict;
  return foreign.length + edited.length + removed.length + moved.length > 0 || description !== undefined;
}
