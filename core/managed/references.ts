import { isList, isObject } from "../model/json.js";
import { shortRulesetId } from "../model/ids.js";
import type { Path } from "../model/path.js";
import { isUnknown } from "../model/unknown.js";

/** A rule or a tag of a managed ruleset that an override or a skip rule names. */
export interface ManagedReference {
  readonly via: "override" | "skip";
  readonly kind: "rule" | "tag";
  /** The ID of the managed ruleset. */
  readonly ruleset: string;
  /** The ID of the rule, or the tag. */
  readonly name: string;
  /** Where the rule of the program has it. */
  readonly path: Path;
}

/** What a rule names of the rulesets that it executes or skips. Values that are not known yet are left out. */
export function managedReferencesIn(rule: unknown): readonly ManagedReference[] {
  if (!isObject(rule) || !isObject(rule.actionParameters)) return [];
  const { actionParameters: parameters } = rule;
  if (rule.action === "execute") return inOverrides(parameters.id, parameters.overrides);
  return rule.action === "skip" ? inSkips(parameters.rules) : [];
}

function inOverrides(id: unknown, overrides: unknown): readonly ManagedReference[] {
  if (!isObject(overrides) || !isName(id)) return [];
  const ruleset = shortRulesetId(id);
  const named = (list: "rules" | "categories", key: "id" | "category"): readonly ManagedReference[] => {
    const items = overrides[list];
    return (isList(items) ? items : []).flatMap((item, index): readonly ManagedReference[] => {
      const name = isObject(item) ? item[key] : undefined;
      if (!isName(name)) return [];
      const path = ["actionParameters", "overrides", list, index, key];
      return [{ via: "override", kind: list === "rules" ? "rule" : "tag", ruleset, name, path }];
    });
  };
  return [...named("rules", "id"), ...named("categories", "category")];
}

function inSkips(rules: unknown): readonly ManagedReference[] {
  return Object.entries(isObject(rules) ? rules : {}).flatMap(([ruleset, ids]) =>
    (isList(ids) ? ids : []).flatMap((name, index): readonly ManagedReference[] =>
      isName(name)
        ? [
            {
              ...{ via: "skip", kind: "rule", ruleset: shortRulesetId(ruleset), name },
              path: ["actionParameters", "rules", ruleset, index],
            },
          ]
        : [],
    ),
  );
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !isUnknown(value);
}
