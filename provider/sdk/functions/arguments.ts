import { RulesetsError } from "../../../core/model/errors.js";
import type { Scope } from "../../../core/model/ids.js";
import { isObject } from "../../../core/model/json.js";
import { checkExactlyOne } from "../../validation/checks/groups.js";
import {
  errorsIn,
  failure,
  findingText,
  joinFindings,
  NO_FINDINGS,
  checkKnownName,
  findNearest,
  type Findings,
} from "../../../core/model/failure.js";
import { FUNCTIONS, type FunctionDescription, type FunctionName } from "./descriptions.js";

/** A zone or an account, exactly one of the two. */
export interface ScopeArgs {
  /** Excludes `accountId`. */
  readonly zoneId?: string;
  /** Excludes `zoneId`. */
  readonly accountId?: string;
}

/** Throws ARGUMENTS_INVALID with all errors, each with its path. */
export function requireValid(functionName: string, ...findings: readonly Findings[]): void {
  const failures = errorsIn(joinFindings(findings));
  if (failures.length === 0) return;
  throw new RulesetsError(`${functionName}: ${failures.map(findingText).join("; ")}.`, { code: "ARGUMENTS_INVALID" });
}

const descriptionOf = new Map<string, FunctionDescription>(FUNCTIONS.map((one) => [one.name, one]));

/**
 * Throws ARGUMENTS_INVALID for arguments that the description of a function does not allow. It knows all of their names: a misspelled
 * filter would silently have no effect.
 */
export function requireArguments(functionName: FunctionName, args: object): void {
  const { arguments: known = {}, exactlyOneOf = [] } = descriptionOf.get(functionName) ?? {};
  const names = Object.keys(known);
  if (!isObject(args)) {
    requireValid(functionName, failure([], `needs an object of arguments: ${names.join(", ")}`));
    return;
  }
  requireValid(
    functionName,
    ...Object.keys(args).map((name) => checkKnownName([name], `${functionName} has no argument`, name, names)),
    ...exactlyOneOf.map((group) => checkExactlyOne(args, group)),
    ...Object.entries(known).map(([name, { required = false, check }]) => {
      const value = args[name];
      if (value === undefined) return required ? failure([name], "is required") : NO_FINDINGS;
      return check?.([name], value) ?? NO_FINDINGS;
    }),
  );
}

export function scopeOf({ zoneId, accountId = "" }: ScopeArgs): Scope {
  return zoneId === undefined ? { level: "accounts", id: accountId } : { level: "zones", id: zoneId };
}

const SHOWN = 8;

/** Throws LOOKUP_NOT_FOUND. */
export function notFound(text: string): never {
  throw new RulesetsError(text, { code: "LOOKUP_NOT_FOUND" });
}

/** Suggests existing names in place of an unknown one: the most similar one, or else all of them, up to eight. */
export function insteadOf(name: string, existing: readonly string[]): string {
  const names = [...new Set(existing)].sort();
  const near = findNearest(name, names);
  if (near !== undefined) return `Did you mean ${JSON.stringify(near)}?`;
  if (names.length === 0) return "There are none.";
  const more = names.length > SHOWN ? ` and ${String(names.length - SHOWN)} more` : "";
  const shown = names.slice(0, SHOWN).map((item) => JSON.stringify(item));
  return `There ${names.length === 1 ? "is" : "are"} ${shown.join(", ")}${more}.`;
}
