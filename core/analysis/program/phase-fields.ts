import type { Argument } from "../../language/ast.js";
import { findField } from "../../language/catalogue/index.js";
import { NORMALISING_PHASES, REQUEST_PHASES, RESPONSE_PHASES } from "../../simulator/phases.js";
import type { Fields, KnownRewrites } from "../formula/fields.js";
import { mayDoAnything, type AnalysedRule, type AnalysedRuleset } from "./rule.js";

/** What rules can rewrite. */
export type Family = "path" | "query" | "headers";

const URL_FIELD = /^http\.request\.(?:uri(?:\.|$)|full_uri$)/;
const FIELDS_OF = {
  path: /^http\.request\.(?:uri(?:\.path(?:\.|$)|$)|full_uri$)/,
  query: /^http\.request\.(?:uri(?:\.(?:query|args)(?:\.|$)|$)|full_uri$)/,
};
const HEADER_FIELD =
  /^http\.(?:host|cookie|referer|user_agent|x_forwarded_for|request\.(?:headers|cookies|accepted_languages|full_uri|body))(?:\.|$)/;

/** What earlier phases have rewritten: a key for each family, equal for equal rewrites, and how, where that is known. */
export type Rewritten = Readonly<Partial<Record<Family, string>>> & { readonly url?: KnownRewrites };

/** Phases that see the URL before it is normalised: those up to the one that normalises it. */
const BEFORE_NORMALISATION: ReadonlySet<string> = new Set(
  REQUEST_PHASES.slice(0, REQUEST_PHASES.findIndex((phase) => NORMALISING_PHASES.has(phase)) + 1),
);

/** Normalisation does not change the query. */
const QUERY_FIELD = /^(?:raw[.])?http[.]request[.]uri[.](?:query|args)(?:[.]|$)/;

/** Fields as the rules of one phase see them, after the rewrites of earlier phases. */
export function fieldsOf(phase: string, rewritten: Rewritten): Fields {
  const isNormalised = !BEFORE_NORMALISATION.has(phase);
  const isResponse = RESPONSE_PHASES.includes(phase);
  const suffix = (name: string): string => {
    const path = FIELDS_OF.path.test(name) ? (rewritten.path ?? "") : "";
    const query = FIELDS_OF.query.test(name) ? (rewritten.query ?? "") : "";
    return path + query + (HEADER_FIELD.test(name) ? (rewritten.headers ?? "") : "");
  };
  const isRequest = !isResponse && phase.startsWith("http_request_");
  return {
    key: [isNormalised, isRequest, rewritten.path, rewritten.query, rewritten.headers].join(" "),
    // The whole URL has the host, which is a header.
    rewrites: rewritten.headers === undefined ? rewritten.url : undefined,
    // Two fields with the same value in every request have one name.
    name: (name) => {
      if (QUERY_FIELD.test(name)) return name.replace(/^raw[.]/, "") + suffix(name);
      return URL_FIELD.test(name) && !isNormalised && suffix(name) === "" ? `raw.${name}` : name + suffix(name);
    },
    isAsSent: (name) => suffix(name) === "",
    isAbsent: (name) => isRequest && isOnlyOfResponse(name),
  };
}

/** Where it is not sure whether requests have a field, nothing is concluded from its absence. */
function isOnlyOfResponse(name: string): boolean {
  const field = findField(name);
  return field?.when === "response" && !field.unsure;
}

/** Whether a rule rewrites a part of the URL, or headers. One whose parameters are not known may rewrite anything. */
export function rewrites(rule: AnalysedRule, family: Family): boolean {
  const { effect } = rule;
  if (isRewriteUnknown(rule)) return true;
  if (effect.kind !== "rewrite") return false;
  if (family === "headers") return effect.headers.length > 0;
  return effect[family] !== undefined || (family === "query" && !keepsQuery(rule));
}

/** Whether the path that a rule writes has no `?` and no `#`. With one, it is not documented what the query is after that. */
export function keepsQuery({ effect }: AnalysedRule): boolean {
  if (effect.kind !== "rewrite" || effect.path === undefined) return true;
  return typeof effect.path === "string" ? isPlainPath(effect.path) : makesPlainPath(effect.path.operand);
}

/** Functions whose results consist of what is in their arguments. */
const JOINING: ReadonlySet<string> = new Set(
  "concat lower upper substring regex_replace wildcard_replace remove_bytes".split(" "),
);

function makesPlainPath(operand: Argument): boolean {
  if (operand.kind === "string") return isPlainPath(operand.value);
  if (operand.kind === "field") return operand.name === "http.request.uri.path" || operand.name === "http.host";
  return operand.kind !== "call" || (JOINING.has(operand.name) && operand.args.every(makesPlainPath));
}

function isPlainPath(text: string): boolean {
  return !/[?#]/.test(text);
}

/** Whether a rule rewrites what is not known here. */
export function isRewriteUnknown(rule: AnalysedRule): boolean {
  const { raw, place } = rule;
  const { action, expression, opaque } = rule.input;
  if (mayDoAnything(rule)) return action === "rewrite" || mayHaveRewrites(place.phase);
  return action === "rewrite" && (raw !== undefined || (opaque !== undefined && expression !== undefined));
}

/** Whether rules of a phase rewrite requests: those that are named for it, and maybe those of a phase that is not known here. */
function mayHaveRewrites(phase: string): boolean {
  return phase.endsWith("_transform") || ![...REQUEST_PHASES, ...RESPONSE_PHASES].includes(phase);
}

/** What rules may have rewritten before a phase, whatever they match. */
export function rewrittenBefore(phase: string, rulesets: readonly AnalysedRuleset[]): Rewritten {
  const order = [...REQUEST_PHASES, ...RESPONSE_PHASES];
  const isEarlier = (other: string): boolean => !order.includes(phase) || order.indexOf(other) < order.indexOf(phase);
  const earlier = rulesets.filter((ruleset) => isEarlier(ruleset.phase)).flatMap(({ rules }) => rules);
  const of = (family: Family) =>
    earlier.some((rule) => rule.isOn && rewrites(rule, family)) ? "@rewritten" : undefined;
  return { path: of("path"), query: of("query"), headers: of("headers") };
}

/** The phase that rewrites URLs for all later ones. */
const REWRITING = "http_request_transform";

/** Whether rulesets that are not given may rewrite the URL before a phase. */
export function mayBeRewritten(phase: string, rulesets: readonly AnalysedRuleset[]): boolean {
  if (rulesets.some((ruleset) => ruleset.phase === REWRITING)) return false;
  return !REQUEST_PHASES.includes(phase) || REQUEST_PHASES.indexOf(phase) > REQUEST_PHASES.indexOf(REWRITING);
}

/** What may have been rewritten, with URLs that rules which are not given may have rewritten. */
export function withUnknownRewrites({ path = "@later", query = "@later", headers }: Rewritten): Rewritten {
  return { path, query, headers };
}
