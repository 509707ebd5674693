import type { Body } from "../../call.js";
import { refuse } from "../../failure.js";
import { accountFault } from "./account.js";
import { actionFault } from "./action.js";
import { cacheFault } from "./cache.js";
import type { Check, RuleContext } from "./check.js";
import { descriptionFault } from "./description.js";
import { entitlementFault } from "./entitlement.js";
import { executeFault } from "./execute.js";
import { otherTextsFault, textFault } from "./expression.js";
import { fieldFault } from "./fields.js";
import { headersFault } from "./headers.js";
import { listFault } from "./lists.js";
import { parametersFault } from "./parameters.js";
import { ratelimitFault } from "./ratelimit.js";
import { responseFault } from "./response.js";
import { schemaFault } from "./schema.js";
import { skipFault } from "./skip.js";

/** In the order in which the service reports errors. */
const CHECKS: readonly Check[] = [
  fieldFault,
  descriptionFault,
  actionFault,
  listFault,
  textFault,
  schemaFault,
  headersFault,
  responseFault,
  parametersFault,
  otherTextsFault,
  entitlementFault,
  ratelimitFault,
  cacheFault,
  skipFault,
  executeFault,
  accountFault,
];

/** Rejects a rule as the service would. */
export function checkRule(rule: unknown, context: RuleContext, at: string): asserts rule is Body {
  if (typeof rule !== "object" || rule === null || Array.isArray(rule))
    throw refuse(400, undefined, "invalid JSON: a rule must be an object", at);
  for (const check of CHECKS) {
    const fault = check(rule as Body, context, at);
    if (fault !== undefined) throw fault;
  }
}
