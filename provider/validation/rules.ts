import { isError } from "../../core/language/finding.js";
import { isObject, type JsonObject } from "../../core/model/json.js";
import type { Path } from "../../core/model/path.js";
import { withoutEmptyIdentity } from "../../core/model/ruleset.js";
import { isUnchecked, uncheckedFields, withTypedFields } from "../../core/model/unchecked.js";
import { isUnknown } from "../../core/model/unknown.js";
import { checkAccountExpression } from "./checks/account.js";
import { checkAction } from "./checks/actions.js";
import { checkExecuted } from "./checks/executed.js";
import { checkExpressions, checkListPlaces } from "./checks/expressions.js";
import {
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
import { checkRatelimitLists } from "./checks/ratelimit-lists.js";
import { checkRedirect } from "./checks/redirects.js";
import { checkRefs } from "./checks/refs.js";
import { checkSkipOrder } from "./checks/skip-order.js";
import { checkSpelling } from "./checks/spelling.js";
import { checkUnchecked } from "./checks/unchecked.js";
import { hasErrors, withCode, type Findings } from "../../core/model/failure.js";
import { checkShape } from "./shape.js";

/** Runs all checks of a list of rules that need no request. */
export function checkRules(rules: readonly unknown[], place: RulesetPlace): Findings {
  const known = rules.map(identified);
  const at = (index: number): Path => ["rules", index];
  const typed = known.map((rule) => (isObject(rule) ? withTypedFields(rule) : rule));
  const together = [
    withCode("refs", checkRefs(typed, at)),
    withCode("executed", checkExecuted(typed, place, at)),
    withCode("skip-order", checkSkipOrder(typed, at)),
  ].flat();
  return [
    ...known.map((rule, index) => checkRule(rule, place, at(index))),
    ...known.map((rule, index) => {
      const own = together.filter(({ path }) => path[1] === index);
      return isObject(rule) ? allowed(rule, own, at(index)) : own;
    }),
  ].flat();
}

function identified(rule: unknown): unknown {
  return isObject(rule) ? withoutEmptyIdentity(rule) : rule;
}

/** Runs all checks of a single rule. */
export function checkRule(given: unknown, place: RulesetPlace, path: Path): Findings {
  if (isUnknown(given)) return [];
  const unreadable = withCode("shape", [checkDepth(given, path), checkSpelling(given, path)].flat());
  if (hasErrors(unreadable)) return unreadable;
  const written = identified(given);
  if (!isObject(written)) return withCode("shape", checkShape(written, path));
  const rule = withTypedFields(written);
  const found = [
    withCode("shape", checkShape(rule, path)),
    withCode("action", checkAction(rule, place, path)),
    checkExpressions(rule, place.phase, path),
    withCode("phase", checkListPlaces(rule, place.phase, path)),
    withCode("description", checkDescription(rule, path)),
    withCode("logging", checkLogging(rule, path)),
    withCode("ratelimit", checkRatelimit(rule, place.phase, path)),
    withCode("ratelimit", checkRatelimitLists(rule, place, path)),
    withCode("sensitivity", checkSensitivity(rule, place.phase, path)),
    withCode("custom-overrides", checkCustomOverrides(rule, place.phase, path)),
    withCode("headers", checkHeaders(rule, place.phase, path)),
    withCode("cache-directives", checkDirectives(rule, path)),
    withCode("cache-times", checkCacheTimes(rule, path)),
    withCode("cache-phase", checkCachePhase(rule, place.phase, path)),
    withCode("account-expression", checkAccountExpression(rule, place, path)),
    withCode("redirect-key", checkRedirect(rule, path)),
    withCode("ids", checkIds(rule, path)),
    withCode("numbers", checkNumbers(rule, path)),
    withCode("hidden-value", checkHidden(rule, path)),
  ].flat();
  return [withCode("unchecked", checkUnchecked(written, path)), allowed(written, found, path)].flat();
}

/** The findings that count for a rule: a mistake in a field that the program has in `wire` is none. */
function allowed(written: JsonObject, found: Findings, path: Path): Findings {
  const unchecked = uncheckedFields(written);
  if (unchecked.length === 0) return found;
  return found.filter((one) => !isError(one) || !isUnchecked(unchecked, one.path.slice(path.length)));
}
