// Past the index, so that a preview loads nothing that evaluates.
import { analyse } from "../../../language/check/index.js";
import type { CheckOptions, LocatedFinding } from "../../../language/index.js";
import { isObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import { isUnknown } from "../../model/unknown.js";
import type { Failure, Findings } from "../failure.js";

type Rule = Readonly<Record<string, unknown>>;

/** An expression of a rule, where it stands, and what it has to be there. */
export interface PlacedExpression {
  readonly text: string;
  readonly path: Path;
  readonly options: CheckOptions;
}

/** Whether every expression of a rule can be read, gives what its place takes, and keeps the limits. */
export function checkExpressions(rule: Rule, phase: unknown, path: Path): Findings {
  const known = typeof phase === "string" && !isUnknown(phase) ? phase : undefined;
  const found = expressionsOf(rule, path).map(({ text, path: at, options }) => {
    const { errors, warnings } = analyse(text, known === undefined ? options : { ...options, phase: known });
    return {
      failures: errors.map((error) => told(error, text, at)),
      warnings: warnings.map((note) => told(note, text, at)),
    };
  });
  return {
    failures: found.flatMap(({ failures }) => failures),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

/** What is wrong with the whole text, its length or that there is none, has no place in it. */
function told({ check, offset, message, excerpt }: LocatedFinding, text: string, path: Path): Failure {
  if (check === "length" || text.trim() === "") return { path, reason: message };
  return { path, character: offset + 1, reason: message, excerpt };
}

/** Every expression of a rule: what it matches, what its rate limit counts, and the values its action computes. */
export function expressionsOf(rule: Rule, path: Path = []): PlacedExpression[] {
  const parameters = member(rule, "actionParameters");
  const uri = member(parameters, "uri");
  const headers = member(parameters, "headers");
  const credentials = member(rule, "exposedCredentialCheck");
  const value = { slot: "value", type: "String" } as const;
  const tags = { slot: "value", type: "Array<String>" } as const;
  const at = (...steps: readonly string[]): Path => [...path, ...steps];
  return [
    ...placed(rule, "expression", at(), {}),
    ...placed(member(rule, "ratelimit"), "countingExpression", at("ratelimit"), { slot: "counting" }),
    ...placed(credentials, "usernameExpression", at("exposedCredentialCheck"), value),
    ...placed(credentials, "passwordExpression", at("exposedCredentialCheck"), value),
    ...placed(parameters, "expression", at("actionParameters"), tags),
    ...["path", "query"].flatMap((part) =>
      placed(member(uri, part), "expression", at("actionParameters", "uri", part), value),
    ),
    ...Object.keys(headers).flatMap((name) =>
      placed(member(headers, name), "expression", at("actionParameters", "headers", name), value),
    ),
    ...placed(
      member(member(parameters, "fromValue"), "targetUrl"),
      "expression",
      at("actionParameters", "fromValue", "targetUrl"),
      value,
    ),
    ...placed(member(parameters, "fromList"), "key", at("actionParameters", "fromList"), value),
  ];
}

function member(value: Rule, key: string): Rule {
  const found = Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(found) ? found : {};
}

/** An empty text is the business of the shape, where it is none: an empty counting expression means the rule's own. */
function placed(holder: Rule, key: string, path: Path, options: CheckOptions): PlacedExpression[] {
  const text = holder[key];
  return typeof text === "string" && text !== "" && !isUnknown(text) ? [{ text, path: [...path, key], options }] : [];
}
