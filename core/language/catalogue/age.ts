import type { Finding } from "../finding.js";
import { CATALOGUE_DATE } from "./values.js";

const HALF_A_YEAR = 183 * 86_400_000;

/** An old catalogue: what that means, and what to do. */
interface OldCatalogue {
  readonly found: string;
  readonly next: string;
}

/**
 * Why names and values may be missing from the catalogue; undefined as long as it is younger than half a year.
 * @param now milliseconds since the epoch
 */
export function oldCatalogue(now: number): OldCatalogue | undefined {
  if (now - Date.parse(CATALOGUE_DATE) < HALF_A_YEAR) return undefined;
  return {
    found: `the catalogue of the rules language is of ${CATALOGUE_DATE}, more than half a year ago: newer fields, functions and values are unknown`,
    next: "use a newer version of pulumi-rulesets",
  };
}

/** Why names and values may be missing from the catalogue, if one of some findings depends on it. */
export function oldCatalogueText(findings: readonly Finding[], now: number): string | undefined {
  const old = findings.some(({ code }) => OF_CATALOGUE.includes(code)) ? oldCatalogue(now) : undefined;
  return old === undefined ? undefined : `${old.found}; ${old.next}`;
}

/** The findings that depend on what the catalogue has. */
const OF_CATALOGUE: readonly Finding["code"][] = ["unknown-field", "unknown-function", "unknown-value"];
