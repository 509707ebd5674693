import { isObject } from "../../../model/json.js";

/**
 * Whether any rule executes a ruleset or skips single rules of one, so that what Cloudflare releases may concern it.
 *
 * @param rules the fields of each rule, as far as they are known
 */
export function mayUseManagedRules(rules: readonly unknown[]): boolean {
  return rules.some((fields) => {
    if (!isObject(fields)) return false;
    const { action, actionParameters } = fields;
    return (
      action === "execute" || (action === "skip" && isObject(actionParameters) && isObject(actionParameters.rules))
    );
  });
}
