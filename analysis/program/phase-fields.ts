import { findField } from "../../language/catalogue/index.js";
import { RESPONSE_PHASES } from "../../simulator/phases.js";
import type { Fields } from "../formula/terms.js";

/** What rules can rewrite: the URL, or headers. */
export type Family = "url" | "headers";

const URL_FIELD = /^http\.request\.(?:uri(?:\.|$)|full_uri$)/;
const HEADER_FIELD =
  /^http\.(?:host|cookie|referer|user_agent|x_forwarded_for|request\.(?:headers|cookies|accepted_languages|full_uri|body))(?:\.|$)/;

/** What earlier phases have rewritten: a key for each family, equal for equal rewrites. */
export type Rewritten = Readonly<Partial<Record<Family, string>>>;

/** Phases that see the URL before it is normalised. */
const BEFORE_NORMALISATION: ReadonlySet<string> = new Set(["http_request_dynamic_redirect", "http_request_sanitize"]);

/** Fields as the rules of one phase see them, after the rewrites of earlier phases. */
export function fieldsOf(phase: string, rewritten: Rewritten): Fields {
  const sent = BEFORE_NORMALISATION.has(phase) ? "@sent" : "";
  const isResponse = RESPONSE_PHASES.includes(phase);
  const suffix = (name: string): string => {
    const url = URL_FIELD.test(name) ? (rewritten.url ?? sent) : "";
    return HEADER_FIELD.test(name) ? url + (rewritten.headers ?? "") : url;
  };
  const isRequest = !isResponse && phase.startsWith("http_request_");
  return {
    key: `${sent} ${String(isRequest)} ${rewritten.url ?? ""} ${rewritten.headers ?? ""}`,
    name: (name) => name + suffix(name),
    isAsSent: (name) => suffix(name) === "" || suffix(name) === "@sent",
    isAbsent: (name) => isRequest && findField(name)?.when === "response",
  };
}
