import type { RuleApplication } from "./rule-application.js";
import type { Effect } from "./effect.js";
import { findRedirect, type Redirect } from "./redirect-list.js";
import { textOf } from "./rewrites.js";
import { reasonsOf } from "./state.js";

/** Redirects the client to the target of a rule. */
export function redirect(effect: Extract<Effect, { kind: "redirect" }>, { at, because, state }: RuleApplication): void {
  const { status, preserveQueryString } = effect;
  const target = textOf(effect.target, state.request);
  if (typeof target !== "string") {
    if (because.length > 0) {
      state.doubt(at, "redirected", because);
      return;
    }
    // It certainly redirects, but the target is not known.
    state.doubt(at, undefined, reasonsOf(target.because));
    state.decision = { outcome: "redirected", rule: at, response: { status, headers: {} } };
    return;
  }
  const location = preserveQueryString ? withQuery(target, queryOf(state.request.url)) : target;
  state.stop("redirected", at, { status, headers: { location } }, because);
}

/**
 * Redirects the client as a redirect list says; a URL that is not in the list continues.
 * @param known the redirects of the list, unless the request is tried with others
 */
export function redirectByList(
  { list, key }: Extract<Effect, { kind: "redirect-list" }>,
  { at, because, state }: RuleApplication,
  known: readonly Redirect[] | undefined,
): void {
  const items = state.redirectLists.get(list) ?? known;
  if (items === undefined) {
    const give = `pass them as \`redirectLists: { ${JSON.stringify(list)}: … }\``;
    state.doubt(at, "redirected", [...because, `the redirects of the list "${list}" are not known here; ${give}`]);
    return;
  }
  const url = textOf(key, state.request);
  if (typeof url !== "string") {
    state.doubt(at, "redirected", [...because, ...reasonsOf(url.because)]);
    return;
  }
  const found = findRedirect(items, url);
  if (found === undefined) {
    state.log.appendToLast(at, `no redirect in the list "${list}" matches ${url}`);
    return;
  }
  const { item, location } = found;
  state.log.appendToLast(at, `the redirect from ${item.sourceUrl}`);
  state.stop("redirected", at, { status: item.statusCode, headers: { location } }, because);
}

function queryOf(url: string): string {
  return /\?([^#]*)/s.exec(url)?.[1] ?? "";
}

/** Replaces the query of a target with that of the request. */
function withQuery(target: string, query: string): string {
  if (query === "") return target;
  const [, base = "", fragment = ""] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(target) ?? [];
  return `${base}?${query}${fragment}`;
}
