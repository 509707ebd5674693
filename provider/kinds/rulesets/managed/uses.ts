import { isObject } from "../../../model/json.js";
import type { Desired } from "../desired.js";

/** Whether any rule executes a ruleset or skips single rules of one, so that what Cloudflare releases may concern it. */
export function mayUseManagedRules({ rules }: Pick<Desired, "rules">): boolean {
  return Object.values(rules?.rules ?? {}).some(({ fields }) => {
    if (!isObject(fields)) return false;
    const { action, actionParameters } = fields;
    return (
      action === "execute" || (action === "skip" && isObject(actionParameters) && isObject(actionParameters.rules))
    );
  });
}
