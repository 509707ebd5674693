import { pathsByRule, findCopies } from "../../../engine/secrets.js";
import { displayFor } from "../../../engine/display.js";
import { isObject, mapFrom, ownValue, sameJson, type JsonObject } from "../../../../core/model/json.js";
import { valueAt, type Path } from "../../../../core/model/path.js";
import type { DeployedRule } from "../../../../core/model/ruleset.js";
import { valueIfKnown, NOT_KNOWN } from "../../../../core/model/unknown.js";
import { restoredText } from "../../../ownership/restore-messages.js";
import { assignRefs } from "../../../../core/rules/assign-refs.js";
import { parsePendingRule, parseRule } from "../../../../core/model/parse-rule.js";
import { contentOf } from "../../../../core/rules/content.js";
import { knownRules } from "../../../ownership/takeover.js";
import { Rule } from "../../../../core/rules/rule.js";
import { writtenAs } from "../../../../core/rules/form.js";
import {
  fieldsOf,
  keyedEntries,
  type KeyedRules,
  NO_RULES,
  type PendingFields,
  ruleEntries,
  type RuleEntry,
} from "../../../../core/rules/keyed.js";
import type { WantedRule } from "../../../../core/rules/match.js";
import type { RuleList, RulesetCheck } from "./inputs.js";
import type { Secrets } from "../../../../client/redaction/secrets.js";

/** The program's own list. */
export function listOfProgram({ secretPaths, wanted: { rules } }: RulesetCheck): RuleList {
  const wanted = rules === NOT_KNOWN || rules === undefined ? [] : rules;
  return { wanted, secretPathsIn: pathsByRule(secretPaths) };
}

/** A rule of the version, in today's form if it is equal to a rule of today, and the paths of its secrets. */
interface Restored {
  readonly ref: string;
  readonly rule: PendingFields;
  readonly paths: readonly Path[];
}

/**
 * The rules of a version, instead of the program's.
 * @param rules as returned by the service; undefined if the last inputs contain them
 */
export function listOfVersion(checking: RulesetCheck, rules: readonly DeployedRule[] | undefined): RuleList {
  const version = valueIfKnown(checking.wanted.restoreVersion) ?? "";
  const program = programRules(checking, rules ?? ruleEntries(checking.last?.rules ?? NO_RULES).map(withIdentity));
  const restored = rules === undefined ? keptRules(checking) : readRules(checking, rules, program);
  const { secrets } = checking.session;
  secrets.publish(restored.map(({ ref }) => ref));
  for (const { rule, paths } of restored) for (const path of paths) secrets.add(valueAt(rule, path), path);
  return {
    wanted: restored.map(({ rule, ref }) => ({ ...rule, ref })),
    secretPathsIn: (index) => restored[index]?.paths ?? [],
    restored: { refs: restored.map(({ ref }) => ref), note: noteOn(checking, version, program, restored) },
  };
}

function withIdentity({ ref, rule }: RuleEntry): PendingFields & Identity {
  const fields = fieldsOf(rule);
  return { ...fields, ref, id: fields.id ?? ref };
}

/** How a rule is known at the service. */
type Identity = Pick<DeployedRule, "id" | "ref">;

/** The program's rules, with the refs of the version for equal rules; undefined while they are unknown. */
interface Program {
  readonly rules: KeyedRules;
  readonly paths: ReadonlyMap<string, readonly Path[]>;
}

function programRules(
  { wanted: { rules }, secretPaths }: RulesetCheck,
  restored: readonly Identity[],
): Program | undefined {
  if (rules === NOT_KNOWN) return undefined;
  const wanted: readonly WantedRule[] = rules ?? [];
  const pathsIn = pathsByRule(secretPaths);
  const { refs } = assignRefs(knownRules(restored), wanted, { secretPathsIn: pathsIn });
  return {
    rules: keyedEntries(wanted.map((rule, index) => ({ ref: refs[index] ?? "", rule: parsePendingRule(rule) }))),
    paths: new Map(refs.map((ref, index) => [ref, pathsIn(index)])),
  };
}

function keptRules({ olds, last }: RulesetCheck): Restored[] {
  const paths = valueIfKnown(olds?.__secretPaths) ?? {};
  return ruleEntries(last?.rules ?? NO_RULES).map(({ ref, rule }) => ({
    ref,
    rule: fieldsOf(rule),
    paths: ownValue(paths, ref) ?? [],
  }));
}

function readRules(
  { session, olds, last }: RulesetCheck,
  rules: readonly DeployedRule[],
  program: Program | undefined,
): Restored[] {
  const before = last?.rules ?? NO_RULES;
  const oldPaths = valueIfKnown(olds?.__secretPaths) ?? {};
  const allPaths = [...Object.values(oldPaths).flat(), ...[...(program?.paths.values() ?? [])].flat()];
  const contents = rules.map(contentOf);
  const fields = fieldsWithSecrets(allPaths, contents);
  return rules.map((rule) => {
    const { ref } = rule;
    const old = before.rules[ref];
    const pathsBefore = ownValue(oldPaths, ref) ?? [];
    if (old?.meansSameAs(Rule.of(rule)) === true) return { ref, rule: fieldsOf(old.fields), paths: pathsBefore };
    const content = old === undefined ? contentOf(rule) : contentOf(writtenAs(rule, fieldsOf(old.fields)));
    const current = program?.rules.rules[ref];
    const today = [
      ...currentRuleOf(old?.fields, pathsBefore),
      ...currentRuleOf(current?.fields, program?.paths.get(ref) ?? []),
    ];
    return { ref, rule: parseRule(content), paths: maskedPaths(content, today, fields, session.secrets) };
  });
}

function currentRuleOf(rule: unknown, paths: readonly Path[]): CurrentRule[] {
  return isObject(rule) ? [{ rule, paths }] : [];
}

function noteOn(
  { session }: RulesetCheck,
  version: string,
  program: Program | undefined,
  restored: readonly Restored[],
): string | undefined {
  if (program === undefined) return undefined;
  const display = displayFor(session, {
    ruleIds: mapFrom(restored.map(({ ref }) => [ref, ref])),
    __secretPaths: mapFrom(restored.map(({ ref, paths }) => [ref, paths])),
  });
  return restoredText(version, program.rules, keyedEntries(restored), display);
}

/** A current rule with the ref of a restored one, and the paths of its secrets. */
export interface CurrentRule {
  readonly rule: JsonObject;
  readonly paths: readonly Path[];
}

/** Fields whose values are publicly known words. */
const PLAIN = new Set(["action", "enabled"]);

/**
 * The paths where a rule of an earlier version may contain a secret. The service returns it in plain text, and its
 * secrets may be older than those that the program knows. So a whole field is treated as secret if the field of that
 * name contains secrets in any current rule, unless a current rule has the same value there in plain text.
 */
export function maskedPaths(
  rule: JsonObject,
  today: readonly CurrentRule[],
  secretFields: ReadonlySet<string>,
  secrets: Secrets,
): Path[] {
  const inClear = (field: string): boolean =>
    today.some(
      (one) =>
        sameJson(one.rule[field], rule[field]) && one.paths.every(([head]) => head !== undefined && head !== field),
    );
  const suspect = Object.keys(rule).filter((field) => secretFields.has(field) && !PLAIN.has(field) && !inClear(field));
  const fields = new Set(suspect);
  const copies = findCopies(rule, secrets).filter(([head]) => !fields.has(String(head)));
  return [...suspect.map((field) => [field]), ...copies];
}

/** The names of fields that contain secrets; if a whole rule is secret, all its fields do. */
export function fieldsWithSecrets(paths: readonly Path[], rules: readonly JsonObject[]): Set<string> {
  if (paths.some((path) => path.length === 0)) return new Set(rules.flatMap((rule) => Object.keys(rule)));
  return new Set(paths.map(([head]) => String(head)));
}
