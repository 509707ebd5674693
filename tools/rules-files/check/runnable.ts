import { isError } from "../../../core/language/finding.js";
import { PRODUCTS_IN_PHASES } from "../../../provider/validation/other-phases.js";
import { hidingSecretsOf, type LoadedRules } from "../loaded.js";
import type { ReportedFinding } from "./finding.js";
import { phaseFindings } from "./rule-findings.js";

/** Rules that no request can be tried on: `rules check` finds why, too. */
export class InvalidRules extends Error {
  constructor(source: LoadedRules, { file, source: label, path, rule, ruleset, message, excerpt }: ReportedFinding) {
    const place = [file?.file ?? label, file?.line, file?.column].filter((part) => part !== undefined).join(":");
    const about = [rule?.name ?? ruleset, path].filter((part) => part !== "").join(", ");
    const text = `${place}: ${about}: ${message}`;
    super(hidingSecretsOf(source)(excerpt === undefined ? text : `${text}\n${excerpt}`));
  }
}

/**
 * Returns a source of which every phase is known. Rules of another phase would never run here, so a test that expects a request
 * to be allowed would pass. Phases that a zone has exist, and so do those of products with an API of their own.
 * @throws InvalidRules
 */
export function withKnownPhases(source: LoadedRules): LoadedRules {
  const rulesets = source.rulesets.filter(({ input }) => PRODUCTS_IN_PHASES[input.phase] === undefined);
  const [found] = source.zone === undefined ? phaseFindings({ ...source, rulesets }) : [];
  if (found === undefined) return source;
  const because = isError(found)
    ? ""
    : ". What its rules do to requests is not known here. To continue: correct it, leave the ruleset out, or install a version of this package that knows it";
  throw new InvalidRules(source, { ...found, message: `${found.message}${because}` });
}
