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
import { join, NO_FINDINGS, type Findings } from "./failure.js";
import { checkShape } from "./shape.js";

export interface RulePlace {
  readonly phase: unknown;
  readonly kind: unknown;
}

/** Everything that can be said about a list of rules without asking the service, all at once. */
export function checkRules(rules: readonly unknown[], place: RulePlace, path: Path = ["rules"]): Findings {
  const known = rules.map(identified);
  const at = (index: number): Path => [...path, index];
  return join([
    ...known.map((rule, index) => checkRule(rule, place, at(index))),
    checkRefs(known, at),
    checkSkipOrder(known, at),
  ]);
}

function identified(rule: unknown): unknown {
  return isObject(rule) ? withoutEmptyIdentity(rule) : rule;
}

/** One rule, at its path. */
export function checkRule(given: unknown, place: RulePlace, path: Path): Findings {
  if (isUnknown(given)) return NO_FINDINGS;
  const rule = identified(given);
  const shape = checkShape(rule, path);
  if (!isObject(rule)) return shape;
  return join([
    shape,
    checkAction(rule, place, path),
    checkExpressions(rule, place.phase, path),
    checkLogging(rule, path),
    checkRatelimit(rule, place.phase, path),
    checkSensitivity(rule, place.phase, path),
    checkHeaders(rule, path),
    checkDirectives(rule, path),
    checkCacheTimes(rule, path),
    checkAccountExpression(rule, place, path),
    checkIds(rule, path),
    checkNumbers(rule, path),
    checkHidden(rule, path),
  ]);
}
