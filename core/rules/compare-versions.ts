import type { Json } from "../model/json.js";
import type { DeployedRule, Ruleset } from "../model/ruleset.js";
import { meaningOf, contentOf } from "./content.js";
import { diffRules, isEmptyDiff, type RulesDiff } from "./diff.js";
import { keyedDeployedRules } from "./keyed.js";

/** A field in which two versions of a rule differ; `before` or `after` is absent where the field is. */
export interface FieldDifference {
  readonly name: string;
  readonly before?: Json;
  readonly after?: Json;
}

/** How two versions of a ruleset differ, rule by rule. Rules with equal refs are the same rule. */
export interface VersionsDifference {
  readonly from: string;
  readonly to: string;
  /** The ruleset's own description, if it changed. */
  readonly description?: { readonly before: string; readonly after: string };
  readonly added: readonly DeployedRule[];
  readonly removed: readonly DeployedRule[];
  /** Changed rules, as in the later version. */
  readonly changed: readonly { readonly rule: DeployedRule; readonly fields: readonly FieldDifference[] }[];
  /** Refs of rules that are written differently, but have the same meaning. */
  readonly reformatted: readonly string[];
  /** Refs of rules whose position among the others changed. */
  readonly moved: readonly string[];
  /** Refs of rules that did not change. */
  readonly unchanged: readonly string[];
}

/** Compares two versions of one ruleset. */
export function compareVersions(before: Ruleset, after: Ruleset): VersionsDifference {
  const difference = diffRules(keyedDeployedRules(before.rules), keyedDeployedRules(after.rules));
  const old = new Map(before.rules.map((rule) => [rule.ref, rule]));
  const current = new Map(after.rules.map((rule) => [rule.ref, rule]));
  const rulesOf = (from: ReadonlyMap<string, DeployedRule>, refs: readonly string[]): DeployedRule[] =>
    refs.flatMap((ref) => from.get(ref) ?? []);
  return {
    from: before.version,
    to: after.version,
    ...(before.description === after.description
      ? {}
      : { description: { before: before.description, after: after.description } }),
    added: rulesOf(current, difference.added),
    removed: rulesOf(old, difference.removed),
    changed: difference.changed.flatMap(({ ref, fields }) => {
      const [was, is] = [old.get(ref), current.get(ref)];
      return was === undefined || is === undefined
        ? []
        : [{ rule: is, fields: fields.map((name) => fieldOf(name, was, is)) }];
    }),
    reformatted: difference.reformatted,
    moved: difference.moved,
    unchanged: difference.unchanged,
  };
}

function fieldOf(name: string, was: DeployedRule, is: DeployedRule): FieldDifference {
  // Prefer the field as written; use the normal form if only that contains the field.
  const before = contentOf(was)[name] ?? meaningOf(was)[name];
  const after = contentOf(is)[name] ?? meaningOf(is)[name];
  return { name, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** Whether two versions are identical, including how their rules are written. */
export function isSameVersion(difference: VersionsDifference): boolean {
  return difference.description === undefined && isEmptyDiff(countsOf(difference));
}

/** The difference with refs instead of rules, for a summary line. */
export function countsOf({ added, removed, changed, ...rest }: VersionsDifference): RulesDiff {
  return {
    ...rest,
    added: added.map(({ ref }) => ref),
    removed: removed.map(({ ref }) => ref),
    changed: changed.map(({ rule, fields }) => ({ ref: rule.ref, fields: fields.map(({ name }) => name) })),
  };
}
