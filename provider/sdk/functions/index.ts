import {
  assessZone,
  getTotalTls,
  listCertificatePacks,
  listCustomCertificates,
  listCustomHostnames,
} from "./certificates.js";
import { effectiveRules } from "./effective-rules.js";
import { getManagedRuleset, listManagedRules } from "./managed-rulesets.js";
import { getEntrypoint, getRulesetVersion, listRulesets } from "./rulesets.js";
import { diffRulesetVersions, listRulesetVersions } from "./versions.js";
import type { DirectLookup } from "./via.js";
import { getZone, listZones } from "./zones.js";

/** Every look-up of the package. */
export const LOOKUPS = [
  getEntrypoint,
  getRulesetVersion,
  listRulesets,
  listRulesetVersions,
  diffRulesetVersions,
  getManagedRuleset,
  listManagedRules,
  effectiveRules,
  getZone,
  listZones,
  listCertificatePacks,
  listCustomCertificates,
  listCustomHostnames,
  getTotalTls,
  assessZone,
];

/** Answers a look-up by its name in the process of a provider; undefined for a name that none has. */
export async function answerLookup(name: string, args: object, direct: DirectLookup): Promise<object | undefined> {
  const found = LOOKUPS.find(({ description }) => description.name === name);
  if (found === undefined) return undefined;
  const answer: object = await found.answer(args, direct);
  // A package schema has no lists as results: a list is the only property of one.
  const [only = ""] = Object.keys(found.description.result);
  return Array.isArray(answer) ? { [only]: answer } : answer;
}
