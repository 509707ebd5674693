import { compileValueExpression, type CompiledValue } from "../language/index.js";
import { isChallenge } from "./challenges.js";
import { readProperty, readEntries, readNumber, readText, readTexts, lastSegment } from "./read-property.js";

/** A literal text, or the expression that computes it. */
export type TextSource = string | CompiledValue;

/** A response that a rule sends instead of the origin's. */
export interface SentResponse {
  readonly status: number;
  /** A list has the values of a header that is sent several times. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Undefined for a page of the service. */
  readonly body?: string;
  /** The uploaded page used as the body. */
  readonly asset?: string;
}

/** Headers as pairs, one for each value. */
export function headerPairs(headers: SentResponse["headers"]): (readonly [name: string, value: string])[] {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => [name, value] as const));
}

/** What replaces the body of an error. */
interface ErrorPage {
  /** Undefined keeps the status of the error. */
  readonly status?: number;
  readonly contentType?: string;
  readonly body?: string;
  readonly asset?: string;
}

interface HeaderChange {
  readonly name: string;
  readonly operation: "add" | "set" | "remove";
  readonly value: TextSource;
}

/** What a skip rule disables. */
export interface SkipTarget {
  readonly restOfRuleset: boolean;
  readonly restOfPhase: boolean;
  readonly phases: readonly string[];
  readonly rulesets: readonly string[];
  readonly rules: ReadonlyMap<string, readonly string[]>;
  readonly products: readonly string[];
}

/** What a rule does to a request that it matches. */
export type Effect =
  | { readonly kind: "block"; readonly response: SentResponse }
  | { readonly kind: "challenge"; readonly response: SentResponse }
  | {
      readonly kind: "redirect";
      readonly target: TextSource;
      readonly status: number;
      readonly preserveQueryString: boolean;
    }
  | { readonly kind: "redirect-list"; readonly list: string; readonly key: TextSource }
  | { readonly kind: "log" }
  | { readonly kind: "execute"; readonly id: string; readonly overrides: unknown }
  | { readonly kind: "skip"; readonly target: SkipTarget }
  | { readonly kind: "score"; readonly increment: number }
  | {
      readonly kind: "rewrite";
      readonly path?: TextSource;
      readonly query?: TextSource;
      readonly headers: readonly HeaderChange[];
    }
  | { readonly kind: "error-page"; readonly page: ErrorPage }
  | { readonly kind: "settings"; readonly settings: object }
  /** `overridden`: the custom ruleset that it executes with overrides. */
  | { readonly kind: "unknown"; readonly overridden?: string };

const SETTINGS: ReadonlySet<string> = new Set([
  "route",
  "set_config",
  "set_cache_settings",
  "set_cache_control",
  "set_cache_tags",
  "compress_response",
  "log_custom_field",
  "transform_response_html",
]);

/** The ruleset that a rule executes. */
export function executedBy(effect: Effect): string | undefined {
  if (effect.kind === "execute") return effect.id;
  return effect.kind === "unknown" ? effect.overridden : undefined;
}

/**
 * Reads the effect of an action from its parameters.
 * @throws ExpressionError when an expression in them is invalid
 */
export function readEffect(action: string, parameters: object): Effect {
  if (SETTINGS.has(action)) return { kind: "settings", settings: parameters };
  if (isChallenge(action))
    return { kind: "challenge", response: { status: 403, headers: { "cf-mitigated": "challenge" } } };
  switch (action) {
    case "block":
    case "force_connection_close":
      return { kind: "block", response: readResponse(readProperty(parameters, "response"), 403) };
    case "log":
      return { kind: "log" };
    case "execute":
      return {
        kind: "execute",
        id: lastSegment(readText(parameters, "id") ?? ""),
        overrides: readProperty(parameters, "overrides"),
      };
    case "skip":
      return { kind: "skip", target: readSkip(parameters) };
    case "score":
      return { kind: "score", increment: readNumber(parameters, "increment") ?? 0 };
    case "redirect":
      return readRedirect(parameters);
    case "rewrite":
      return readRewrite(parameters);
    case "serve_error":
      return { kind: "error-page", page: readPage(parameters) };
    default:
      return { kind: "unknown" };
  }
}

function readResponse(from: unknown, status: number): SentResponse {
  const type = readText(from, "contentType");
  return {
    status: readNumber(from, "statusCode") ?? status,
    headers: type === undefined ? {} : { "content-type": type },
    body: readText(from, "content"),
  };
}

function readPage(parameters: object): ErrorPage {
  return {
    status: readNumber(parameters, "statusCode"),
    contentType: readText(parameters, "contentType"),
    body: readText(parameters, "content"),
    asset: readText(parameters, "assetName"),
  };
}

function readSkip(parameters: object): SkipTarget {
  const rules = readEntries(parameters, "rules").map(([ruleset, ids]): [string, readonly string[]] => [
    lastSegment(ruleset),
    Array.isArray(ids) ? ids.map(String) : [],
  ]);
  // An empty list of rules means the whole ruleset.
  const whole = rules.filter(([, ids]) => ids.length === 0).map(([ruleset]) => ruleset);
  return {
    restOfRuleset: readProperty(parameters, "ruleset") === "current",
    restOfPhase: readProperty(parameters, "phase") === "current",
    phases: readTexts(parameters, "phases"),
    rulesets: [...readTexts(parameters, "rulesets").map(lastSegment), ...whole],
    rules: new Map(rules.filter(([, ids]) => ids.length > 0)),
    products: readTexts(parameters, "products"),
  };
}

function readRedirect(parameters: object): Effect {
  const list = readProperty(parameters, "fromList");
  if (list !== undefined) {
    const key = compileValueExpression(readText(list, "key") ?? "http.request.full_uri");
    return { kind: "redirect-list", list: readText(list, "name") ?? "", key };
  }
  const from = readProperty(parameters, "fromValue");
  return {
    kind: "redirect",
    target: readSource(readProperty(from, "targetUrl")) ?? "",
    status: readNumber(from, "statusCode") ?? 301,
    preserveQueryString: readProperty(from, "preserveQueryString") === true,
  };
}

function readRewrite(parameters: object): Effect {
  const uri = readProperty(parameters, "uri");
  return {
    kind: "rewrite",
    path: readSource(readProperty(uri, "path")),
    query: readSource(readProperty(uri, "query")),
    headers: readEntries(parameters, "headers").map(([name, change]): HeaderChange => {
      const operation = readText(change, "operation");
      return {
        name,
        operation: operation === "add" || operation === "remove" ? operation : "set",
        value: readSource(change) ?? "",
      };
    }),
  };
}

function readSource(from: unknown): TextSource | undefined {
  const expression = readText(from, "expression");
  return expression === undefined ? readText(from, "value") : compileValueExpression(expression);
}
