import type { Effect } from "./effect.js";
import type { RulePlace } from "./place.js";
import { headerValueOf } from "./rewrites.js";
import { reasonsOf, type State } from "./state.js";

/**
 * Changes the headers of the response. An empty value removes the header:
 * https://developers.cloudflare.com/rules/transform/response-header-modification/#important-remarks
 */
export function rewriteResponse(
  { headers: changes }: Extract<Effect, { kind: "rewrite" }>,
  at: RulePlace,
  state: State,
): void {
  if (state.response === undefined) return;
  const headers = new Map(Object.entries(state.response.headers).map(([name, values]) => [name, [values].flat()]));
  for (const { name, operation, value } of changes) {
    const key = name.toLowerCase();
    const text = operation === "remove" ? "" : headerValueOf(value, state.request);
    const before = operation === "add" ? (headers.get(key) ?? []) : [];
    if (typeof text === "string") headers.set(key, text === "" ? before : [...before, text]);
    else state.doubt(at, undefined, reasonsOf(text.because));
  }
  const sent = [...headers].filter(([, values]) => values.length > 0);
  state.response = {
    ...state.response,
    headers: Object.fromEntries(sent.map(([name, values]) => [name, joined(values)])),
  };
}

/** A header that is sent once has a text, one that is sent several times a list. */
function joined(values: readonly string[]): string | readonly string[] {
  const [only = ""] = values;
  return values.length === 1 ? only : values;
}

/**
 * Replaces the body of an error with a page. Headers are kept, except those of the body.
 * https://developers.cloudflare.com/rules/custom-errors/#custom-error-rules
 */
export function serveErrorPage({ page }: Extract<Effect, { kind: "error-page" }>, state: State): void {
  const { response } = state;
  if (response === undefined) return;
  const { "content-type": _type, "content-length": _length, ...headers } = response.headers;
  state.response = {
    status: page.status ?? response.status,
    headers: page.contentType === undefined ? headers : { ...headers, "content-type": page.contentType },
    body: page.body,
    ...(page.asset === undefined ? {} : { asset: page.asset }),
  };
}
