import { ruleFromPackage } from "../../../client/cloudflare-package.js";
import { isList, isObject, type Json, type JsonObject, textOf } from "../../../core/model/json.js";
import { pathText } from "../../../core/model/path.js";
import { rawFieldsOf } from "../../../core/model/raw-fields.js";
import { isUnknown } from "../../../core/model/unknown.js";
import type { FoundRule, FoundRuleset } from "../inventory.js";
import type { ForeignResource } from "./foreign.js";

/** Converts a ruleset resource of the Cloudflare provider, in any version of it; or returns why it cannot be read. */
export function convertRuleset({ values, id, tool, ownType, name }: ForeignResource): FoundRuleset | string {
  const { rules } = values;
  if (isUnknown(rules)) return "all its rules are marked as sensitive in the state";
  if (textOf(values.kind) === "" || textOf(values.phase) === "")
    return "the state does not contain its kind and its phase";
  const list: readonly Json[] = isList(rules) ? rules : [];
  const converted = list.filter(isObject).map(convertRule);
  const unknown = converted.flatMap((rule, index) =>
    rawFieldsOf({ ...rule }).map((path) => pathText(["rules", index, ...path])),
  );
  return {
    id,
    name: textOf(values.name),
    description: textOf(values.description),
    kind: textOf(values.kind),
    phase: textOf(values.phase),
    rules: converted,
    ...(unknown.length === 0 ? {} : { unknown }),
    ...(tool === "pulumi" ? { predecessor: { type: ownType, name } } : {}),
  };
}

/** Converts a rule of such a resource, in any version of the provider. */
export function convertRule(rule: JsonObject): FoundRule {
  const { id, ref, version: _version, lastUpdated: _time, ...content } = ruleFromPackage(rule);
  return { ...content, ...(id === undefined ? {} : { id }), ...(ref === undefined || ref === id ? {} : { ref }) };
}
