import { isObject, ownValue } from "../../../core/model/json.js";
import type { Path } from "../../../core/model/path.js";
import { isUnknown } from "../../../core/model/unknown.js";
import { failure, checkKnownValue, warning, type Findings } from "../../../core/model/failure.js";
import type { RulesetPlace } from "./meaning.js";
import { checkRequiredExpression, checkValues } from "./parameters.js";
import { ACTION_NAMES, ACTIONS, PHASES, PLACED_ACTIONS, type ActionRules } from "../tables.js";

/** https://developers.cloudflare.com/waf/reference/legacy/firewall-rules-upgrade/ */
const FORMER = { allow: "skip", bypass: "skip", simulate: "log" };

/** Checks that an action exists, that its parameters are valid, and that its phase allows it. */
export function checkAction(rule: Readonly<Record<string, unknown>>, place: RulesetPlace, path: Path): Findings {
  const action = rule.action;
  if (typeof action !== "string" || isUnknown(action) || action === "") return [];
  const table = ACTIONS[action];
  const now = ownValue(FORMER, action);
  if (now !== undefined)
    return failure([...path, "action"], `${action} is an action of firewall rules, which have ended; write ${now}`);
  if (table === undefined) return checkKnownValue([...path, "action"], "the action", action, ACTION_NAMES);
  const misplaced = checkPlace(action, place, path);
  const known = misplaced.length === 0 ? place : { ...place, phase: undefined };
  return [
    misplaced,
    checkParameters(action, table, rule.actionParameters, known, path),
    checkRequiredExpression(action, table, rule.expression, path),
  ].flat();
}

function checkPlace(action: string, place: RulesetPlace, path: Path): Findings {
  const phase = typeof place.phase === "string" ? PHASES[place.phase] : undefined;
  const allowed = (place.kind === "root" ? phase?.rootActions : undefined) ?? phase?.actions;
  if (allowed === undefined || allowed.includes(action)) return [];
  const where = `phase ${String(place.phase)}${place.kind === "root" ? " of an account (kind root)" : ""}`;
  return PLACED_ACTIONS.has(action)
    ? failure([...path, "action"], `${where} does not allow the action ${action}; it allows ${allowed.join(", ")}`)
    : warning([...path, "action"], `the action ${action} is not documented for ${where}`);
}

function checkParameters(
  action: string,
  table: ActionRules,
  value: unknown,
  place: RulesetPlace,
  path: Path,
): Findings {
  const at = [...path, "actionParameters"];
  if (isUnknown(value)) return [];
  if (value !== undefined && !isObject(value)) return [];
  const parameters = value ?? {};
  const given = Object.keys(parameters).filter((key) => parameters[key] !== undefined && key !== "wire");
  const raw = isObject(parameters.wire) && Object.keys(parameters.wire).length > 0;
  const foreign = given.filter((key) => !table.parameters.includes(key));
  const takes = table.parameters.length > 0 ? `it takes ${table.parameters.join(", ")}` : "it takes no parameters";
  const needs = (text: string): Findings => failure(at, `the action ${action} needs ${text}`);
  const missing = (table.required ?? []).filter((key) => parameters[key] === undefined);
  const choice = table.exactlyOne ?? [];
  const chosen = choice.filter((key) => given.includes(key)).length;
  return [
    ...foreign.map((key) => failure([...at, key], `the action ${action} does not take ${key}; ${takes}`)),
    ...missing.map((key) => needs(key)),
    ...(choice.length > 0 && chosen !== 1 && !raw ? [needs(`exactly one of ${choice.join(" and ")}`)] : []),
    ...(table.atLeastOne === true && given.length === 0 && !raw
      ? [needs(`at least one of ${table.parameters.join(", ")}`)]
      : []),
    ...(table.incompatible ?? []).flatMap(([a, b]) =>
      a !== undefined && b !== undefined && given.includes(a) && given.includes(b)
        ? [failure([...at, b], `${a} and ${b} are mutually exclusive`)]
        : [],
    ),
    checkValues(table, parameters, place, at),
  ].flat();
}
