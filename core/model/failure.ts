import type { Finding, FindingCode } from "../language/finding.js";
import { pathText, type Path } from "./path.js";
import { late } from "./late.js";

/** Only for a mistake. */
const loadDistance = late<typeof import("fastest-levenshtein")>(() => require("fastest-levenshtein"));

/** A finding on an argument. The path is part of the text: for a named property, the engine prints the value, even a secret. */
export interface ArgumentFinding extends Finding {
  readonly path: Path;
  /** The rule that it is about, as messages name it. */
  readonly rule?: string;
  /** Position in a text, from 1, and the length of the part that it is about; without, `instead` is for the whole value. */
  readonly character?: number;
  readonly length?: number;
  /** The line of the text, with carets below the position. */
  readonly excerpt?: string;
}

/** Results of checks: errors stop a preview, warnings do not. */
export type Findings = readonly ArgumentFinding[];

export function failure(path: Path, message: string): Findings {
  return [{ severity: "error", path, message }];
}

export function warning(path: Path, message: string): Findings {
  return [{ severity: "warning", path, message }];
}

/** What stops a preview. */
export function errorsIn(findings: Findings): Findings {
  return findings.filter(({ severity }) => severity === "error");
}

export function hasErrors(findings: Findings): boolean {
  return errorsIn(findings).length > 0;
}

/** Sets the code of findings that have none. */
export function withCode(code: FindingCode, findings: Findings): Findings {
  return findings.map((one) => ({ code, ...one }));
}

/** `rule "Block admin", rules[3].expression:14: message`, followed by the excerpt, if there is one. */
export function findingText({ path, message, rule, character, excerpt }: ArgumentFinding): string {
  const place = `${pathText(path)}${character === undefined ? "" : `:${String(character)}`}`;
  const what = [...(rule === undefined ? [] : [`rule ${rule}`]), ...(path.length === 0 ? [] : [place])].join(", ");
  const text = [what, message].filter((part) => part !== "").join(": ");
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
  if (names.includes(name)) return [];
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
  if (known.includes(value)) return [];
  // What every JavaScript object has, such as `constructor`, is a mistake of the program and no newer value.
  if (value in Object.prototype) return failure(path, `${what} ${JSON.stringify(value)} does not exist`);
  const near = findNearest(value, known);
  return near === undefined
    ? withCode(
        "unchecked",
        warning(
          path,
          `${what} ${JSON.stringify(value)} is not known to this version of pulumi-rulesets and is passed on unchanged`,
        ),
      )
    : [
        {
          severity: "error",
          path,
          message: `${what} ${JSON.stringify(value)} does not exist; did you mean ${JSON.stringify(near)}?`,
          instead: near,
        },
      ];
}
