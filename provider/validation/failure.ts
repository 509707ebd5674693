import { distance } from "fastest-levenshtein";
import { pathText, type Path } from "../model/path.js";

/** Something wrong with an input. The path goes into the text: a named property would print its value, secrets too. */
export interface Failure {
  /** The stable name of the check: reports show it, and people waive findings by it. */
  readonly check?: string;
  readonly path: Path;
  readonly reason: string;
  /** Where in a text it stands, counted from 1. */
  readonly character?: number;
  /** The line of the text, with carets below the place. */
  readonly excerpt?: string;
}

/** What checks found: failures stop a preview, warnings do not. */
export interface Findings {
  readonly failures: readonly Failure[];
  readonly warnings: readonly Failure[];
}

export const NO_FINDINGS: Findings = { failures: [], warnings: [] };

export function failure(path: Path, reason: string): Findings {
  return { failures: [{ path, reason }], warnings: [] };
}

export function warning(path: Path, reason: string): Findings {
  return { failures: [], warnings: [{ path, reason }] };
}

export function join(findings: readonly Findings[]): Findings {
  const found = findings.filter(({ failures, warnings }) => failures.length + warnings.length > 0);
  const [first = NO_FINDINGS, ...more] = found;
  if (more.length === 0) return first;
  return {
    failures: found.flatMap(({ failures }) => failures),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

/** Findings under the name of the check that found them, those aside that have one already. */
export function named(check: string, { failures, warnings }: Findings): Findings {
  if (failures.length + warnings.length === 0) return NO_FINDINGS;
  const name = (one: Failure): Failure => ({ check, ...one });
  return { failures: failures.map(name), warnings: warnings.map(name) };
}

/** `rules[3].expression:14: reason`, and below it the place in the text. */
export function failureText({ path, reason, character, excerpt }: Failure): string {
  const place = `${pathText(path)}${character === undefined ? "" : `:${String(character)}`}`;
  const text = path.length === 0 ? reason : `${place}: ${reason}`;
  return excerpt === undefined ? text : `${text}\n${excerpt.replace(/^/gm, "    ")}`;
}

/** The known name nearest to a misspelt one, or undefined when none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const folded = fold(name);
  const limit = folded.length <= 4 ? 1 : folded.length <= 12 ? 2 : 3;
  const ranked = known
    .map((candidate) => ({ candidate, steps: distance(folded, fold(candidate)) }))
    .sort((a, b) => a.steps - b.steps);
  const best = ranked[0];
  return best !== undefined && best.steps <= limit ? best.candidate : undefined;
}

/** A name out of a closed list: `what name`, with the nearest that exists, when it is none of them. */
export function knownName(path: Path, what: string, name: string, names: readonly string[]): Findings {
  if (names.includes(name)) return NO_FINDINGS;
  const near = nearest(name, names);
  return failure(path, `${what} ${name}${near === undefined ? "" : `; did you mean ${near}?`}`);
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/**
 * A value of a list that grows at the service: a known one passes, a misspelt one is an error that names the nearest,
 * and any other passes with a warning.
 */
export function knownValue(path: Path, what: string, value: string, known: readonly string[]): Findings {
  if (known.includes(value)) return NO_FINDINGS;
  const near = nearest(value, known);
  return near === undefined
    ? warning(
        path,
        `${what} ${JSON.stringify(value)} is not known to this version of pulumi-rulesets and is passed on as it is`,
      )
    : failure(path, `${what} ${JSON.stringify(value)} does not exist; did you mean ${JSON.stringify(near)}?`);
}
