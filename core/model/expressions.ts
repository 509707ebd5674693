import type { CheckOptions } from "../language/index.js";
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
  const found: PlacedExpression[] = [];
  const add = (holder: Rule | undefined, key: string, steps: readonly string[], options: CheckOptions): void => {
    const text = holder?.[key];
    // The shape check reports empty strings that are not allowed; an empty counting expression is the default.
    if (typeof text !== "string" || text === "" || isUnknown(text)) return;
    found.push({ text, path: [...path, ...steps, key], options });
  };
  add(rule, "expression", [], FILTER);
  add(member(rule, "ratelimit"), "countingExpression", ["ratelimit"], COUNTING);
  const credentials = member(rule, "exposedCredentialCheck");
  add(credentials, "usernameExpression", ["exposedCredentialCheck"], VALUE);
  add(credentials, "passwordExpression", ["exposedCredentialCheck"], VALUE);
  const parameters = member(rule, "actionParameters");
  if (parameters === undefined) return found;
  add(parameters, "expression", ["actionParameters"], TAGS);
  const uri = member(parameters, "uri");
  for (const part of ["path", "query"]) add(member(uri, part), "expression", ["actionParameters", "uri", part], VALUE);
  const headers = member(parameters, "headers");
  for (const name of Object.keys(headers ?? {}))
    add(member(headers, name), "expression", ["actionParameters", "headers", name], HEADER);
  const target = member(member(parameters, "fromValue"), "targetUrl");
  add(target, "expression", ["actionParameters", "fromValue", "targetUrl"], VALUE);
  add(member(parameters, "fromList"), "key", ["actionParameters", "fromList"], VALUE);
  return found;
}

const FILTER: CheckOptions = {};
const COUNTING: CheckOptions = { slot: "counting" };
const VALUE: CheckOptions = { slot: "value", type: "String" };
/** The service writes the value of a header as text. */
const HEADER: CheckOptions = { slot: "value", type: "Scalar" };
const TAGS: CheckOptions = { slot: "value", type: "Array<String>" };

function member(value: Rule | undefined, key: string): Rule | undefined {
  const found = value !== undefined && Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(found) ? found : undefined;
}
