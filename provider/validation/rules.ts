import { isObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import { withoutEmptyIdentity } from "../model/ruleset.js";
import { isUnknown } from "../model/unknown.js";
import { checkAction } from "./checks/actions.js";
import { checkExpressions } from "./checks/expressions.js";
import {
  checkAccountExpression,
  checkCacheTimes,
  checkDirectives,
  checkHeaders,
  checkLogging,
  checkRatelimit,
  checkSensitivity,
} from "./checks/fields.js";
import { checkIds } from "./checks/ids.js";
import { checkNumbers } from "./checks/numbers.js";
import { checkHidden } from "./checks/hidden.js";
import { checkRefs } from "./checks/refs.js";
import { checkSkipOrder } from "./checks/skip-order.js";
import { join, named, NO_FINDINGS, type Findings } from "./failure.js";
import { checkShape } from "./shape.js";

export interface RulePlace {
  readonly phase: unknown;
  readonly kind: unknown;
}

/** Runs all checks of a list of rules that need no request. */
export function checkRules(rules: readonly unknown[], place: RulePlace, path: Path = ["rules"]): Findings {
  const known = rules.map(identified);
  const at = (index: number): Path => [...path, index];
  return join([
    ...known.map((rule, index) => checkRule(rule, place, at(index))),
    named("refs", checkRefs(known, at)),
    named("skip-order", checkSkipOrder(known, at)),
  ]);
}

function identified(rule: unknown): unknown {
  return isObject(rule) ? withoutEmptyIdentity(rule) : rule;
}

/** Runs all checks of a single rule. */
export function checkRule(given: unknown, place: RulePlace, path: Path): Findings {
  if (isUnknown(given)) return NO_FINDINGS;
  const rule = identified(given);
  const shape = named("shape", checkShape(rule, path));
  if (!isObject(rule)) return shape;
  return join([
    shape,
    named("action", checkAction(rule, place, path)),
    checkExpressions(rule, place.phase, path),
    named("logging", checkLogging(rule, path)),
    named("ratelimit", checkRatelimit(rule, place.phase, path)),
    named("sensitivity", checkSensitivity(rule, place.phase, path)),
    named("headers", checkHeaders(rule, path)),
    named("cache-directives", checkDirectives(rule, path)),
    named("cache-times", checkCacheTimes(rule, path)),
    named("account-expression", checkAccountExpression(rule, place, path)),
    named("ids", checkIds(rule, path)),
    named("numbers", checkNumbers(rule, path)),
    named("hidden-value", checkHidden(rule, path)),
  ]);
}
