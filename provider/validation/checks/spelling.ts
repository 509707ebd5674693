import { isObject } from "../../model/json.js";
import { pathText, type Path } from "../../model/path.js";
import { readSpelling, type MixedSpelling } from "../../model/spelling.js";
import { failure, NO_FINDINGS, type Findings } from "../failure.js";

/** Refuses a rule in which some fields have the names of this package, and others those of the service. */
export function checkSpelling(rule: unknown, path: Path): Findings {
  return refuseMixed(isObject(rule) ? readSpelling(rule).mixed : undefined, path);
}

/** The same for a rule that has been read. */
export function refuseMixed(mixed: MixedSpelling | undefined, path: Path): Findings {
  if (mixed === undefined) return NO_FINDINGS;
  const [ours, service] = [mixed.ours, mixed.service].map((field) => pathText([...path, ...field.path]));
  const reason =
    `mixes two spellings: ${String(ours)} is a name of this package, and ${String(service)} one of the service; ` +
    `did you mean ${JSON.stringify(mixed.service.name)}? All fields of a rule must have the same spelling`;
  return failure(path, reason);
}
