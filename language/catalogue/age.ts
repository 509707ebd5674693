import type { CheckName } from "../finding.js";
import { CATALOGUE_DATE } from "./values.js";

const HALF_A_YEAR = 183 * 86_400_000;

/**
 * Why names and values may be missing from the catalogue; undefined as long as it is younger than half a year.
 * @param now milliseconds since the epoch
 */
export function oldCatalogueText(now: number): string | undefined {
  if (now - Date.parse(CATALOGUE_DATE) < HALF_A_YEAR) return undefined;
  return `the catalogue of the rules language is of ${CATALOGUE_DATE}, more than half a year ago: newer fields, functions and values are unknown`;
}

const OF_CATALOGUE: readonly (CheckName | undefined)[] = ["unknown-field", "unknown-function", "unknown-value"];

/** Whether a finding depends on what the catalogue has. */
export function isOfCatalogue(check: string | undefined): boolean {
  return OF_CATALOGUE.some((one) => one === check);
}
