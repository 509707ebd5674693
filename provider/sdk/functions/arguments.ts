import type { Constraints } from "../../engine/description.js";
import type { Member } from "../../engine/named-type.js";
import { RulesetsError } from "../../../core/model/errors.js";
import { shortRulesetId, type Scope } from "../../../core/model/ids.js";
import { isVersion } from "../../../core/model/versions.js";
import { checkId } from "../../validation/checks/ids.js";
import {
  checkKnownValue,
  errorsIn,
  failure,
  findingText,
  findNearest,
  hasErrors,
  type Findings,
} from "../../../core/model/failure.js";
import { PHASE_NAMES } from "../../validation/tables.js";

/** A zone or an account, exactly one of the two. */
export interface ScopeArgs {
  /** Excludes `accountId`. */
  readonly zoneId?: string;
  /** Excludes `zoneId`. */
  readonly accountId?: string;
}

export function scopeOf({ zoneId, accountId = "" }: ScopeArgs): Scope {
  return zoneId === undefined ? { level: "accounts", id: accountId } : { level: "zones", id: zoneId };
}

type Check = NonNullable<Constraints["check"]>;

/** An argument of a look-up. */
export interface LookupArgument extends Member, Constraints {}

export const checkText: Check = (path, value) =>
  typeof value === "string" && value !== "" ? [] : failure(path, "must be a non-empty string");

/** Checks a word that should be a known one. The service may add words, so only a likely misspelling is refused. */
export function checkWord(known: readonly string[]): Check {
  return (path, value) => {
    const text = checkText(path, value);
    return hasErrors(text) ? text : checkKnownValue(path, `the ${path.join(".")}`, value as string, known);
  };
}

export const checkPhase: Check = (path, value) =>
  typeof value === "string" && /^[a-z0-9_]+$/.test(value)
    ? checkWord(PHASE_NAMES)(path, value)
    : failure(path, "must be the name of a phase");

/** Checks the ID of a ruleset, or of a resource for one. */
export const checkRulesetId: Check = (path, value) =>
  checkId(path, typeof value === "string" ? shortRulesetId(value) : value);

export const checkManagedRuleset: Check = (path, value) =>
  checkText(path, value).length === 0 ? [] : failure(path, "must be the name or the ID of a managed ruleset");

/** Checks a version, for which programs may also give a number. */
export const checkVersion: Check = (path, value) =>
  /^[1-9]\d*$/.test(String(value)) ? [] : failure(path, "must be a whole number above 0");

export const checkVersionText: Check = (path, value) =>
  typeof value === "string" && isVersion(value)
    ? []
    : failure(path, 'must be a version number as a string, such as "12"');

/** A colon would change the meaning: the service reads `contains:shop` as an operator. */
export const checkZoneName: Check = (path, value) => {
  if (typeof value !== "string" || value === "") return failure(path, "must be the domain name of a zone");
  return /[\s:/,]/.test(value) ? failure(path, "is not a domain name") : [];
};

export const SCOPE = {
  zoneId: { type: "string", text: "The zone; excludes `accountId`.", check: checkId },
  accountId: { type: "string", text: "The account; excludes `zoneId`.", check: checkId },
} as const satisfies Record<string, LookupArgument>;
export const LEVEL = ["zoneId", "accountId"];
export const WHICH = ["rulesetId", "phase"];
export const ZONE_ID = {
  zoneId: { type: "string", text: "The zone.", required: true, check: checkId },
} as const satisfies Record<string, LookupArgument>;
export const ADDRESS = {
  ...SCOPE,
  rulesetId: { type: "string", text: "The ruleset; excludes `phase`.", check: checkRulesetId },
  phase: { type: "string", text: "The phase of an entry point; excludes `rulesetId`.", check: checkPhase },
} as const satisfies Record<string, LookupArgument>;

/** Throws ARGUMENTS_INVALID with all errors, each with its path. */
export function requireValid(lookupName: string, ...findings: readonly Findings[]): void {
  const failures = errorsIn(findings.flat());
  if (failures.length === 0) return;
  throw new RulesetsError(`${lookupName}: ${failures.map(findingText).join("; ")}.`, { code: "ARGUMENTS_INVALID" });
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
