import { pathText, type Path } from "../model/path.js";
import { late } from "../model/late.js";

/** Only for a mistake. */
const loadDistance = late<typeof import("fastest-levenshtein")>(() => require("fastest-levenshtein"));

/** A problem with an input. The path is part of the text: for a named property, the engine prints the value, even a secret. */
export interface Failure {
  /** The stable name of the check, which reports show and waivers use. */
  readonly check?: string;
  readonly path: Path;
  readonly reason: string;
  /** The rule that it is about, as messages name it. */
  readonly rule?: string;
  /** Position in a text, from 1, and the length of the part that it is about. */
  readonly character?: number;
  readonly length?: number;
  /** What to write for that part instead; without a position, for the whole value. */
  readonly instead?: string;
  /** The line of the text, with carets below the position. */
  readonly excerpt?: string;
}

/** Results of checks: failures stop a preview, warnings do not. */
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

export function joinFindings(findings: readonly Findings[]): Findings {
  const found = findings.filter(({ failures, warnings }) => failures.length + warnings.length > 0);
  const [first = NO_FINDINGS, ...more] = found;
  if (more.length === 0) return first;
  return {
    failures: found.flatMap(({ failures }) => failures),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

/** Sets the name of the check on findings that have none. */
export function withCheckName(check: string, { failures, warnings }: Findings): Findings {
  if (failures.length + warnings.length === 0) return NO_FINDINGS;
  const name = (one: Failure): Failure => ({ check, ...one });
  return { failures: failures.map(name), warnings: warnings.map(name) };
}

/** `rule "Block admin", rules[3].expression:14: reason`, followed by the excerpt, if there is one. */
export function failureText({ path, reason, rule, character, excerpt }: Failure): string {
  const place = `${pathText(path)}${character === undefined ? "" : `:${String(character)}`}`;
  const what = [...(rule === undefined ? [] : [`rule ${rule}`]), ...(path.length === 0 ? [] : [place])].join(", ");
  const text = [what, reason].filter((part) => part !== "").join(": ");
  return excerpt === undefined ? text : `${text}\n${excerpt.replace(/^/gm, "    ")}`;
}

/** The known name most similar to a misspelled one, or undefined if none is similar enough. */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  const folded = fold(name);
  const limit = folded.length <= 4 ? 1 : folded.length <= 12 ? 2 : 3;
  const { distance } = loadDistance();
  const ranked = known
    .map((candidate) => ({ candidate, steps: distance(folded, fold(candidate)) }))
    .sort((a, b) => a.steps - b.steps);
  const best = ranked[0];
  return best !== undefined && best.steps <= limit ? best.candidate : undefined;
}

/** Checks a name against a closed list. The failure is `what name`, with the most similar existing name. */
export function checkKnownName(path: Path, what: string, name: string, names: readonly string[]): Findings {
  if (names.includes(name)) return NO_FINDINGS;
  const near = findNearest(name, names);
  return failure(path, `${what} ${name}${near === undefined ? "" : `; did you mean ${near}?`}`);
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/**
 * Checks a value against a list to which the service may add values: a known value passes, a likely misspelling fails and
 * names the most similar value, and any other passes with a warning.
 */
export function checkKnownValue(path: Path, what: string, value: string, known: readonly string[]): Findings {
  if (known.includes(value)) return NO_FINDINGS;
  // What every JavaScript object has, such as `constructor`, is a mistake of the program and no newer value.
  if (value in Object.prototype) return failure(path, `${what} ${JSON.stringify(value)} does not exist`);
  const near = findNearest(value, known);
  return near === undefined
    ? warning(
        path,
        `${what} ${JSON.stringify(value)} is not known to this version of pulumi-rulesets and is passed on unchanged`,
      )
    : {
        failures: [
          {
            path,
            reason: `${what} ${JSON.stringify(value)} does not exist; did you mean ${JSON.stringify(near)}?`,
            instead: near,
          },
        ],
        warnings: [],
      };
}
