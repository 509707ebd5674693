import { isObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import { withoutEmptyIdentity } from "../model/ruleset.js";
import { isUnknown } from "../model/unknown.js";
import { checkAction } from "./checks/actions.js";
import { checkExecuted } from "./checks/executed.js";
import { checkExpressions, checkListPlaces } from "./checks/expressions.js";
import {
  checkAccountExpression,
  checkCachePhase,
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
import { hasErrors, joinFindings, withCode, NO_FINDINGS, type Findings } from "./failure.js";
import { checkShape } from "./shape.js";

/** Runs all checks of a list of rules that need no request. */
export function checkRules(rules: readonly unknown[], place: RulesetPlace): Findings {
  const known = rules.map(identified);
  const at = (index: number): Path => ["rules", index];
  return joinFindings([
    ...known.map((rule, index) => checkRule(rule, place, at(index))),
    withCode("refs", checkRefs(known, at)),
    withCode("executed", checkExecuted(known, place, at)),
    withCode("skip-order", checkSkipOrder(known, at)),
  ]);
}

function identified(rule: unknown): unknown {
  return isObject(rule) ? withoutEmptyIdentity(rule) : rule;
}

/** Runs all checks of a single rule. */
export function checkRule(given: unknown, place: RulesetPlace, path: Path): Findings {
  if (isUnknown(given)) return NO_FINDINGS;
  const unreadable = withCode("shape", joinFindings([checkDepth(given, path), checkSpelling(given, path)]));
  if (hasErrors(unreadable)) return unreadable;
  const rule = identified(given);
  const shape = withCode("shape", checkShape(rule, path));
  if (!isObject(rule)) return shape;
  return joinFindings([
    shape,
    withCode("action", checkAction(rule, place, path)),
    checkExpressions(rule, place.phase, path),
    withCode("phase", checkListPlaces(rule, place.phase, path)),
    withCode("description", checkDescription(rule, path)),
    withCode("logging", checkLogging(rule, path)),
    withCode("ratelimit", checkRatelimit(rule, place.phase, path)),
    withCode("sensitivity", checkSensitivity(rule, place.phase, path)),
    withCode("custom-overrides", checkCustomOverrides(rule, place.phase, path)),
    withCode("headers", checkHeaders(rule, place.phase, path)),
    withCode("cache-directives", checkDirectives(rule, path)),
    withCode("cache-times", checkCacheTimes(rule, path)),
    withCode("cache-phase", checkCachePhase(rule, place.phase, path)),
    withCode("account-expression", checkAccountExpression(rule, place, path)),
    withCode("ids", checkIds(rule, path)),
    withCode("numbers", checkNumbers(rule, path)),
    withCode("hidden-value", checkHidden(rule, path)),
  ]);
}
