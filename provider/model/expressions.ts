import type { CheckOptions } from "../../language/index.js";
import { isObject } from "./json.js";
import type { Path } from "./path.js";
import { isUnknown } from "./unknown.js";

type Rule = Readonly<Record<string, unknown>>;

/** An expression of a rule, its path, and what is expected of an expression at that path. */
export interface PlacedExpression {
  readonly text: string;
  readonly path: Path;
  readonly options: CheckOptions;
}

/** All expressions of a rule: its filter, the counting expression of its rate limit, and the values its action computes. */
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

/** Skips empty strings: the shape check reports those that are not allowed; an empty counting expression is the default. */
function placed(holder: Rule, key: string, path: Path, options: CheckOptions): PlacedExpression[] {
  const text = holder[key];
  return typeof text === "string" && text !== "" && !isUnknown(text) ? [{ text, path: [...path, key], options }] : [];
}
