import { shortRulesetId } from "../../../core/model/ids.js";
import type { Path } from "../../../core/model/path.js";
import { isVersion } from "../../../core/model/versions.js";
import { checkId } from "../../validation/checks/ids.js";
import { checkKnownValue, failure, hasErrors, NO_FINDINGS, type Findings } from "../../../core/model/failure.js";
import { PHASE_NAMES } from "../../validation/tables.js";

export type Check = (path: Path, value: unknown) => Findings;

export const checkText: Check = (path, value) =>
  typeof value === "string" && value !== "" ? NO_FINDINGS : failure(path, "must be a non-empty string");

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
  checkText(path, value).length === 0 ? NO_FINDINGS : failure(path, "must be the name or the ID of a managed ruleset");

/** Checks a version, for which programs may also give a number. */
export const checkVersion: Check = (path, value) =>
  /^[1-9]\d*$/.test(String(value)) ? NO_FINDINGS : failure(path, "must be a whole number above 0");

export const checkVersionText: Check = (path, value) =>
  typeof value === "string" && isVersion(value)
    ? NO_FINDINGS
    : failure(path, 'must be a version number as a string, such as "12"');

/** A colon would change the meaning: the service reads `contains:shop` as an operator. */
export const checkZoneName: Check = (path, value) => {
  if (typeof value !== "string" || value === "") return failure(path, "must be the domain name of a zone");
  return /[\s:/,]/.test(value) ? failure(path, "is not a domain name") : NO_FINDINGS;
};
