import { isObject, type Json } from "../provider/model/json.js";
import { managedRuleName, managedRulesetName } from "../provider/model/managed-rulesets.js";

/** What the ids in values are called, where that is known without asking: `efb7… is Cloudflare Managed Ruleset`. */
export function managedNamesIn(...values: readonly (Json | undefined)[]): readonly string[] {
  const ids = new Set(values.flatMap((value) => textsIn(value)));
  return [...ids].flatMap((id) => {
    const name = managedRulesetName(id) ?? managedRuleName(id);
    return name === undefined ? [] : [`${id} is ${name}`];
  });
}

/** The same to stand behind the values; empty where nothing is known. */
export function managedNamesBehind(...values: readonly (Json | undefined)[]): string {
  const names = managedNamesIn(...values);
  return names.length === 0 ? "" : ` (${names.join(", ")})`;
}

/** Keys, too: a skip rule lists rules by their ruleset. */
function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)]) : [];
}
