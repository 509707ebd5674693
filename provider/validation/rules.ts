import { isObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import { withoutEmptyIdentity } from "../model/ruleset.js";
import { isUnknown } from "../model/unknown.js";
import { checkAction } from "./checks/actions.js";
import { checkExpressions } from "./checks/expressions.js";
import {
  checkAccountExpression,
  checkCacheTimes,
  checkCustomOverrides,
  checkDescription,
  checkDirectives,
  checkLogging,
  checkRatelimit,
  checkSensitivity,
} from "./checks/fields.js";
import { checkHeaders } from "./checks/headers.js";
import { checkIds } from "./checks/ids.js";
import { checkDepth, checkNumbers } from "./checks/numbers.js";
import { checkHidden } from "./checks/hidden.js";
import type { RulesetPlace } from "./checks/meaning.js";
import { checkRefs } from "./checks/refs.js";
import { checkSkipOrder } from "./checks/skip-order.js";
import { checkSpelling } from "./checks/spelling.js";
import { joinFindings, withCheckName, NO_FINDINGS, type Findings } from "./failure.js";
import { checkShape } from "./shape.js";

/** Runs all checks of a list of rules that need no request. */
export function checkRules(rules: readonly unknown[], place: RulesetPlace): Findings {
  const known = rules.map(identified);
  const at = (index: number): Path => ["rules", index];
  return joinFindings([
    ...known.map((rule, index) => checkRule(rule, place, at(index))),
    withCheckName("refs", checkRefs(known, at)),
    withCheckName("skip-order", checkSkipOrder(known, at)),
  ]);
}

function identified(rule: unknown): unknown {
  return isObject(rule) ? withoutEmptyIdentity(rule) : rule;
}

/** Runs all checks of a single rule. */
export function checkRule(given: unknown, place: RulesetPlace, path: Path): Findings {
  if (isUnknown(given)) return NO_FINDINGS;
  const unreadable = withCheckName("shape", joinFindings([checkDepth(given, path), checkSpelling(given, path)]));
  if (unreadable.failures.length > 0) return unreadable;
  const rule = identified(given);
  const shape = withCheckName("shape", checkShape(rule, path));
  if (!isObject(rule)) return shape;
  return joinFindings([
    shape,
    withCheckName("action", checkAction(rule, place, path)),
    checkExpressions(rule, place.phase, path),
    withCheckName("description", checkDescription(rule, path)),
    withCheckName("logging", checkLogging(rule, path)),
    withCheckName("ratelimit", checkRatelimit(rule, place.phase, path)),
    withCheckName("sensitivity", checkSensitivity(rule, place.phase, path)),
    withCheckName("custom-overrides", checkCustomOverrides(rule, place.phase, path)),
    withCheckName("headers", checkHeaders(rule, place.phase, path)),
    withCheckName("cache-directives", checkDirectives(rule, path)),
    withCheckName("cache-times", checkCacheTimes(rule, path)),
    withCheckName("account-expression", checkAccountExpression(rule, place, path)),
    withCheckName("ids", checkIds(rule, path)),
    withCheckName("numbers", checkNumbers(rule, path)),
    withCheckName("hidden-value", checkHidden(rule, path)),
  ]);
}
