import { checkCache } from "../../../engine/check-cache.js";
import { listsOfRun } from "../../lists/run.js";
import type { Session } from "../../../engine/session.js";
import { isObject, type Json } from "../../../../core/model/json.js";
import { valueAt, type Path } from "../../../../core/model/path.js";
import { hideWrapped, wrapSecretsAt } from "../../../../core/model/secret.js";
import type { Rule } from "../../../../core/rules/rule.js";
import { listUsesOf } from "../../../validation/list-uses.js";
import { effectOfEdit, listEffectText, type EditOfRules, type JudgedPart } from "../../../validation/index.js";
import { late } from "../../../../core/model/late.js";

/** Only if rules change that use shared lists. */
const loadSharedLists = late<typeof import("./shared-lists.js")>(() => require("./shared-lists.js"));

/** A rule, and where the secrets in it are. */
export interface RuleInForce {
  readonly rule: Rule;
  readonly secretPaths: readonly Path[];
}

/** The rules before and after a change, in order. */
export interface RulesInForce {
  readonly before: readonly RuleInForce[];
  readonly after: readonly RuleInForce[];
}

/** What is known of the ruleset. */
interface ChangedRuleset {
  readonly phase: unknown;
  /** `custom`, or that of an entry point. */
  readonly kind: unknown;
  /** Whether the ruleset has rules of others. */
  readonly isPart: boolean;
  /** Refs of rules that move among those of others. */
  readonly moved?: readonly string[];
}

/**
 * Reports what a change does to requests, with example requests, and what of it is not analysed; once more if a list that the rules
 * use is checked later and changes, too.
 */
export async function reportEffect(
  session: Session,
  urn: string | undefined,
  ruleset: ChangedRuleset,
  rules: RulesInForce,
): Promise<void> {
  const names = listNamesIn([...rules.before, ...rules.after]);
  if (listsOfRun(session).hasPart(names)) await loadSharedLists().readSharedLists(session, urn ?? "", names);
  report(session, urn, ruleset, rules);
  if (names.length > 0)
    listsOfRun(session).watch(names, () => {
      report(session, urn, ruleset, rules);
    });
}

/** Of a change of lists, the message is one that `summarize` reads, because a preview leaves out rules that stay as they are. */
function report(session: Session, urn: string | undefined, ruleset: ChangedRuleset, rules: RulesInForce): void {
  const names = listNamesIn([...rules.before, ...rules.after]);
  const declared = listsOfRun(session);
  const edit = { ...ruleset, ...judgedEdit(session, rules) };
  const found = checkCache(session).get("effect", [edit], () => effectOfEdit(edit, session.clock.now() / 1000));
  if (found === undefined) return;
  const changed = declared.changed(names);
  if (urn !== undefined && changed.length > 0 && session.reporter.plan !== undefined)
    session.reporter.plan(urn, listEffectText({ lists: changed, effect: found.effect }));
  else if (found.text !== undefined) session.reporter.info(urn, found.text);
}

/** The rules of both sides, without secrets, and the lists that they use. */
function judgedEdit(session: Session, rules: RulesInForce): Pick<EditOfRules, "before" | "after" | "lists"> {
  const values = new Map<string, string>();
  const side = (all: readonly RuleInForce[]): readonly JudgedPart[] => all.map((one) => judgedPart(one, values));
  const names = listNamesIn([...rules.before, ...rules.after]);
  return {
    before: side(rules.before),
    after: side(rules.after),
    ...(names.length === 0 ? {} : { lists: listsOfRun(session).edit(names) }),
  };
}

/**
 * Reports what a change of lists does to requests through rules that stay as they are; also when the lists are checked after the
 * rules.
 */
export function reportListEffects(
  session: Session,
  urn: string,
  ruleset: ChangedRuleset,
  rules: readonly RuleInForce[],
): void {
  if (session.ruleAnalysis === "off") return;
  const names = listNamesIn(rules);
  if (names.length === 0) return;
  listsOfRun(session).watch(names, () => {
    report(session, urn, ruleset, { before: rules, after: rules });
  });
}

function listNamesIn(rules: readonly RuleInForce[]): readonly string[] {
  return [...new Set(rules.flatMap(({ rule }) => listUsesOf(rule.fields).map(({ name }) => name)))];
}

/** Replaces the secrets in a rule, which no message may show. Equal ones have the same number. */
function judgedPart({ rule: { fields }, secretPaths }: RuleInForce, values: Map<string, string>): JudgedPart {
  if (secretPaths.length === 0) return { rule: fields };
  const value = fields as Json;
  const secrets = JSON.stringify(secretPaths.map((path) => [path, valueAt(value, path)]));
  const number = values.get(secrets) ?? String(values.size);
  values.set(secrets, number);
  return { rule: hideWrapped(wrapSecretsAt(value, secretPaths)), secrets: number };
}

/** Whether both lists do the same to requests, rule by rule. */
export function haveSameEffects({ before, after }: RulesInForce): boolean {
  return before.length === after.length && before.every(({ rule }, index) => hasSameEffect(rule, after[index]?.rule));
}

function hasSameEffect(rule: Rule, other: Rule | undefined): boolean {
  if (!isObject(rule.fields) || !isObject(other?.fields)) return isObject(rule.fields) === isObject(other?.fields);
  return rule.hasSameEffectAs(other);
}
