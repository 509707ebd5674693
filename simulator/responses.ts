import type { Effect } from "./effect.js";
import type { RulePlace } from "./place.js";
import { textOf } from "./rewrites.js";
import { reasonsOf, type State } from "./state.js";

/** Changes the headers of the response. */
export function rewriteResponse(
  { headers: changes }: Extract<Effect, { kind: "rewrite" }>,
  at: RulePlace,
  state: State,
): void {
  if (state.response === undefined) return;
  const headers = new Map(Object.entries(state.response.headers));
  for (const { name, operation, value } of changes) {
    const key = name.toLowerCase();
    const text = textOf(value, state.request);
    const before = headers.get(key);
    if (operation === "remove") headers.delete(key);
    else if (typeof text !== "string") state.doubt(at, undefined, reasonsOf(text.because));
    else headers.set(key, operation === "add" && before !== undefined ? `${before}, ${text}` : text);
  }
  state.response = { ...state.response, headers: Object.fromEntries(headers) };
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
