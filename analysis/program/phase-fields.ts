import { findField } from "../../language/catalogue/index.js";
import type { Effect } from "../../simulator/effect.js";
import { REQUEST_PHASES, RESPONSE_PHASES } from "../../simulator/phases.js";
import type { Fields } from "../formula/fields.js";
import type { AnalysedRuleset } from "./rule.js";

/** What rules can rewrite: the URL, or headers. */
export type Family = "url" | "headers";

const URL_FIELD = /^http\.request\.(?:uri(?:\.|$)|full_uri$)/;
const HEADER_FIELD =
  /^http\.(?:host|cookie|referer|user_agent|x_forwarded_for|request\.(?:headers|cookies|accepted_languages|full_uri|body))(?:\.|$)/;

/** What earlier phases have rewritten: a key for each family, equal for equal rewrites. */
export type Rewritten = Readonly<Partial<Record<Family, string>>>;

/** Phases that see the URL before it is normalised. */
const BEFORE_NORMALISATION: ReadonlySet<string> = new Set(["http_request_dynamic_redirect", "http_request_sanitize"]);

/** Normalisation does not change the query. */
const QUERY_FIELD = /^(?:raw[.])?http[.]request[.]uri[.](?:query|args)(?:[.]|$)/;

/** Fields as the rules of one phase see them, after the rewrites of earlier phases. */
export function fieldsOf(phase: string, rewritten: Rewritten): Fields {
  const isNormalised = !BEFORE_NORMALISATION.has(phase);
  const isResponse = RESPONSE_PHASES.includes(phase);
  const suffix = (name: string): string => {
    const url = URL_FIELD.test(name) ? (rewritten.url ?? "") : "";
    return HEADER_FIELD.test(name) ? url + (rewritten.headers ?? "") : url;
  };
  const isRequest = !isResponse && phase.startsWith("http_request_");
  return {
    key: `${String(isNormalised)} ${String(isRequest)} ${rewritten.url ?? ""} ${rewritten.headers ?? ""}`,
    // Two fields with the same value in every request have one name.
    name: (name) => {
      if (QUERY_FIELD.test(name)) return name.replace(/^raw[.]/, "") + suffix(name);
      return URL_FIELD.test(name) && !isNormalised && suffix(name) === "" ? `raw.${name}` : name + suffix(name);
    },
    isAsSent: (name) => suffix(name) === "",
    isAbsent: (name) => isRequest && findField(name)?.when === "response",
  };
}

/** Whether a rule rewrites the URL, or headers. */
export function rewrites(effect: Effect, family: Family): boolean {
  if (effect.kind !== "rewrite") return false;
  return family === "url" ? effect.path !== undefined || effect.query !== undefined : effect.headers.length > 0;
}

/** What rules may have rewritten before a phase, whatever they match. */
export function rewrittenBefore(phase: string, rulesets: readonly AnalysedRuleset[]): Rewritten {
  const order = [...REQUEST_PHASES, ...RESPONSE_PHASES];
  const isEarlier = (other: string): boolean => !order.includes(phase) || order.indexOf(other) < order.indexOf(phase);
  const effects = rulesets
    .filter((ruleset) => isEarlier(ruleset.phase))
    .flatMap(({ rules }) => rules.flatMap(({ isOn, effect }) => (isOn ? effect : [])));
  const of = (family: Family) => (effects.some((effect) => rewrites(effect, family)) ? "@rewritten" : undefined);
  return { url: of("url"), headers: of("headers") };
}

/** The phase that rewrites URLs for all later ones. */
const REWRITING = "http_request_transform";

/** Whether rulesets that are not given may rewrite the URL before a phase. */
export function mayBeRewritten(phase: string, rulesets: readonly AnalysedRuleset[]): boolean {
  if (rulesets.some((ruleset) => ruleset.phase === REWRITING)) return false;
  return !REQUEST_PHASES.includes(phase) || REQUEST_PHASES.indexOf(phase) > REQUEST_PHASES.indexOf(REWRITING);
}
